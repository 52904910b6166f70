"""List the inputs of carastan2017 besides its sheet: logs, score distributions and sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedlab.report.items import Study

#: the artefact's scores, and the workload that its tuples are drawn from
PUBLISHED_SCORES = "score-distribution"
PUBLISHED_WORKLOAD = "lublin-256-train10k"
#: the distributions that functions are fitted to, in the order of the tables, with their labels
DISTRIBUTIONS = {
    "published": "artefact's, as published",
    "uniform": "computed, uniform",
    "artefact": "computed, artefact's shuffle",
}
#: the logs of Table 5, and its rows
TABLE5 = {
    "CEA-Curie": "Curie",
    "ANL-Intrepid": "ANL-Intrepid",
    "SDSC-BLUE": "SDSC Blue",
    "CTC-SP2": "CTC SP2",
}
#: key of the random numbers that resample the windows
KEY_OF_WINDOWS = ["carastan2017", "sites", "windows"]


def label_of_site(study: Study, source: str) -> str:
    """Return the label of a site in tables; the label of a model's workload names the model."""
    return f"{source} [model]" if source in study.models else source

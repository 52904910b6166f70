"""What carastan2017 reads besides its sheet: logs, score distributions and sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedlab.flow.items import Study

#: the artefact's scores, and the workload that its tuples were drawn from
PUBLISHED_SCORES = "score-distribution"
PUBLISHED_WORKLOAD = "lublin-256-train10k"
#: the distributions that functions are fitted to, in the order of the tables, and their names there
DISTRIBUTIONS = {
    "published": "artefact's, as published",
    "uniform": "ours, uniform",
    "artefact": "ours, artefact's shuffle",
}
#: the logs of Table 5, and its rows
TABLE5 = {
    "CEA-Curie": "Curie",
    "ANL-Intrepid": "ANL Interpid",
    "SDSC-BLUE": "SDSC Blue",
    "CTC-SP2": "CTC SP2",
}
#: key of the random streams of the resamples of windows
KEY_OF_WINDOWS = ["carastan2017", "sites", "windows"]


def label_of_site(study: Study, source: str) -> str:
    """Return what tables call a site: a model's workload is labelled as such."""
    return f"{source} [model]" if source in study.models else source

"""Names of policies, functions, logs and score distributions of carastan2017."""

from __future__ import annotations

from schedlab.report.items import Study

# The paper's column names in its order, by the names of the policy registry.
POLICY_COLUMNS = {
    "fcfs": "FCFS",
    "wfp3": "WFP",
    "unicef": "UNI",
    "spt": "SPT",
    "f4": "F4",
    "f3": "F3",
    "f2": "F2",
    "f1": "F1",
}
# Policies of the literature, and policies that the paper learned.
AD_HOC = ("FCFS", "WFP", "UNI", "SPT")
LEARNED = ("F4", "F3", "F2", "F1")
# The regimes at the end of the row names of Table 4, and their wording in sentences.
REGIMES = {
    "actual runtimes r": "With actual run times",
    "runtime estimates e": "With user estimates",
    "aggressive backfilling": "With estimates and backfilling",
}
# The policies that schedlab learns, in the order of the paper's policies.
LEARNED_COLUMNS = ("L4", "L3", "L2", "L1")
# The best functions of a fit.
IDS = ("F1", "F2", "F3", "F4")
BEST = len(IDS)
#: dialects in sentences: what policies and backfilling see
DIALECT_WORDS = {"artefact": "with the window of 32 tasks", "full": "with the whole queue"}


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

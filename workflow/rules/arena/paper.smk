"""The arena: every scheduler of the papers, and four of the literature, on the same windows.

What is made of it, once: the target rule and the page. It is no part of `all`.
"""

from schedlab.metrics import COMPARED as OVER_WINDOWS
from schedlab.metrics import METRICS, TAILS

ARENA = "arena"
FOUGHT = f"<results>/simulations/{ARENA}/{{contest}}"
RECORDED = f"<results>/simulations/{ARENA}/recorded/waits.parquet"
ARENA_TABLES = [
    *METRICS,
    "survivors",
    "losers",
    "guards",
    "windows",
    "schedulers",
    "absent",
]
ARENA_FIGURES = [
    "fig_guards",
    "fig_survivors",
    *(f"fig_{metric}" for metric in OVER_WINDOWS),
]


include: "inputs.smk"


PAGES[ARENA] = {
    "title": "Which policy should my site run?",
    "authors": "Every scheduler of the five papers, and EASY++, EASY-SJBF, SAF, SPF and SQF",
    "venue": "on every log at hand",
    "summary": (
        "Every scheduler once over the same logs, users' estimates: what gains, and no job waits for it too long."
    ),
    "tables": ARENA_TABLES,
    "unshown": [],
    "figures": ARENA_FIGURES,
    "texts": ["findings"],
    "elsewhere": [],
    "captions": dict.fromkeys(OVER_WINDOWS, "metric")
    | dict.fromkeys(TAILS, "tail")
    | dict.fromkeys([f"fig_{metric}" for metric in OVER_WINDOWS], "fig_metric"),
    "results": contests(),
    "logs": (
        []
        if config["source"] == "models"
        else [row.source for row in EXPERIMENTS[ARENA].values()]
    ),
}


include: "simulations.smk"
include: "tables.smk"


wildcard_constraints:
    contest=one_of(EXPERIMENTS[ARENA]),


rule arena:
    """Tables, figures and the page of the arena."""
    input:
        files_of_paper(ARENA),
        f"<results>/report/{ARENA}.html",

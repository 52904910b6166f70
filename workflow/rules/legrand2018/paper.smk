"""Adapting Batch Scheduling to Workload Characteristics (RR-9212): pure and mixed policies by weeks.

What is made of it, once: the target rule, the page and the names that the other rules allow.
"""

LEGRAND = "legrand2018"
MADE = f"<results>/figures/{LEGRAND}"
MIXED = f"<results>/simulations/{LEGRAND}/{{periods}}"
PUBLISHED_LEGRAND = of_workflow("resources/legrand2018/published.tsv")
SUSPECTS_LEGRAND = of_workflow("resources/legrand2018/suspects.tsv")
REASONS_LEGRAND = of_workflow("resources/legrand2018/reasons.tsv")


include: "inputs.smk"


THRESHOLD_TABLES = items_of_periods("thresholds_item")
# The column that names a table's rows, and those whose numbers are equal to the last digit or not.
COMPARED = {
    "table1": {"index": "trace", "exact": ["cpus", "jobs"]},
    **{
        table: {"index": "policy", "exact": []}
        for table in ("table2", *sorted(THRESHOLD_TABLES))
    },
    "table7": {
        "index": "rank",
        "exact": ["job_ID", "submit_time", "run_time", "number_processors"],
    },
}
BEST_FIGURES = items_of_periods("best_item")
MIXED_FIGURES = items_of_periods("mixed_item")
SEARCH_FIGURES = items_of_periods("search_item")
SENSITIVE = next(
    row.experiment for row in EXPERIMENTS[LEGRAND].values() if row.sensitivity
)
# The trace that Tables 2 and 7 are of is the one whose space is drawn.
SHOWN = next(row.experiment for row in EXPERIMENTS[LEGRAND].values() if row.space_item)
PAGES[LEGRAND] = {
    "title": "Adapting batch scheduling to workload characteristics: what can we expect from online learning?",
    "authors": "A. Legrand, D. Trystram and S. Zrigui",
    "venue": "RR-9212",
    "summary": (
        "Pure and mixed index policies on EASY with SPF backfilling, week by week, on four real "
        "logs: how far weights that suit a week are from the best policy, and whether they can be "
        "learned."
    ),
    "tables": [
        *COMPARED,
        *(f"{table}_comparison" for table in COMPARED),
        *("ranks", "claims", "online", "sensitivity"),
    ],
    "unshown": ["table1_readings"],
    "figures": [
        *("fig1", "fig4", "fig15", "fig_online"),
        *(*BEST_FIGURES, *MIXED_FIGURES, *SEARCH_FIGURES),
    ],
    "texts": ["claims", "online"],
    "elsewhere": [],
    "captions": dict.fromkeys(BEST_FIGURES, "best")
    | dict.fromkeys(MIXED_FIGURES, "mixed")
    | dict.fromkeys(SEARCH_FIGURES, "search"),
    "logs": (
        [] if config["source"] == "models" else [row.source for row in rows_by("weeks")]
    ),
}


include: "simulations.smk"
include: "tables.smk"
include: "figures.smk"


wildcard_constraints:
    periods=one_of(EXPERIMENTS[LEGRAND]),
    scaling="deviation|none",


rule legrand2018:
    """All tables and figures of legrand2018."""
    input:
        files_of_paper(LEGRAND),


rule online:
    """What online learners make of the same weeks."""
    input:
        f"{MADE}/online.md",
        f"{MADE}/fig_online.png",

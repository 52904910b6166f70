"""Adapting Batch Scheduling to Workload Characteristics (RR-9212): pure and mixed policies by weeks.

What is made of it, once: the target rule, the page and the names that the other rules allow.
"""

from schedlab.studies.legrand2018.sheet import NUMBERED
from schedlab.studies.legrand2018.tables import heading

LEGRAND = "legrand2018"
MADE = f"<results>/figures/{LEGRAND}"
MIXED = f"<results>/simulations/{LEGRAND}/{{periods}}"
# The space of weights once more, with another threshold than the row's or other scales.
AGAIN = f"{MIXED}.{{scaling}}.{{threshold}}.surface.parquet"
# Runs of one of a reader's policies, and how the items end that show them.
OWN_RUNS = f"<results>/simulations/{LEGRAND}/{{policies}}/{{periods}}.pure.parquet"
OWN = "_own"
# How items end that show what the text says and not what was run.
BY_TEXT = "_text"
PUBLISHED_LEGRAND = of_workflow("resources/legrand2018/published.tsv")
OWNERS_LEGRAND = of_workflow("resources/legrand2018/owners.tsv")
REASONS_LEGRAND = of_workflow("resources/legrand2018/reasons.tsv")


include: "inputs.smk"


# The trace that Tables 2 and 7 are of is the one whose space is drawn.
SHOWN = next(row.experiment for row in rows_by("weeks") if row.space_item)
SENSITIVE = next(
    row.experiment for row in EXPERIMENTS[LEGRAND].values() if row.sensitivity
)
# What features may be divided by, and the coverings that are held against Table 2.
SCALINGS = ("deviation", "maximum", "none")
COVERINGS = [
    (scaling, threshold)
    for threshold in EXPERIMENTS[LEGRAND][SHOWN].thresholds
    for scaling in SCALINGS
    if threshold and threshold >= EXPERIMENTS[LEGRAND][SHOWN].threshold
]
THRESHOLD_TABLES = items_of_periods("thresholds_item")
PAPERS_TABLES = ("table3", "table4", "table5", "table6")
# Rows by weeks whose table has one beside it that follows the text.
READ_TWICE = [
    row
    for row in rows_by("weeks")
    if f"{row.thresholds_item}{BY_TEXT}" in THRESHOLD_TABLES
]
# The column that names a table's rows; where these are policies, each column ranks them.
COMPARED = {
    "table1": {"index": "trace"},
    **{
        table: {"index": "policy"}
        for table in ("table2", *sorted(set(THRESHOLD_TABLES) & set(PAPERS_TABLES)))
    },
    "table7": {"index": "rank"},
}
RANKED = [table for table, how in COMPARED.items() if how["index"] == "policy"]
BEST_FIGURES = items_of_periods("best_item")
MIXED_FIGURES = items_of_periods("mixed_item")
SEARCH_FIGURES = items_of_periods("search_item")
SPACE_FIGURES = items_of_periods("space_item")
MONTH_FIGURES = list(
    dict.fromkeys(
        row.months_figure for row in EXPERIMENTS[LEGRAND].values() if row.months_figure
    )
)
# What compares policies has a file beside it in which a reader's own stand as well.
COMPARING_TABLES = with_own("table2", *THRESHOLD_TABLES)
COMPARING_FIGURES = with_own("fig1", *BEST_FIGURES, *MIXED_FIGURES, *MONTH_FIGURES)
DRAWN = [
    *("fig1", *SPACE_FIGURES, *MONTH_FIGURES, "fig_online", "fig_table2"),
    *(*BEST_FIGURES, *MIXED_FIGURES, *SEARCH_FIGURES),
]
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
        *(
            "ranks",
            "coverings",
            "conclusions",
            "claims",
            "online",
            "sensitivity",
            "toggles",
        ),
        *(table for table in THRESHOLD_TABLES if table not in COMPARED),
        *(table for table in COMPARING_TABLES if table.endswith(OWN)),
    ],
    "unshown": [],
    "figures": [
        *(*DRAWN, "fig_toggles"),
        *(figure for figure in COMPARING_FIGURES if figure.endswith(OWN)),
    ],
    "texts": ["claims", "online", "toggles"],
    "elsewhere": [],
    "captions": dict.fromkeys(with_own(*BEST_FIGURES), "best")
    | dict.fromkeys(with_own(*MIXED_FIGURES), "mixed")
    | dict.fromkeys(SEARCH_FIGURES, "search")
    | dict.fromkeys(SPACE_FIGURES, "fig4")
    | dict.fromkeys(with_own(*MONTH_FIGURES), "fig15")
    | dict.fromkeys(with_own("fig1"), "fig1")
    | dict.fromkeys(with_own("table2"), "table2")
    | dict.fromkeys(with_own(*THRESHOLD_TABLES), "thresholds")
    | dict.fromkeys([f"{table}_comparison" for table in COMPARED], "comparison")
    | {"fig_toggles": "toggles"},
    "told_by": "table3_comparison table4_comparison table5_comparison table6_comparison conclusions ranks online claims toggles".split(),
    "thumbnail": "fig4",
    "results": [
        f"{MIXED.format(periods=row)}.pure.parquet" for row in EXPERIMENTS[LEGRAND]
    ],
    "logs": (
        []
        if config["source"] == "models"
        else list(
            dict.fromkeys(
                row.source
                for row in EXPERIMENTS[LEGRAND].values()
                if not row.is_model and (row.unit == "weeks" or row.is_own)
            )
        )
    ),
}
PAGES[LEGRAND]["told"] = {
    item: told_of(item)
    for item in (*PAGES[LEGRAND]["tables"], *PAGES[LEGRAND]["figures"])
}


include: "simulations.smk"
include: "tables.smk"
include: "figures.smk"
include: "toggles.smk"


wildcard_constraints:
    periods=one_of(EXPERIMENTS[LEGRAND]),
    scaling=one_of(SCALINGS),
    threshold=r"\d+",


rule legrand2018:
    """All tables and figures of legrand2018."""
    input:
        files_of_paper(LEGRAND),


rule online:
    """What online learners make of the same weeks."""
    input:
        f"{MADE}/online.md",
        f"{MADE}/fig_online.png",

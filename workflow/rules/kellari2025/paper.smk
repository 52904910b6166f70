"""Co-scheduling algorithms for HPC applications (NTUA 2025).

What is made of it, once: the target rule, the page and the names that the other rules allow.
"""

from schedlab.papers.kellari2025.tables import chapter6

KELLARI = "kellari2025"
# Co-scheduled jobs that arrive as those of a log take its submit times alone.
ARRIVALS_CLEANING = "full_actual"
TABLE4_1 = of_workflow("resources/kellari2025/table4_1.tsv")
KELLARI_PUBLISHED = of_workflow("resources/kellari2025/published.tsv")
KELLARI_REASONS = of_workflow("resources/kellari2025/reasons.tsv")
CHAPTER4 = ["table4_1", "table4_1_comparison", "table4_2"]
MEANS = ["table6_1", "table6_2"]
HELD_AGAINST_PRINT = ["table6_comparison", "joint", "table6_readings", "orderings"]
HELD_AGAINST_PRINT += ["correlations_comparison", "claims"]
ILLUSTRATIONS = ["fig3_1", "fig5_1", "fig5_2", "fig5_3"]
# Figures of single schedules, and the experiment that each draws.
SCHEDULES = {
    "fig4_1": "small",
    **dict.fromkeys(["fig4_2", "fig4_3", "fig4_4"], "example"),
    "fig4_5": "small",
    "fig6_4": "example",
    **dict.fromkeys(["fig6_9", "fig6_10"], "gantt400"),
}
# Tables and figures that compare schedulers have a reader's own beside them in files of this ending.
OWN_MEANS = [f"{table}_own" for table in MEANS if config["policies"]]
OWN_COMPARISONS = [
    f"{figure}_own" for figure in chapter6.COMPARISONS if config["policies"]
]


include: "inputs.smk"


# Settings that are changed one at a time: title, and whom others are held against.
SETTINGS = {
    "beyond_estimates": {"title": "Without knowing run times"},
    "beyond_matching": {"title": "Which nodes a job takes"},
    "beyond_arrivals": {"title": "Jobs that arrive over time", "held_against": "EASY"},
}
if coexperiments("own"):
    SETTINGS["own"] = {"title": "Settings of one's own"}
BEYOND = [*SETTINGS, "beyond_pricing", "beyond_pairs"]
CAPTIONS = {
    **dict.fromkeys(ILLUSTRATIONS, "illustrations"),
    **dict.fromkeys(SCHEDULES, "schedules"),
    **dict.fromkeys([*MEANS, *OWN_MEANS], "means"),
    **dict.fromkeys([*chapter6.COMPARISONS, *OWN_COMPARISONS], "comparisons"),
    **dict.fromkeys(SETTINGS, "settings"),
}


PAGES[KELLARI] = {
    "title": "Co-scheduling algorithms for HPC applications",
    "authors": "M. Kellari",
    "venue": "NTUA 2025",
    "summary": (
        "Thirteen schedulers, eight of which let two jobs share nodes, on workloads of parallel "
        "benchmarks whose speed beside each other was measured."
    ),
    "tables": [*CHAPTER4, *MEANS, *OWN_MEANS, *HELD_AGAINST_PRINT, "beyond_pairs"],
    "unshown": BEYOND,
    "figures": [
        *(*ILLUSTRATIONS, *SCHEDULES, "fig4_6"),
        *(*chapter6.COMPARISONS, *OWN_COMPARISONS, *BEYOND),
    ],
    "texts": BEYOND,
    "elsewhere": [],
    "captions": CAPTIONS,
    "told_by": "table6_comparison beyond_pricing claims".split(),
    "thumbnail": "fig6_1",
    "results": [
        f"<results>/simulations/{KELLARI}/{row.experiment}.{SHEET}.parquet"
        for row in coexperiments("table6")
    ],
    "logs": [*pools_shown(), *logs_of_arrivals()],
}


include: "simulations.smk"
include: "tables.smk"
include: "figures.smk"
include: "beyond.smk"


rule kellari2025:
    """All tables and figures of kellari2025, and what goes beyond it."""
    input:
        files_of_paper(KELLARI),

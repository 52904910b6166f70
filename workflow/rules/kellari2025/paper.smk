"""Co-scheduling algorithms for HPC applications (NTUA 2025).

What is made of it, once: the target rule, the page and the names that the other rules allow.
"""

KELLARI = "kellari2025"
# Co-scheduled jobs that arrive as those of a log take its submit times alone.
ARRIVALS_CLEANING = "full_actual"
TABLE4_1 = of_workflow("resources/kellari2025/table4_1.tsv")
KELLARI_PUBLISHED = of_workflow("resources/kellari2025/published.tsv")
KELLARI_REASONS = of_workflow("resources/kellari2025/reasons.tsv")
CHAPTER4 = ["table4_1", "table4_1_comparison", "table4_2"]
CHAPTER6 = ["table6_1", "table6_2", "table6_comparison", "table6_readings"]
CHAPTER6 += ["orderings", "correlations_comparison", "claims"]
ILLUSTRATIONS = ["fig3_1", "fig5_1", "fig5_2", "fig5_3"]
SCHEDULES = [
    *(f"fig4_{number}" for number in range(1, 6)),
    "fig6_4",
    "fig6_9",
    "fig6_10",
]
COMPARISONS = [f"fig6_{number}" for number in (1, 2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15)]


# Settings that are changed one at a time: title, and whom others are held against.
SETTINGS = {
    "beyond_estimates": ("Without knowing run times", None),
    "beyond_matching": ("Which nodes a job takes", None),
    "beyond_arrivals": ("Jobs that arrive over time", "EASY"),
}
BEYOND = [*SETTINGS, "beyond_pricing", "beyond_pairs"]
SETTINGS |= {"own": ("Settings of one's own", None)}


include: "inputs.smk"


PAGES[KELLARI] = {
    "title": "Co-scheduling algorithms for HPC applications",
    "authors": "M. Kellari",
    "venue": "NTUA 2025",
    "summary": (
        "Thirteen schedulers, eight of which let two jobs share nodes, on workloads of parallel "
        "benchmarks whose speed beside each other was measured."
    ),
    "tables": [*CHAPTER4, *CHAPTER6, "beyond_pairs"],
    "unshown": [*BEYOND, *(["own"] if coexperiments("own") else [])],
    "figures": [*ILLUSTRATIONS, *SCHEDULES, "fig4_6", *COMPARISONS, *BEYOND],
    "texts": BEYOND,
    "elsewhere": [],
    "captions": dict.fromkeys(ILLUSTRATIONS[1:], "fig5")
    | dict.fromkeys(["fig6_9", "fig6_10"], "gantt")
    | dict.fromkeys([f"fig6_{number}" for number in (1, 2, 3, 5, 6, 7, 8)], "boxes")
    | dict.fromkeys([f"fig6_{number}" for number in (11, 12, 13)], "front")
    | dict.fromkeys(["fig6_14", "fig6_15"], "correlation"),
    "logs": [*pools_shown(), *logs_of_arrivals()],
}


include: "simulations.smk"
include: "tables.smk"
include: "beyond.smk"


wildcard_constraints:
    coitem=one_of({row.item for row in EXPERIMENTS[KELLARI].values()}),


rule kellari2025:
    """All tables and figures of kellari2025, and what goes beyond it."""
    input:
        files_of_paper(KELLARI),

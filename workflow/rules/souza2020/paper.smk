"""ASA – The Adaptive Scheduling Architecture (HPDC 2020).

What is made of it, once: the target rule, the page and the names that the other rules allow.
"""

SOUZA = "souza2020"
SUBMITTED = f"<results>/simulations/{SOUZA}/{{experiment}}"
SHAPES = of_workflow("resources/souza2020/shapes.tsv")
SOUZA_PUBLISHED = of_workflow("resources/souza2020/published.tsv")
SOUZA_REASONS = of_workflow("resources/souza2020/reasons.tsv")
RUN_TABLES = [
    "table1",
    "table1_comparison",
    "averages",
    "arithmetic_comparison",
    "percentages",
    "text",
    "spread",
]
SERIES_TABLES = ["table2", "table2_comparison"]
MAKESPANS = ["fig6", "fig7", "fig8"]
DIAGRAMS = ["fig1", "fig2", "fig3", "fig4"]
SOUZA_CAPTIONS = dict.fromkeys(MAKESPANS, "makespans") | {
    "beyond_rates_runs": "beyond_rates"
}


include: "inputs.smk"


PAGES[SOUZA] = {
    "title": "ASA – The Adaptive Scheduling Architecture",
    "authors": "A. Souza, K. Pelckmans, D. Ghoshal, L. Ramakrishnan and J. Tordsson",
    "venue": "HPDC 2020",
    "summary": (
        "Workflows whose stages are submitted before they are needed, as early as a learner of "
        "waiting times says, held against one job for all of them and against stage by stage."
    ),
    "tables": [
        *RUN_TABLES,
        *SERIES_TABLES,
        "ratios",
        *("fig5_steps", "theorem1_kept", "claims"),
        *(
            "calibration",
            "beyond_rates",
            "beyond_rates_runs",
            "beyond_predictors",
            "waits",
        ),
    ],
    "unshown": [],
    "figures": [
        *DIAGRAMS,
        "fig5",
        *MAKESPANS,
        "theorem1",
        "calibration",
        "beyond_rates",
        "beyond_predictors",
        "waits",
    ],
    "texts": ["claims", "ratios", "beyond_rates", "beyond_predictors", "waits"],
    "elsewhere": [],
    "captions": SOUZA_CAPTIONS,
    "told_by": "arithmetic_comparison text claims".split(),
    "thumbnail": "fig1",
    "results": made_of("table1", "stages"),
    "logs": (
        []
        if config["source"] == "models"
        else sorted({row.source for row in EXPERIMENTS[SOUZA].values()})
    ),
}


include: "simulations.smk"
include: "tables.smk"
include: "figures.smk"
include: "beyond.smk"


rule souza2020:
    """All tables and figures of souza2020, and what goes beyond it."""
    input:
        files_of_paper(SOUZA),

"""Planning and Metaheuristic Optimization in Production Job Scheduler (JSSPP 2016).

What is made of it, once: the target rule, the page and the names that the other rules allow.
"""

from schedlab.papers.klusacek2016.sheet import RECORDED_WAITS

KLUSACEK = "klusacek2016"
PLANNED = f"<results>/simulations/{KLUSACEK}/{{experiment}}"
CONTENTION = f"<results>/simulations/{KLUSACEK}/contention/{{source}}.parquet"
MACHINES = here_or_of_workflow("config/machines.tsv")
KLUSACEK_PUBLISHED = of_workflow("resources/klusacek2016/published.tsv")
KLUSACEK_REASONS = of_workflow("resources/klusacek2016/reasons.tsv")
# Of whose runs plans are kept and searched by others than Random Search.
SEARCHED = "cerit_recorded_aggregate"
MOVES = f"<results>/simulations/{KLUSACEK}/moves.parquet"
SETS_TABLES = ["table1", "table1_comparison", "table1_periods"]
READINGS_TABLES = ["table1_readings", "table1_joint"]
WHOLE_LOGS = ["fig1", "fig2", "fig3", "fig6", "fig7", "fig8"]
# Arrivals at which planning is timed.
ARRIVALS = 400


include: "inputs.smk"


# Whole logs planned by node, as the paper plans: with recorded users, and with users that react.
BY_NODE = [
    next(
        row.experiment
        for row in plans_of("means")
        if (row.mode, row.users) == ("nodes", users)
    )
    for users in ("recorded", "reacting")
]


PAGES[KLUSACEK] = {
    "title": "Planning and metaheuristic optimization in production job scheduler",
    "authors": "D. Klusáček and V. Chlumský",
    "venue": "JSSPP 2016",
    "summary": (
        "A scheduler that plans every job ahead and improves its plan by random search, held "
        "against queues with backfilling, with users who react to how long they wait."
    ),
    "tables": [
        *(*SETS_TABLES, *READINGS_TABLES),
        *("means", "baselines", "text", "claims"),
        *("beyond_search", "beyond_budget", "beyond_waits"),
        *(["own"] if plans_of("own") else []),
    ],
    "unshown": [],
    "figures": [
        *("fig1", "fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8"),
        "beyond_search",
    ],
    "texts": ["claims", "beyond_search"],
    "elsewhere": [],
    "captions": dict.fromkeys(WHOLE_LOGS, "runs") | {"own": "means"},
    "told_by": "table1_periods beyond_search claims".split(),
    "thumbnail": "fig5",
    "results": ran("means", "starts"),
    "logs": (
        []
        if config["source"] == "models"
        else sorted({row.source for row in EXPERIMENTS[KLUSACEK].values()})
    ),
}


include: "simulations.smk"
include: "tables.smk"
include: "figures.smk"
include: "beyond.smk"


rule klusacek2016:
    """All tables and figures of klusacek2016, and what goes beyond it."""
    input:
        files_of_paper(KLUSACEK),

"""Planning and Metaheuristic Optimization in Production Job Scheduler (JSSPP 2016).

What is made of it, once: the target rule, the page and the names that the other rules allow.
"""

KLUSACEK = "klusacek2016"
PLANNED = f"<results>/simulations/{KLUSACEK}/{{experiment}}"
MACHINES = of_workflow("resources/klusacek2016/machines.tsv")
KLUSACEK_PUBLISHED = of_workflow("resources/klusacek2016/published.tsv")
KLUSACEK_REASONS = of_workflow("resources/klusacek2016/reasons.tsv")


include: "inputs.smk"


PAGES[KLUSACEK] = {
    "title": "Planning and metaheuristic optimization in production job scheduler",
    "authors": "D. Klusáček and V. Chlumský",
    "venue": "JSSPP 2016",
    "summary": (
        "A scheduler that plans every job ahead and improves its plan by random search, held "
        "against queues with backfilling, with users who react to how long they wait."
    ),
    "tables": [],
    "unshown": [],
    "figures": [],
    "texts": [],
    "elsewhere": [],
    "captions": {},
    "results": ran("means", "starts"),
    "logs": (
        []
        if config["source"] == "models"
        else sorted({row.source for row in EXPERIMENTS[KLUSACEK].values()})
    ),
}


include: "simulations.smk"


rule klusacek2016:
    """All tables and figures of klusacek2016, and what goes beyond it."""
    input:
        files_of_paper(KLUSACEK),
        ran("table1", "starts"),
        ran("readings", "starts"),
        ran("means", "starts"),

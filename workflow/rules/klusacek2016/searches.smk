"""Cost of plans and results of searches: moves, times, stored plans."""


rule keep_moves:
    """Store the accepted moves of Random Search in one run."""
    input:
        jobs=jobs_of_row(FIRST_BY_NODE),
    output:
        moves=MOVES,
    log:
        "<logs>/keep_moves.log",
    benchmark:
        "<benchmarks>/keep_moves.tsv"
    group:
        "long"
    resources:
        **measured("keep_moves"),
    params:
        settings=FIRST_BY_NODE.settings,
        machine=clusters_of(FIRST_BY_NODE, MACHINES),
    message:
        "Keeping accepted moves"
    script:
        "../../scripts/klusacek2016/keep_moves.py"


rule time_plans:
    """Measure how long planning takes on this machine: figure 5."""
    input:
        jobs=jobs_of_row(FIRST_BY_NODE),
    output:
        **files_of_rule(KLUSACEK, "time_plans"),
    log:
        "<logs>/time_plans.log",
    benchmark:
        "<benchmarks>/time_plans.tsv"
    resources:
        **measured("time_plans"),
    params:
        settings=FIRST_BY_NODE.settings,
        machine=clusters_of(FIRST_BY_NODE, MACHINES),
        arrivals=ARRIVALS,
        title=f"{FIRST_BY_NODE.workload}, {FIRST_BY_NODE.label}",
    message:
        "Timing plans"
    script:
        "../../scripts/klusacek2016/time_plans.py"


rule search_plans:
    """Store plans of an experiment, and search each by every rule with increasing budgets."""
    input:
        jobs=jobs_of_plans,
    output:
        searches=f"{PLANNED}.searches.parquet",
    log:
        "<logs>/search_plans/{experiment}.log",
    benchmark:
        "<benchmarks>/search_plans/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[KLUSACEK]),
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("search_plans"),
    params:
        **config[KLUSACEK]["searches"],
        settings=settings_of_plans,
        machine=machine_of_plans,
    message:
        "Searching kept plans of {wildcards.experiment}"
    script:
        "../../scripts/klusacek2016/search_plans.py"

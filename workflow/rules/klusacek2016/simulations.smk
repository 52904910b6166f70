"""From logs to schedules of plan-based machines: results/simulations/klusacek2016/."""


rule simulate_contention:
    """Simulate a whole log under Orig-BF; its waits determine the busy intervals."""
    input:
        jobs=lambda wildcards: jobs_of_row(row_of_log(wildcards)),
    output:
        waits=CONTENTION,
    log:
        "<logs>/simulate_contention/{source}.log",
    benchmark:
        "<benchmarks>/simulate_contention/{source}.tsv"
    group:
        "long"
    resources:
        **measured("simulate_contention"),
    params:
        memory=lambda wildcards: row_of_log(wildcards).memory,
        machine=lambda wildcards: clusters_of(row_of_log(wildcards), MACHINES),
    message:
        "Looking for busy intervals of {wildcards.source}"
    script:
        "../../scripts/klusacek2016/simulate_contention.py"


rule simulate_plans:
    """Run Orig-BF and Plan-RS on the jobs of an experiment; an interrupted job resumes by run."""
    input:
        jobs=jobs_of_plans,
        waits=waits_of_plans,
    output:
        starts=f"{PLANNED}.starts.parquet",
        jobs=f"{PLANNED}.jobs.parquet",
        counts=f"{PLANNED}.counts.parquet",
        refused=f"{PLANNED}.refused.parquet",
    log:
        "<logs>/simulate_plans/{experiment}.log",
    benchmark:
        "<benchmarks>/simulate_plans/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[KLUSACEK]),
    group:
        "plan"
    threads: threads_of_job
    resources:
        **measured("simulate_plans"),
    params:
        settings=settings_of_plans,
        machine=machine_of_plans,
    message:
        "Planning {wildcards.experiment}"
    script:
        "../../scripts/klusacek2016/simulate_plans.py"


rule simulate_periods:
    """Run Orig-BF and Plan-RS on many busy intervals of a log."""
    input:
        jobs=jobs_of_plans,
        waits=waits_of_plans,
    output:
        runs=f"{PLANNED}.periods.parquet",
    log:
        "<logs>/simulate_periods/{experiment}.log",
    benchmark:
        "<benchmarks>/simulate_periods/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[KLUSACEK]),
    group:
        "plan"
    threads: threads_of_job
    resources:
        **measured("simulate_periods", mem_mb=2000, minutes=60),
    params:
        settings=settings_of_plans,
        machine=machine_of_plans,
    message:
        "Planning many busy intervals: {wildcards.experiment}"
    script:
        "../../scripts/klusacek2016/simulate_periods.py"

"""Run every scheduler over a log, one job a log, and evaluate the recorded schedules.

Results go to results/simulations/arena/.
"""


rule compare_schedulers:
    """Run every scheduler once over a log; plan-based schedulers take most of the time."""
    input:
        jobs=jobs_of_contest,
        learned=learned_of_contest,
        functions=files_of_schedulers,
        networks=lambda wildcards: [*networks_of(contest(wildcards)).values()],
    output:
        metrics=f"{FOUGHT}.parquet",
        facts=f"{FOUGHT}.facts.parquet",
        losers=f"{FOUGHT}.losers.parquet",
        guards=f"{FOUGHT}.guards.parquet",
    log:
        "<logs>/compare_schedulers/{contest}.log",
    benchmark:
        "<benchmarks>/compare_schedulers/{contest}.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("compare_schedulers"),
    params:
        settings=settings_of_contest,
        own=lambda wildcards: schedulers_beyond(contest(wildcards)),
        points=config["arena"]["points"],
        advice=config["advice"],
    message:
        "Comparing schedulers on {wildcards.contest}"
    script:
        "../../scripts/arena/compare_schedulers.py"


rule measure_recorded:
    """Compute the metrics of all logs' recorded schedules on the same windows, in one job."""
    input:
        jobs=[jobs_of_workload(row.source, row.cleaning) for row in recorded_contests()],
        raw=[f"resources/raw/{row.source}.swf" for row in recorded_contests()],
    output:
        metrics=RECORDED,
    log:
        "<logs>/measure_recorded.log",
    benchmark:
        "<benchmarks>/measure_recorded.tsv"
    group:
        "long"
    resources:
        **measured("measure_recorded"),
    params:
        settings=[row.settings for row in recorded_contests()],
    message:
        "Measuring what the logs have recorded"
    script:
        "../../scripts/arena/measure_recorded.py"

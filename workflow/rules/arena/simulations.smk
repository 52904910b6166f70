"""Every scheduler over a log, one job a log, and what logs say was done themselves.

To results/simulations/arena/.
"""


rule fight:
    """Run every scheduler once over a log; plans are most of the time."""
    input:
        jobs=jobs_of_contest,
        learned=learned_of_contest,
        functions=files_of_schedulers,
    output:
        metrics=f"{FOUGHT}.parquet",
        facts=f"{FOUGHT}.facts.parquet",
        losers=f"{FOUGHT}.losers.parquet",
        guards=f"{FOUGHT}.guards.parquet",
    log:
        "<logs>/fight/{contest}.log",
    benchmark:
        "<benchmarks>/fight/{contest}.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        **measured("fight"),
    params:
        settings=settings_of_contest,
        own=config["policies"] | config["arena"]["schedulers"],
        points=config["arena"]["points"],
        advice=config["advice"],
    message:
        "Fighting over {wildcards.contest}"
    script:
        "../../scripts/arena/fight.py"


rule record:
    """Measure the schedules that the logs have recorded on the same windows, all in one job."""
    input:
        jobs=[jobs_of_workload(row.source, row.cleaning) for row in recorded_contests()],
        raw=[f"resources/raw/{row.source}.swf" for row in recorded_contests()],
    output:
        metrics=RECORDED,
    log:
        "<logs>/record.log",
    benchmark:
        "<benchmarks>/record.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
    resources:
        **measured("record"),
    params:
        settings=[row.settings for row in recorded_contests()],
    message:
        "Measuring what the logs have recorded"
    script:
        "../../scripts/arena/record.py"

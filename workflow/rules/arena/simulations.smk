"""Every scheduler on the windows of a log, one job a log: results/simulations/arena/."""


rule fight:
    """Run every scheduler on every window of a log; plans are most of the time."""
    input:
        jobs=jobs_of_contest,
        learned="<results>/policies/learned.csv",
    output:
        metrics=f"{FOUGHT}.parquet",
        facts=f"{FOUGHT}.facts.parquet",
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
        own=config["policies"],
        points=config["arena"]["points"],
    message:
        "Fighting over {wildcards.contest}"
    script:
        "../../scripts/arena/fight.py"

"""From logs to waits of workflows: results/simulations/souza2020/."""


rule calibrate_background:
    """Search the load at which Big Jobs wait as published; the result is kept in the sheet."""
    input:
        jobs=jobs_behind,
        shapes=SHAPES,
        published=SOUZA_PUBLISHED,
    output:
        tried=f"{SUBMITTED}.calibration.parquet",
    log:
        "<logs>/calibrate_background/{experiment}.log",
    benchmark:
        "<benchmarks>/calibrate_background/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[SOUZA]),
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("calibrate_background", mem_mb=2000, minutes=60),
    params:
        settings=settings_of_calibration,
        size=size_behind,
        practice=config[SOUZA]["practice"],
        search=search_of,
    message:
        "Calibrating the background of {wildcards.experiment}"
    script:
        "../../scripts/souza2020/calibrate.py"


rule run_workflows:
    """Submit the workflows with every strategy and every estimator, at all instants."""
    input:
        jobs=jobs_behind,
        shapes=SHAPES,
    output:
        stages=f"{SUBMITTED}.stages.parquet",
    log:
        "<logs>/run_workflows/{experiment}.log",
    benchmark:
        "<benchmarks>/run_workflows/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[SOUZA]),
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("run_workflows"),
    params:
        settings=settings_of_workflows,
        size=size_behind,
        learning=config[SOUZA]["learning"],
        practice=config[SOUZA]["practice"],
        ways=ways_of_workflows,
    message:
        "Submitting workflows: {wildcards.experiment}"
    script:
        "../../scripts/souza2020/run_workflows.py"


use rule run_workflows as run_pools with:
    output:
        stages=f"{SUBMITTED}.pools.parquet",
    log:
        "<logs>/run_pools/{experiment}.log",
    benchmark:
        "<benchmarks>/run_pools/{experiment}.tsv"
    resources:
        **measured("run_pools", mem_mb=1000, minutes=10),
    params:
        settings=settings_of_workflows,
        size=size_behind,
        learning=config[SOUZA]["learning"],
        practice=config[SOUZA]["practice"],
        ways="pools",
    message:
        "Sharing tasks in pools: {wildcards.experiment}"


rule run_series:
    """Submit each workflow repeatedly, a minute apart and over weeks."""
    input:
        jobs=jobs_behind,
        shapes=SHAPES,
    output:
        stages=f"{SUBMITTED}.series.parquet",
    log:
        "<logs>/run_series/{experiment}.log",
    benchmark:
        "<benchmarks>/run_series/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[SOUZA]),
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("run_series", mem_mb=2000, minutes=60),
    params:
        settings=settings_of_workflows,
        size=size_behind,
        learning=config[SOUZA]["learning"],
        practice=config[SOUZA]["practice"],
        submissions=config[SOUZA]["submissions"],
    message:
        "Submitting series: {wildcards.experiment}"
    script:
        "../../scripts/souza2020/run_series.py"

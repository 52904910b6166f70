"""A window of each log, and its replays on a real Slurm: results/simulations/referee/."""


rule cut_window:
    """Choose a window of a log and scale it to a small machine."""
    input:
        jobs=jobs_of_log,
    output:
        jobs=f"{WINDOW}.parquet",
        facts=f"{WINDOW}.facts.parquet",
    log:
        "<logs>/cut_window/{log}.log",
    benchmark:
        "<benchmarks>/cut_window/{log}.tsv"
    group:
        "prepare"
    resources:
        mem_mb=mb(1000),
        runtime=minutes_of(5),
    params:
        processors=lambda wildcards: LOGS[wildcards.log].processors,
    message:
        "Cutting the window of {wildcards.log}"
    script:
        "../../scripts/referee/cut_window.py"


rule replay_window:
    """Schedule a window on a real Slurm, which is started for it alone, as root, on Debian."""
    input:
        jobs=f"{WINDOW}.parquet",
    output:
        jobs=f"{REPLAY}.parquet",
    log:
        messages="<logs>/replay_window/{log}.{order}.{repetition}.log",
        slurm="<logs>/replay_window/{log}.{order}.{repetition}.slurm.log",
    benchmark:
        "<benchmarks>/replay_window/{log}.{order}.{repetition}.tsv"
    wildcard_constraints:
        order=one_of(REFEREE_SETTINGS),
        repetition=r"\d+",
    localrule: True
    threads: 1
    resources:
        mem_mb=mb(2000),
        runtime=minutes_of(30),
    params:
        factor=config["referee"]["factor"],
    message:
        "A real Slurm has {wildcards.log} by {wildcards.order}, repetition {wildcards.repetition}"
    script:
        "../../scripts/referee/replay_window.py"

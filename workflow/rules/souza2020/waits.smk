"""Beyond souza2020: wait predictors on every job of logs."""


rule predict_waits_of_log:
    """Predict the wait of every job of a log at its submission."""
    input:
        jobs=jobs_with_waits,
    output:
        predicted="<results>/simulations/souza2020/waits/{source}.parquet",
    log:
        "<logs>/predict_waits_of_log/{source}.log",
    benchmark:
        "<benchmarks>/predict_waits_of_log/{source}.tsv"
    wildcard_constraints:
        source=one_of(WAIT_ROWS),
    group:
        "long"
    resources:
        **measured("predict_waits_of_log", mem_mb=2000, minutes=30),
    params:
        settings=lambda wildcards: WAIT_ROWS[wildcards.source].settings,
        size=lambda wildcards: size_of_source(wildcards.source),
        learning=config[SOUZA]["learning"],
        forks=config[SOUZA]["waits"]["forks"],
    message:
        "Predicting the waits of every job of {wildcards.source}"
    script:
        "../../scripts/souza2020/predict_waits.py"


rule score_waits:
    """Score the predictors of waits on the logs."""
    input:
        by_log=expand(rules.predict_waits_of_log.output, source=WAIT_ROWS),
    output:
        **files_of_rule(SOUZA, "score_waits"),
        predicted="<results>/simulations/souza2020/waits.predicted.parquet",
    log:
        "<logs>/score_waits.log",
    benchmark:
        "<benchmarks>/score_waits.tsv"
    group:
        "figures"
    resources:
        **measured("score_waits", mem_mb=2000, minutes=10),
    params:
        names={source: row.workload for source, row in WAIT_ROWS.items()},
        words=words_of_rule(SOUZA, "score_waits"),
    message:
        "Scoring the predictors of waits"
    script:
        "../../scripts/souza2020/score_waits.py"

"""Beyond souza2020: wait predictors on every job of logs."""


rule score_waits:
    """Predict the wait of every job of the logs at its submission, and score the predictors."""
    input:
        jobs=[jobs_of_workload(row.source, row.cleaning) for row in rows_of_waits()],
    output:
        predicted="<results>/simulations/souza2020/waits.predicted.parquet",
        csv=reported(SOUZA, "score_waits", "<results>/figures/souza2020/waits.csv"),
        md="<results>/figures/souza2020/waits.md",
        txt="<results>/figures/souza2020/waits.txt",
        pdf="<results>/figures/souza2020/waits.pdf",
        png=reported(SOUZA, "score_waits", "<results>/figures/souza2020/waits.png"),
    log:
        "<logs>/score_waits.log",
    benchmark:
        "<benchmarks>/score_waits.tsv"
    group:
        "long"
    resources:
        **measured("score_waits", mem_mb=2000, minutes=30),
    params:
        settings=[row.settings for row in rows_of_waits()],
        sizes=[size_of_source(row.source) for row in rows_of_waits()],
        learning=config[SOUZA]["learning"],
        forks=config[SOUZA]["waits"]["forks"],
    message:
        "Predicting the waits of every job of logs"
    script:
        "../../scripts/souza2020/score_waits.py"

"""Beyond souza2020: other rates, other estimates of waits."""


rule show_rates:
    """Algorithm 1 with falling rates."""
    input:
        stages=made_of("table1", "stages"),
        series=made_of("table2", "series"),
        games="<results>/figures/souza2020/theorem1_kept.csv",
    output:
        **files_of_souza2020(["beyond_rates", "beyond_rates_runs"], "Beyond the paper"),
        txt="<results>/figures/souza2020/beyond_rates.txt",
        pdf="<results>/figures/souza2020/beyond_rates.pdf",
        png=report(
            "<results>/figures/souza2020/beyond_rates.png",
            caption="../../report/souza2020/beyond_rates.rst",
            category=SOUZA,
            subcategory="Beyond the paper",
            labels={"figure": "beyond_rates"},
        ),
    log:
        "<logs>/show_rates.log",
    benchmark:
        "<benchmarks>/show_rates.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("show_rates", mem_mb=2000, minutes=10),
    params:
        rows=facts_of("table1", "table2"),
        learning=config[SOUZA]["learning"],
        convergence=config[SOUZA]["convergence"],
    message:
        "Showing Algorithm 1 with falling rates"
    script:
        "../../scripts/souza2020/show_rates.py"


rule show_predictors:
    """The same strategies with other estimates."""
    input:
        stages=made_of("table1", "stages"),
    output:
        csv=report(
            "<results>/figures/souza2020/beyond_predictors.csv",
            caption="../../report/souza2020/beyond_predictors.rst",
            category=SOUZA,
            subcategory="Beyond the paper",
            labels={"table": "beyond_predictors"},
        ),
        md="<results>/figures/souza2020/beyond_predictors.md",
        txt="<results>/figures/souza2020/beyond_predictors.txt",
        pdf="<results>/figures/souza2020/beyond_predictors.pdf",
        png=report(
            "<results>/figures/souza2020/beyond_predictors.png",
            caption="../../report/souza2020/beyond_predictors.rst",
            category=SOUZA,
            subcategory="Beyond the paper",
            labels={"figure": "beyond_predictors"},
        ),
    log:
        "<logs>/show_predictors.log",
    benchmark:
        "<benchmarks>/show_predictors.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("show_predictors", mem_mb=2000, minutes=10),
    params:
        rows=facts_of("table1"),
    message:
        "Showing predictors of waits"
    script:
        "../../scripts/souza2020/show_predictors.py"


rule score_waits:
    """Every job of the logs predicted at its submission, a minute or two for all, and scored."""
    input:
        jobs=[jobs_of_workload(row.source, row.cleaning) for row in rows_of_waits()],
    output:
        predicted="<results>/simulations/souza2020/waits.predicted.parquet",
        csv=report(
            "<results>/figures/souza2020/waits.csv",
            caption="../../report/souza2020/waits.rst",
            category=SOUZA,
            subcategory="Beyond the paper",
            labels={"table": "waits"},
        ),
        md="<results>/figures/souza2020/waits.md",
        txt="<results>/figures/souza2020/waits.txt",
        pdf="<results>/figures/souza2020/waits.pdf",
        png=report(
            "<results>/figures/souza2020/waits.png",
            caption="../../report/souza2020/waits.rst",
            category=SOUZA,
            subcategory="Beyond the paper",
            labels={"figure": "waits"},
        ),
    log:
        "<logs>/score_waits.log",
    benchmark:
        "<benchmarks>/score_waits.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
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

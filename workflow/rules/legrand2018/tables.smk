"""Tables, claims and online learners of legrand2018: results/figures/legrand2018/."""


rule make_trace_facts:
    """Table 1: the traces by weeks, and other ways to read how weeks are cut."""
    input:
        **raw_logs_of_weeks(),
        pieces=[pieces_of(row) for row in rows_by("weeks")],
        published=PUBLISHED_LEGRAND,
    output:
        csv=report(
            f"{MADE}/table1.csv",
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "table1"},
        ),
        md=f"{MADE}/table1.md",
        readings_csv=f"{MADE}/table1_readings.csv",
        readings_md=f"{MADE}/table1_readings.md",
    log:
        "<logs>/make_trace_facts.log",
    benchmark:
        "<benchmarks>/make_trace_facts.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes(10),
    params:
        rows=[cells_of(row) for row in rows_by("weeks")],
    message:
        "Writing Table 1 of legrand2018"
    script:
        "../../scripts/legrand2018/make_trace_facts.py"


rule make_train_test:
    """Table 2: sums over the training and the testing weeks."""
    input:
        surface=MIXED.format(periods=SHOWN) + ".deviation.surface.parquet",
        pure=MIXED.format(periods=SHOWN) + ".pure.parquet",
    output:
        csv=report(
            f"{MADE}/table2.csv",
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "table2"},
        ),
        md=f"{MADE}/table2.md",
    log:
        "<logs>/make_train_test.log",
    benchmark:
        "<benchmarks>/make_train_test.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        row=cells_of(EXPERIMENTS[LEGRAND][SHOWN]),
    message:
        "Writing Table 2 of legrand2018"
    script:
        "../../scripts/legrand2018/make_train_test.py"


rule make_thresholds:
    """Tables 3 to 6: sums over all weeks, threshold by threshold."""
    input:
        pure=files_by_item("thresholds_item", f"{MIXED}.pure.parquet"),
    output:
        csv=report(
            collect(f"{MADE}/{{table}}.csv", table=THRESHOLD_TABLES),
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
        ),
        md=collect(f"{MADE}/{{table}}.md", table=THRESHOLD_TABLES),
    log:
        "<logs>/make_thresholds.log",
    benchmark:
        "<benchmarks>/make_thresholds.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        rows=rows_by_item("thresholds_item"),
    message:
        "Writing Tables 3 to 6 of legrand2018"
    script:
        "../../scripts/legrand2018/make_thresholds.py"


rule make_longest:
    """Table 7: the jobs that ran longest."""
    input:
        **log_of_longest_jobs(),
    output:
        csv=report(
            f"{MADE}/table7.csv",
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "table7"},
        ),
        md=f"{MADE}/table7.md",
    log:
        "<logs>/make_longest.log",
    benchmark:
        "<benchmarks>/make_longest.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        row=cells_of(EXPERIMENTS[LEGRAND][SHOWN]),
    message:
        "Writing Table 7 of legrand2018"
    script:
        "../../scripts/legrand2018/make_longest.py"


rule compare_columns:
    """Every number of the tables, published and ours, with verdicts and rank correlations."""
    input:
        tables=collect(f"{MADE}/{{table}}.csv", table=COMPARED),
        published=PUBLISHED_LEGRAND,
        suspects=SUSPECTS_LEGRAND,
        reasons=REASONS_LEGRAND,
    output:
        csv=report(
            collect(f"{MADE}/{{table}}_comparison.csv", table=COMPARED),
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
        ),
        md=collect(f"{MADE}/{{table}}_comparison.md", table=COMPARED),
        ranks_csv=report(
            f"{MADE}/ranks.csv",
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "ranks"},
        ),
        ranks_md=f"{MADE}/ranks.md",
    log:
        "<logs>/compare_columns.log",
    benchmark:
        "<benchmarks>/compare_columns.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        items_compared=COMPARED,
    message:
        "Comparing the tables with legrand2018"
    script:
        "../../scripts/legrand2018/compare_columns.py"


rule check_claims:
    """Hold what the paper says in words against what was simulated."""
    input:
        surfaces=files_by("weeks", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by("weeks", f"{MIXED}.pure.parquet"),
        searches=files_by("weeks", f"{MIXED}.search.parquet"),
    output:
        csv=report(
            f"{MADE}/claims.csv",
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "claims"},
        ),
        md=f"{MADE}/claims.md",
        txt=f"{MADE}/claims.txt",
    log:
        "<logs>/check_claims.log",
    benchmark:
        "<benchmarks>/check_claims.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        rows=[cells_of(row) for row in rows_by("weeks")],
    message:
        "Checking what legrand2018 says"
    script:
        "../../scripts/legrand2018/check_claims.py"


rule make_sensitivity:
    """How much hinges on scaling and on the settings of the search."""
    input:
        scaled=f"{MIXED.format(periods=SENSITIVE)}.deviation.surface.parquet",
        unscaled=f"{MIXED.format(periods=SENSITIVE)}.none.surface.parquet",
        pure=f"{MIXED.format(periods=SENSITIVE)}.pure.parquet",
        search=f"{MIXED.format(periods=SENSITIVE)}.search.parquet",
        varied=f"{MIXED.format(periods=SENSITIVE)}.varied.parquet",
    output:
        csv=report(
            f"{MADE}/sensitivity.csv",
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "sensitivity"},
        ),
        md=f"{MADE}/sensitivity.md",
    log:
        "<logs>/make_sensitivity.log",
    benchmark:
        "<benchmarks>/make_sensitivity.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        row=cells_of(EXPERIMENTS[LEGRAND][SENSITIVE]),
    message:
        "Writing the sensitivity of legrand2018"
    script:
        "../../scripts/legrand2018/make_sensitivity.py"


rule learn_online:
    """Let online learners meet the weeks of each trace in order."""
    input:
        surfaces=files_by("weeks", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by("weeks", f"{MIXED}.pure.parquet"),
    output:
        learned=f"<results>/simulations/{LEGRAND}/online.parquet",
        csv=report(
            f"{MADE}/online.csv",
            caption="../../report/legrand2018/tables.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "online"},
        ),
        md=f"{MADE}/online.md",
        txt=f"{MADE}/online.txt",
        figure_csv=f"{MADE}/fig_online.csv",
        pdf=f"{MADE}/fig_online.pdf",
        png=report(
            f"{MADE}/fig_online.png",
            caption="../../report/legrand2018/fig_online.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig_online"},
        ),
    log:
        "<logs>/learn_online.log",
    benchmark:
        "<benchmarks>/learn_online.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        rows=[cells_of(row) for row in rows_by("weeks")],
        windows=config["legrand2018"]["online"]["windows"],
        repetitions=config["legrand2018"]["online"]["repetitions"],
    message:
        "Learning online"
    script:
        "../../scripts/legrand2018/learn_online.py"

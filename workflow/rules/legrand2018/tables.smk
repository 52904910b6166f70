"""Tables, claims and online learners of legrand2018: results/figures/legrand2018/."""


rule make_trace_facts:
    """Table 1: the traces by weeks."""
    input:
        jobs=[jobs_of(row) for row in rows_by("weeks")],
    output:
        csv=report(
            f"{MADE}/table1.csv",
            caption="../../report/legrand2018/table1.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "table1"},
        ),
        md=f"{MADE}/table1.md",
    log:
        "<logs>/make_trace_facts.log",
    benchmark:
        "<benchmarks>/make_trace_facts.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_trace_facts"),
    params:
        rows=[cells_of(row) for row in rows_by("weeks")],
        told=told_of("table1"),
    message:
        "Writing Table 1 of legrand2018"
    script:
        "../../scripts/legrand2018/make_trace_facts.py"


rule make_train_test:
    """Table 2: sums over the training and the testing weeks."""
    input:
        surface=file_of_item(f"{MIXED}.deviation.surface.parquet"),
        pure=runs_of_item,
    output:
        csv=report(
            f"{MADE}/{{item}}.csv",
            caption="../../report/legrand2018/table2.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "{item}"},
        ),
        md=f"{MADE}/{{item}}.md",
    log:
        "<logs>/make_train_test/{item}.log",
    benchmark:
        "<benchmarks>/make_train_test/{item}.tsv"
    wildcard_constraints:
        item=one_of(with_own("table2")),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_train_test"),
    params:
        row=row_of_item,
        told=told_of_item,
        own=own_of_item,
    message:
        "Writing {wildcards.item} of legrand2018"
    script:
        "../../scripts/legrand2018/make_train_test.py"


rule make_coverings:
    """What the searched weights of Table 2 come to, by scaling and threshold."""
    input:
        surfaces=[surface_of(SHOWN, *covering) for covering in COVERINGS],
        pure=f"{MIXED.format(periods=SHOWN)}.pure.parquet",
        published=PUBLISHED_LEGRAND,
    output:
        csv=report(
            f"{MADE}/coverings.csv",
            caption="../../report/legrand2018/coverings.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "coverings"},
        ),
        md=f"{MADE}/coverings.md",
    log:
        "<logs>/make_coverings.log",
    benchmark:
        "<benchmarks>/make_coverings.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_coverings", mem_mb=1000, minutes=10),
    params:
        row=cells_of(EXPERIMENTS[LEGRAND][SHOWN]),
        coverings=COVERINGS,
        told=told_of("coverings"),
    message:
        "Holding the coverings of legrand2018 against its Table 2"
    script:
        "../../scripts/legrand2018/make_coverings.py"


rule make_thresholds:
    """Tables 3 to 6: sums over all weeks, threshold by threshold."""
    input:
        pure=runs_of_item,
    output:
        csv=report(
            f"{MADE}/{{item}}.csv",
            caption="../../report/legrand2018/thresholds.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "{item}"},
        ),
        md=f"{MADE}/{{item}}.md",
    log:
        "<logs>/make_thresholds/{item}.log",
    benchmark:
        "<benchmarks>/make_thresholds/{item}.tsv"
    wildcard_constraints:
        item=one_of(with_own(*THRESHOLD_TABLES)),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_thresholds", mem_mb=1000, minutes=10),
    params:
        row=row_of_item,
        told=told_of_item,
        own=own_of_item,
    message:
        "Writing {wildcards.item} of legrand2018"
    script:
        "../../scripts/legrand2018/make_thresholds.py"


rule make_conclusions:
    """Which conclusions of Tables 3 to 6 hang on how they were run."""
    input:
        run=[f"{MADE}/{row.thresholds_item}.csv" for row in READ_TWICE],
        text=[f"{MADE}/{row.thresholds_item}{BY_TEXT}.csv" for row in READ_TWICE],
    output:
        csv=report(
            f"{MADE}/conclusions.csv",
            caption="../../report/legrand2018/conclusions.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "conclusions"},
        ),
        md=f"{MADE}/conclusions.md",
    log:
        "<logs>/make_conclusions.log",
    benchmark:
        "<benchmarks>/make_conclusions.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_conclusions", mem_mb=1000, minutes=10),
    params:
        told=told_of("conclusions"),
    message:
        "Holding what legrand2018 ran against its text"
    script:
        "../../scripts/legrand2018/make_conclusions.py"


rule make_longest:
    """Table 7: the jobs that ran longest."""
    input:
        **log_of_longest_jobs(),
    output:
        csv=report(
            f"{MADE}/table7.csv",
            caption="../../report/legrand2018/table7.rst",
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
        **measured("make_longest"),
    params:
        row=cells_of(EXPERIMENTS[LEGRAND][SHOWN]),
        told=told_of("table7"),
    message:
        "Writing Table 7 of legrand2018"
    script:
        "../../scripts/legrand2018/make_longest.py"


rule compare_columns:
    """Every number of a table, published and ours, with verdicts."""
    input:
        table=f"{MADE}/{{item}}.csv",
        published=PUBLISHED_LEGRAND,
        owners=OWNERS_LEGRAND,
        reasons=REASONS_LEGRAND,
    output:
        csv=report(
            f"{MADE}/{{item}}_comparison.csv",
            caption="../../report/legrand2018/comparison.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "{item}_comparison"},
        ),
        md=f"{MADE}/{{item}}_comparison.md",
    log:
        "<logs>/compare_columns/{item}.log",
    benchmark:
        "<benchmarks>/compare_columns/{item}.tsv"
    wildcard_constraints:
        item=one_of(COMPARED),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("compare_columns"),
    params:
        how=lambda wildcards: COMPARED[wildcards.item],
        told=told_of_item,
    message:
        "Comparing {wildcards.item} with legrand2018"
    script:
        "../../scripts/legrand2018/compare_columns.py"


rule rank_columns:
    """Rank correlation of the tables' columns with the printed ones, and Table 2 as ratios to print."""
    input:
        tables=collect(f"{MADE}/{{table}}.csv", table=RANKED),
        published=PUBLISHED_LEGRAND,
        owners=OWNERS_LEGRAND,
    output:
        csv=report(
            f"{MADE}/ranks.csv",
            caption="../../report/legrand2018/ranks.rst",
            category="legrand2018",
            subcategory="Tables",
            labels={"table": "ranks"},
        ),
        md=f"{MADE}/ranks.md",
        pdf=f"{MADE}/fig_table2.pdf",
        png=report(
            f"{MADE}/fig_table2.png",
            caption="../../report/legrand2018/fig_table2.rst",
            category="legrand2018",
            subcategory="Figures",
            labels={"figure": "fig_table2"},
        ),
        figure_csv=f"{MADE}/fig_table2.csv",
    log:
        "<logs>/rank_columns.log",
    benchmark:
        "<benchmarks>/rank_columns.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("rank_columns", mem_mb=1000, minutes=10),
    params:
        ranked=RANKED,
        told=told_of("ranks"),
    message:
        "Ranking the columns of legrand2018"
    script:
        "../../scripts/legrand2018/rank_columns.py"


rule check_claims:
    """Hold what the paper says in words against what was simulated."""
    input:
        surfaces=files_by("weeks", f"{MIXED}.deviation.surface.parquet"),
        pure=files_by("weeks", f"{MIXED}.pure.parquet"),
        searches=files_by("weeks", f"{MIXED}.search.parquet"),
    output:
        csv=report(
            f"{MADE}/claims.csv",
            caption="../../report/legrand2018/claims.rst",
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
        **measured("check_claims", mem_mb=1000, minutes=10),
    params:
        rows=[cells_of(row) for row in rows_by("weeks")],
        told=told_of("claims"),
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
            caption="../../report/legrand2018/sensitivity.rst",
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
        **measured("make_sensitivity", mem_mb=1000, minutes=10),
    params:
        row=cells_of(EXPERIMENTS[LEGRAND][SENSITIVE]),
        told=told_of("sensitivity"),
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
            caption="../../report/legrand2018/online.rst",
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
        **measured("learn_online", mem_mb=1000, minutes=10),
    params:
        rows=[cells_of(row) for row in rows_by("weeks")],
        windows=config["legrand2018"]["online"]["windows"],
        repetitions=config["legrand2018"]["online"]["repetitions"],
        resamples=config["legrand2018"]["online"]["resamples"],
        told=told_of("online"),
    message:
        "Learning online"
    script:
        "../../scripts/legrand2018/learn_online.py"

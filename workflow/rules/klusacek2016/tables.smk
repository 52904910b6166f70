"""Tables of klusacek2016: results/figures/klusacek2016/."""


rule make_plans_table1:
    """Table 1, and beside the printed one."""
    input:
        jobs=ran("table1", "jobs"),
        starts=ran("table1", "starts"),
        periods=ran("periods", "periods"),
        published=KLUSACEK_PUBLISHED,
        reasons=KLUSACEK_REASONS,
    output:
        **tables_of_klusacek2016(SETS_TABLES, "Table 1"),
    log:
        "<logs>/make_plans_table1.log",
    benchmark:
        "<benchmarks>/make_plans_table1.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_plans_table1"),
    params:
        rows=shown_rows("table1"),
        logs=[row.source for row in plans_of("periods")],
    message:
        "Writing Table 1 of klusacek2016"
    script:
        "../../scripts/klusacek2016/make_table1.py"


rule make_plans_readings:
    """What readings of Table 1 give, and how far out the printed numbers lie under each."""
    input:
        runs=ran("periods", "periods") + ran("readings", "periods"),
        published=KLUSACEK_PUBLISHED,
    output:
        **tables_of_klusacek2016(READINGS_TABLES, "Table 1"),
    log:
        "<logs>/make_plans_readings.log",
    benchmark:
        "<benchmarks>/make_plans_readings.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_plans_readings"),
    params:
        rows=reading_rows(),
        sets=sets_by_log(),
    message:
        "Writing readings of Table 1"
    script:
        "../../scripts/klusacek2016/make_readings.py"


rule make_plans_means:
    """Means over whole logs; own: over experiments of a reader's."""
    input:
        jobs=lambda wildcards: ran(wildcards.means, "jobs"),
        starts=lambda wildcards: ran(wildcards.means, "starts"),
    output:
        csv=report(
            f"<results>/figures/{KLUSACEK}/{{means}}.csv",
            caption="../../report/klusacek2016/means.rst",
            category=KLUSACEK,
            subcategory="Whole logs",
            labels={"table": "{means}"},
        ),
        md=f"<results>/figures/{KLUSACEK}/{{means}}.md",
    log:
        "<logs>/make_plans_means/{means}.log",
    benchmark:
        "<benchmarks>/make_plans_means/{means}.tsv"
    wildcard_constraints:
        means="means|own",
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_plans_means"),
    params:
        rows=lambda wildcards: shown_rows(wildcards.means),
    message:
        "Writing {wildcards.means} of klusacek2016"
    script:
        "../../scripts/klusacek2016/make_means.py"


rule make_plans_baselines:
    """Plan-RS compared with Orig-BF in each of its orders."""
    input:
        plan_jobs=ran("means", "jobs"),
        plan_starts=ran("means", "starts"),
        other_jobs=ran("baselines", "jobs"),
        other_starts=ran("baselines", "starts"),
    output:
        csv=report(
            f"<results>/figures/{KLUSACEK}/baselines.csv",
            caption="../../report/klusacek2016/baselines.rst",
            category=KLUSACEK,
            subcategory="Whole logs",
            labels={"table": "baselines"},
        ),
        md=f"<results>/figures/{KLUSACEK}/baselines.md",
    log:
        "<logs>/make_plans_baselines.log",
    benchmark:
        "<benchmarks>/make_plans_baselines.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_plans_means"),
    params:
        plans=shown_rows("means"),
        others=shown_rows("baselines"),
    message:
        "Comparing Plan-RS with each baseline"
    script:
        "../../scripts/klusacek2016/make_baselines.py"


rule compare_plans_text:
    """What the text says in numbers, compared with another log."""
    input:
        **files_by_node(),
        costs=f"<results>/figures/{KLUSACEK}/fig5.csv",
        published=KLUSACEK_PUBLISHED,
    output:
        csv=report(
            f"<results>/figures/{KLUSACEK}/text.csv",
            caption="../../report/klusacek2016/text.rst",
            category=KLUSACEK,
            subcategory="Whole logs",
            labels={"table": "text"},
        ),
        md=f"<results>/figures/{KLUSACEK}/text.md",
    log:
        "<logs>/compare_plans_text.log",
    benchmark:
        "<benchmarks>/compare_plans_text.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("compare_plans_text"),
    params:
        rows=rows_by_node(),
    message:
        "Comparing the text of klusacek2016"
    script:
        "../../scripts/klusacek2016/compare_text.py"


rule check_plans_claims:
    """What the paper says in words, tested on what was run."""
    input:
        set_jobs=ran("table1", "jobs"),
        set_starts=ran("table1", "starts"),
        log_jobs=ran("means", "jobs"),
        log_starts=ran("means", "starts"),
        moves=MOVES,
        costs=f"<results>/figures/{KLUSACEK}/fig5.csv",
    output:
        csv=report(
            f"<results>/figures/{KLUSACEK}/claims.csv",
            caption="../../report/klusacek2016/claims.rst",
            category=KLUSACEK,
            subcategory="Claims",
            labels={"table": "claims"},
        ),
        md=f"<results>/figures/{KLUSACEK}/claims.md",
        txt=f"<results>/figures/{KLUSACEK}/claims.txt",
    log:
        "<logs>/check_plans_claims.log",
    benchmark:
        "<benchmarks>/check_plans_claims.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("check_plans_claims"),
    params:
        sets=shown_rows("table1"),
        logs=shown_rows("means"),
        moves_of=BY_NODE[0],
    message:
        "Checking the claims of klusacek2016"
    script:
        "../../scripts/klusacek2016/check_claims.py"

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
    """What other readings of Table 1 give."""
    input:
        runs=ran("readings", "periods"),
    output:
        csv=report(
            f"<results>/figures/{KLUSACEK}/table1_readings.csv",
            caption="../../report/klusacek2016/table1_readings.rst",
            category=KLUSACEK,
            subcategory="Table 1",
            labels={"table": "table1_readings"},
        ),
        md=f"<results>/figures/{KLUSACEK}/table1_readings.md",
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
        rows=shown_rows("readings"),
    message:
        "Writing other readings of Table 1"
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


rule compare_plans_text:
    """What the text says in numbers, beside ours of another log."""
    input:
        **files_by_node(),
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
    """What the paper says in words, held against what was run."""
    input:
        set_jobs=ran("table1", "jobs"),
        set_starts=ran("table1", "starts"),
        log_jobs=ran("means", "jobs"),
        log_starts=ran("means", "starts"),
        moves=MOVES,
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

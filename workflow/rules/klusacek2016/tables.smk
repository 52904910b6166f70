"""Tables of klusacek2016: results/figures/klusacek2016/."""


rule make_plans_table1:
    """Table 1, beside the printed one, and other readings of it."""
    input:
        jobs=ran("table1", "jobs"),
        starts=ran("table1", "starts"),
        other_jobs=ran("readings", "jobs"),
        other_starts=ran("readings", "starts"),
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
        mem_mb=mb(1000),
        runtime=minutes(5),
    params:
        rows=shown_rows("table1"),
        readings=shown_rows("readings"),
    message:
        "Writing Table 1 of klusacek2016"
    script:
        "../../scripts/klusacek2016/make_table1.py"


rule make_plans_means:
    """Means over whole logs, and the numbers of the text."""
    input:
        jobs=ran("means", "jobs"),
        starts=ran("means", "starts"),
        published=KLUSACEK_PUBLISHED,
    output:
        **tables_of_klusacek2016(MEANS_TABLES, "Whole logs"),
    log:
        "<logs>/make_plans_means.log",
    benchmark:
        "<benchmarks>/make_plans_means.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes(5),
    params:
        rows=shown_rows("means"),
        shown=dict(zip(("recorded", "reacting"), BY_NODE)),
    message:
        "Writing the means of klusacek2016"
    script:
        "../../scripts/klusacek2016/make_means.py"


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
        mem_mb=mb(2000),
        runtime=minutes(5),
    params:
        sets=shown_rows("table1"),
        logs=shown_rows("means"),
        moves_of=BY_NODE[0],
    message:
        "Checking the claims of klusacek2016"
    script:
        "../../scripts/klusacek2016/check_claims.py"

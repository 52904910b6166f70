"""Tables of kellari2025, and the figure of its pool: results/figures/kellari2025/."""


rule show_pool:
    """Tables 4.1 and 4.2 and figure 4.6: all of them are the pool and nothing else."""
    input:
        frame="<results>/pools/aris-nas.parquet",
        sizes=of_workflow("resources/kellari2025/table4_2.tsv"),
        published=KELLARI_PUBLISHED,
        reasons=KELLARI_REASONS,
    output:
        **tables_of_kellari2025(CHAPTER4, "Chapter 4"),
        fig4_6_pdf="<results>/figures/kellari2025/fig4_6.pdf",
        fig4_6_png=report(
            "<results>/figures/kellari2025/fig4_6.png",
            caption="../../report/kellari2025/fig4_6.rst",
            category="kellari2025",
            subcategory="Chapter 4",
            labels={"figure": "fig4_6"},
        ),
        fig4_6_csv="<results>/figures/kellari2025/fig4_6.csv",
    log:
        "<logs>/show_pool.log",
    benchmark:
        "<benchmarks>/show_pool.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("show_pool"),
    message:
        "Writing Tables 4.1 and 4.2 and drawing figure 4.6"
    script:
        "../../scripts/kellari2025/show_pool.py"


rule make_table6:
    """Tables 6.1 and 6.2, and the same with a reader's own policies below."""
    input:
        runs=lambda wildcards: coruns("table6", *own_policies(wildcards.table)),
    output:
        csv=report(
            "<results>/figures/kellari2025/{table}.csv",
            caption="../../report/kellari2025/means.rst",
            category="kellari2025",
            subcategory="Chapter 6",
            labels={"table": "{table}"},
        ),
        md="<results>/figures/kellari2025/{table}.md",
    log:
        "<logs>/make_table6/{table}.log",
    benchmark:
        "<benchmarks>/make_table6/{table}.tsv"
    wildcard_constraints:
        table=one_of([*MEANS, *OWN_MEANS]),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_table6", mem_mb=1000, minutes=5),
    params:
        own=lambda wildcards: own_policies(wildcards.table),
        many=max(row.workloads for row in coexperiments("orderings")),
    message:
        "Writing {wildcards.table}"
    script:
        "../../scripts/kellari2025/make_table6.py"


rule compare_table6:
    """Comparison, readings, orderings, correlations and claims.

    They are one job: each holds the same runs, the ten and the many, against the same printed means.
    """
    input:
        table6=coruns("table6"),
        orderings=coruns("orderings"),
        readings=coruns("readings"),
        example="<results>/schedules/kellari2025/example.parquet",
        published=KELLARI_PUBLISHED,
        reasons=KELLARI_REASONS,
    output:
        **tables_of_kellari2025(HELD_AGAINST_PRINT, "Chapter 6"),
    log:
        "<logs>/compare_table6.log",
    benchmark:
        "<benchmarks>/compare_table6.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("compare_table6"),
    params:
        labels=labels_of_item("readings"),
    message:
        "Comparing Tables 6.1 and 6.2 with the thesis"
    script:
        "../../scripts/kellari2025/compare_table6.py"

"""Tables 4 and 5 of carastan2017 and the boxes of figures 4 to 9: results/figures/carastan2017/."""


rule make_table4:
    """Table 4: the median over the sequences of every policy, row by row."""
    input:
        simulations=simulations_of_table4,
    output:
        csv=report(
            "<results>/figures/carastan2017/{table4}.csv",
            caption="../../report/carastan2017/table4.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "{table4}"},
        ),
        md="<results>/figures/carastan2017/{table4}.md",
    log:
        "<logs>/make_table4/{table4}.log",
    benchmark:
        "<benchmarks>/make_table4/{table4}.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_table4", mem_mb=400, minutes=4),
    params:
        rows=rows_of_table4,
        grouped=lambda wildcards: len(items_of_table4(wildcards)) > 1,
        own=lambda wildcards: further_of(wildcards.table4)[1],
        source=config["source"],
    message:
        "Writing {wildcards.table4}"
    script:
        "../../scripts/carastan2017/make_table4.py"


rule copy_table4:
    """Table 4 at the address that people look for."""
    input:
        csv="<results>/figures/carastan2017/table4.csv",
    output:
        csv="<results>/figures/table4.csv",
    log:
        "<logs>/copy_table4.log",
    localrule: True
    conda:
        "../../../environment.yml"
    message:
        "Copying Table 4 to {output.csv}"
    shell:
        "cp {input.csv:q} {output.csv:q} 2> {log:q}"


rule make_table5:
    """Table 5: the real logs, measured, and what the paper prints about them."""
    input:
        logs=collect("resources/raw/{log}.swf", log=TABLE5),
        published=PUBLISHED,
        reasons=REASONS,
    output:
        csv=report(
            "<results>/figures/carastan2017/table5.csv",
            caption="../../report/carastan2017/table5.rst",
            category="carastan2017",
            subcategory="Table 5",
            labels={"table": "table5"},
        ),
        md="<results>/figures/carastan2017/table5.md",
        comparison_csv=report(
            "<results>/figures/carastan2017/table5_comparison.csv",
            caption="../../report/carastan2017/table5_comparison.rst",
            category="carastan2017",
            subcategory="Table 5",
            labels={"table": "table5_comparison"},
        ),
        comparison_md="<results>/figures/carastan2017/table5_comparison.md",
    log:
        "<logs>/make_table5.log",
    benchmark:
        "<benchmarks>/make_table5.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_table5"),
    params:
        rows=TABLE5,
    message:
        "Writing Table 5"
    script:
        "../../scripts/carastan2017/make_table5.py"


rule compare_table4:
    """Every number of Table 4 beside ours in both dialects with a verdict, and the policies' ranks."""
    input:
        simulations=simulations(CARASTAN, *TABLE4),
        published=PUBLISHED,
        reasons=REASONS,
    output:
        csv=report(
            "<results>/figures/carastan2017/table4_comparison.csv",
            caption="../../report/carastan2017/table4_comparison.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "table4_comparison"},
        ),
        md="<results>/figures/carastan2017/table4_comparison.md",
        ranks_csv=report(
            "<results>/figures/carastan2017/table4_ranks.csv",
            caption="../../report/carastan2017/table4_ranks.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "table4_ranks"},
        ),
        ranks_md="<results>/figures/carastan2017/table4_ranks.md",
    log:
        "<logs>/compare_table4.log",
    benchmark:
        "<benchmarks>/compare_table4.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("compare_table4"),
    params:
        rows=rows_of_items(*TABLE4),
        source=config["source"],
    message:
        "Comparing Table 4 with the paper"
    script:
        "../../scripts/carastan2017/compare_table4.py"


rule check_medians:
    """What the paper says of Table 4 in words, as tests on the printed table and on ours."""
    input:
        compared="<results>/figures/carastan2017/table4_comparison.csv",
        simulations=simulations(CARASTAN, *TABLE4),
    output:
        csv=report(
            "<results>/figures/carastan2017/claims.csv",
            caption="../../report/carastan2017/claims.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "claims"},
        ),
        md="<results>/figures/carastan2017/claims.md",
    log:
        "<logs>/check_medians.log",
    benchmark:
        "<benchmarks>/check_medians.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("check_medians", mem_mb=600, minutes=4),
    params:
        rows=rows_of_items(*TABLE4),
        source=config["source"],
    message:
        "Checking what carastan2017 says of Table 4"
    script:
        "../../scripts/carastan2017/check_medians.py"


rule rank_further:
    """Rank the learned policies, or a reader's own, among the others of Table 4, row by row."""
    input:
        simulations=simulations_of_ranks,
    output:
        csv=report(
            "<results>/figures/carastan2017/table4_{further}_ranks.csv",
            caption="../../report/carastan2017/table4_further_ranks.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "table4_{further}_ranks"},
        ),
        md="<results>/figures/carastan2017/table4_{further}_ranks.md",
        sentence="<results>/figures/carastan2017/table4_{further}_sentence.txt",
    log:
        "<logs>/rank_further/{further}.log",
    benchmark:
        "<benchmarks>/rank_further/{further}.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("rank_further", mem_mb=400, minutes=4),
    params:
        rows=rows_of_items(*TABLE4),
        own=lambda wildcards: FURTHER[wildcards.further][1],
        source=config["source"],
    message:
        "Ranking the policies in Table 4 ({wildcards.further})"
    script:
        "../../scripts/carastan2017/rank_further.py"


rule draw_boxplots:
    """Figures 4 to 9: the average bounded slowdown over the sequences, policy by policy."""
    input:
        simulations=simulations_of_figure,
    output:
        pdf="<results>/figures/carastan2017/{figure}.pdf",
        png=report(
            "<results>/figures/carastan2017/{figure}.png",
            caption="../../report/carastan2017/boxplots.rst",
            category="carastan2017",
            subcategory="Figures",
            labels={"figure": "{figure}"},
        ),
        csv="<results>/figures/carastan2017/{figure}.csv",
    log:
        "<logs>/draw_boxplots/{figure}.log",
    benchmark:
        "<benchmarks>/draw_boxplots/{figure}.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_boxplots", mem_mb=500, minutes=5),
    params:
        rows=rows_of_figure,
        own=lambda wildcards: further_of(wildcards.figure)[1],
        source=config["source"],
    message:
        "Drawing {wildcards.figure}"
    script:
        "../../scripts/carastan2017/draw_boxplots.py"

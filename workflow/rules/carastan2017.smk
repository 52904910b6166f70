"""Obtaining Dynamic Scheduling Policies with Simulation and Machine Learning (SC'17).

Tables 2, 4 and 5 and figures 4 to 9: results/figures/carastan2017/; what is learned: learning.smk.
"""

PUBLISHED = "resources/published/carastan2017.tsv"
REASONS = "resources/published/reasons_carastan2017.tsv"
# The logs of Table 5, and its rows.
TABLE5 = {
    "CEA-Curie": "Curie",
    "ANL-Intrepid": "ANL Interpid",
    "SDSC-BLUE": "SDSC Blue",
    "CTC-SP2": "CTC SP2",
}
FIGURES = [f"fig{number}" for number in range(4, 10)]
# The same with boxes for the policies that are learned here.
LEARNED_BOXES = [f"{figure}_learned" for figure in FIGURES]


wildcard_constraints:
    figure=one_of([*FIGURES, *LEARNED_BOXES]),
    table4=one_of(TABLE4_FILES),


rule carastan2017:
    """All tables and figures of carastan2017."""
    input:
        "results/figures/table4.csv",
        "results/policies/learned.csv",
        collect(
            "results/figures/carastan2017/{table}.{kind}",
            table=[
                *LEARNING_TABLES,
                *SITE_TABLES,
                "table2",
                "table5",
                *TABLE4_FILES,
                "table4_comparison",
                "table4_ranks",
                "table4_learned_ranks",
            ],
            kind=["csv", "md"],
        ),
        collect(
            "results/figures/carastan2017/{figure}.{kind}",
            figure=[*LEARNING_FIGURES, "fig_sites", *FIGURES, *LEARNED_BOXES],
            kind=["pdf", "png", "csv"],
        ),


rule make_table2:
    """Table 2: the ad-hoc policies as they are run."""
    input:
        sources=sources(
            "policies",
            "tables.py",
            "kernels/expression.pyx",
            "kernels/expression.pxd",
        ),
    output:
        csv="results/figures/carastan2017/table2.csv",
        md="results/figures/carastan2017/table2.md",
    log:
        "results/logs/make_table2.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Writing Table 2"
    script:
        "../scripts/make_table2.py"


rule make_table4:
    """Table 4: the median over the sequences of every policy, row by row."""
    input:
        sheet=config["sheets"]["carastan2017"],
        schema=EXPERIMENTS_SCHEMA,
        simulations=simulations_of_table4,
        sources=sources("tables.py", "experiments.py"),
    output:
        csv=report(
            "results/figures/carastan2017/{table4}.csv",
            caption="../report/carastan2017/table4.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "{table4}"},
        ),
        md="results/figures/carastan2017/{table4}.md",
    log:
        "results/logs/make_table4/{table4}.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        groups=items_of_table4,
        own=own_policies_of_table4,
        source=config["source"],
    message:
        "Writing {wildcards.table4}"
    script:
        "../scripts/make_table4.py"


rule copy_table4:
    """Table 4 at the address that people look for."""
    input:
        csv="results/figures/carastan2017/table4.csv",
    output:
        csv="results/figures/table4.csv",
    log:
        "results/logs/copy_table4.log",
    localrule: True
    conda:
        "../../environment.yml"
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
        sources=sources(
            "tables.py",
            "comparison.py",
            "traces/swf.py",
            "kernels/swf_scan.pyx",
        ),
    output:
        csv="results/figures/carastan2017/table5.csv",
        md="results/figures/carastan2017/table5.md",
        comparison="results/figures/carastan2017/table5_comparison.csv",
    log:
        "results/logs/make_table5.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
        runtime=5,
    params:
        rows=TABLE5,
    message:
        "Writing Table 5"
    script:
        "../scripts/make_table5.py"


rule compare_table4:
    """Every number of Table 4, published and ours in both dialects, with a verdict."""
    input:
        sheet=config["sheets"]["carastan2017"],
        schema=EXPERIMENTS_SCHEMA,
        simulations=simulations("carastan2017", *TABLE4),
        published=PUBLISHED,
        reasons=REASONS,
        sources=sources("tables.py", "comparison.py", "experiments.py"),
    output:
        csv=report(
            "results/figures/carastan2017/table4_comparison.csv",
            caption="../report/carastan2017/table4_comparison.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "table4_comparison"},
        ),
        md="results/figures/carastan2017/table4_comparison.md",
    log:
        "results/logs/compare_table4.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        source=config["source"],
    message:
        "Comparing Table 4 with the paper"
    script:
        "../scripts/compare_table4.py"


rule rank_table4:
    """Rank correlation of the policies with the paper's, per row and dialect."""
    input:
        sheet=config["sheets"]["carastan2017"],
        schema=EXPERIMENTS_SCHEMA,
        simulations=simulations("carastan2017", *TABLE4),
        published=PUBLISHED,
        sources=sources("tables.py", "comparison.py", "experiments.py"),
    output:
        csv=report(
            "results/figures/carastan2017/table4_ranks.csv",
            caption="../report/carastan2017/table4_ranks.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "table4_ranks"},
        ),
        md="results/figures/carastan2017/table4_ranks.md",
    log:
        "results/logs/rank_table4.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        source=config["source"],
    message:
        "Ranking the policies of Table 4"
    script:
        "../scripts/rank_table4.py"


rule rank_learned:
    """Rank the learned policies of ours among the others of Table 4, per row and dialect."""
    input:
        sheet=config["sheets"]["carastan2017"],
        schema=EXPERIMENTS_SCHEMA,
        simulations=with_learned(simulations("carastan2017", *TABLE4)),
        sources=sources("tables.py", "experiments.py", "learning/standing.py"),
    output:
        csv=report(
            "results/figures/carastan2017/table4_learned_ranks.csv",
            caption="../report/carastan2017/table4_learned_ranks.rst",
            category="carastan2017",
            subcategory="Table 4",
            labels={"table": "table4_learned_ranks"},
        ),
        md="results/figures/carastan2017/table4_learned_ranks.md",
        sentence="results/figures/carastan2017/table4_learned_sentence.txt",
    log:
        "results/logs/rank_learned.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        source=config["source"],
    message:
        "Ranking the learned policies in Table 4"
    script:
        "../scripts/rank_learned.py"


rule draw_boxplots:
    """Figures 4 to 9: the average bounded slowdown over the sequences, policy by policy."""
    input:
        sheet=config["sheets"]["carastan2017"],
        schema=EXPERIMENTS_SCHEMA,
        simulations=simulations_of_figure,
        sources=sources("tables.py", "experiments.py", "figures"),
    output:
        pdf="results/figures/carastan2017/{figure}.pdf",
        png=report(
            "results/figures/carastan2017/{figure}.png",
            caption="../report/carastan2017/boxplots.rst",
            category="carastan2017",
            subcategory="Figures",
            labels={"figure": "{figure}"},
        ),
        csv="results/figures/carastan2017/{figure}.csv",
    log:
        "results/logs/draw_boxplots/{figure}.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        figure=lambda wildcards: wildcards.figure.removesuffix("_learned"),
        own=lambda wildcards: (
            LEARNED_COLUMNS if wildcards.figure in LEARNED_BOXES else []
        ),
        source=config["source"],
    message:
        "Drawing {wildcards.figure}"
    script:
        "../scripts/draw_boxplots.py"

"""Why does it differ? What papers' toggles moved, drawn and told in one job.

A paper that is TOGGLED has results/toggles/<paper>.parquet by a rule of its own.
"""


def in_report(paper, item, suffix):
    """Return a file of a toggled paper as Snakemake's report shows it."""
    return report(
        f"<results>/figures/{paper}/{item}.{suffix}",
        caption=f"../report/{paper}/toggles.rst",
        category=paper,
        subcategory="Why does it differ?",
        labels={"item": item},
    )


rule draw_toggles:
    """Which choice moves a paper's numbers how far: table, sentence and figure."""
    input:
        moved=[f"<results>/toggles/{paper}.parquet" for paper in TOGGLED],
    output:
        csv=[in_report(paper, "toggles", "csv") for paper in TOGGLED],
        md=[f"<results>/figures/{paper}/toggles.md" for paper in TOGGLED],
        txt=[f"<results>/figures/{paper}/toggles.txt" for paper in TOGGLED],
        pdf=[f"<results>/figures/{paper}/fig_toggles.pdf" for paper in TOGGLED],
        png=[in_report(paper, "fig_toggles", "png") for paper in TOGGLED],
        drawn=[f"<results>/figures/{paper}/fig_toggles.csv" for paper in TOGGLED],
    log:
        "<logs>/draw_toggles.log",
    benchmark:
        "<benchmarks>/draw_toggles.tsv"
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=mb(500),
        runtime=minutes(5),
    params:
        numbers=list(TOGGLED.values()),
    message:
        "Drawing which choice moves which numbers"
    script:
        "../scripts/toggles/draw_toggles.py"

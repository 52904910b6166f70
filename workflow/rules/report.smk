"""The page that shows it all: results/report/index.html."""

TABLES = [
    *("table2", "table5", "table5_comparison"),
    *("table4_comparison", "table4_ranks", *TABLE4_FILES),
]


rule render_report:
    """The tables, figures and verdicts in one HTML page that needs nothing beside it."""
    input:
        **{table: f"results/figures/carastan2017/{table}.csv" for table in TABLES},
        template="workflow/report/index.html.j2",
        figures=collect("results/figures/carastan2017/{figure}.png", figure=FIGURES),
        fetched=collect(
            "results/traces/raw/{log}.json", log=logs_shown("carastan2017", *TABLE5)
        ),
        sources=sources("report.py", "comparison.py", "tables.py"),
    output:
        html="results/report/index.html",
    log:
        "results/logs/render_report.log",
    localrule: True
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        config=config,
        scale="quick" if config["pieces_limit"] else "paper",
    message:
        "Rendering the report"
    script:
        "../scripts/render_report.py"

"""The page to explore the arena: results/report/explore.html."""


rule render_explore:
    """Render the page on which readers choose logs, policies and metrics."""
    input:
        template=of_workflow(f"{TEMPLATES}/{ARENA}/explore.html.j2"),
        script=of_workflow(f"{TEMPLATES}/{ARENA}/explore.js"),
        shared=SHARED_TEMPLATES,
        cells=f"<results>/figures/{ARENA}/cells.csv",
    output:
        html="<results>/report/explore.html",
    log:
        "<logs>/render_explore.log",
    benchmark:
        "<benchmarks>/render_explore.tsv"
    localrule: True
    resources:
        **measured("render_explore", mem_mb=1000, minutes=5),
    params:
        paper=heading_of_page(ARENA),
        schedules=schedules_of_logs(),
        config=config,
    message:
        "Rendering the page to explore the arena"
    script:
        "../../scripts/arena/render_explore.py"

"""The page to explore the arena: results/report/explore.html."""


def schedules_of_logs():
    """Return the pages of schedules of the arena's logs, by label: addresses with their words.

    These are windows of carastan2017's experiments on the same log.
    """
    pages = {}
    for row in EXPERIMENTS[ARENA].values():
        pages[row.label] = [
            (f"explore/{name}.html", STUDIES[CARASTAN].label_as_run(name))
            for name in EXPLORED
            if EXPERIMENTS[CARASTAN][name].source == row.source
            and is_linked(f"{RESULTS}/report/explore/{name}.html", "all")
        ]
    return {label: found for label, found in pages.items() if found}


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

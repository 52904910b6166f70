"""Pages to explore the arena: results/report/explore.html, and the schedules of every log."""


rule write_schedules:
    """Run a log again under EASY, the recommended and the best schedulers, and show every job."""
    input:
        jobs=jobs_of_contest,
        metrics=f"{FOUGHT}.parquet",
        facts=f"{FOUGHT}.facts.parquet",
        choice=f"<results>/figures/{ARENA}/survivors.csv",
        learned=learned_of_contest,
        functions=files_of_schedulers,
    output:
        html="<results>/report/schedules/{contest}.html",
    log:
        "<logs>/write_schedules/{contest}.log",
    benchmark:
        "<benchmarks>/write_schedules/{contest}.tsv"
    group:
        "figures"
    resources:
        **measured("write_schedules", mem_mb=1500, minutes=10),
    params:
        settings=settings_of_contest,
        own=own_schedulers(),
        label=lambda wildcards: contest(wildcards).label,
    message:
        "Writing the schedules of {wildcards.contest}"
    script:
        "../../scripts/arena/write_schedules.py"


rule render_explore:
    """Render the page on which readers choose logs, policies and metrics."""
    input:
        template=of_workflow(f"{TEMPLATES}/{ARENA}/explore.html.j2"),
        script=of_workflow(f"{TEMPLATES}/{ARENA}/explore.js"),
        shared=SHARED_TEMPLATES,
        cells=f"<results>/figures/{ARENA}/cells.csv",
        windows=f"<results>/figures/{ARENA}/window_cells.csv",
        schedules=[
            f"<results>/report/{path}" for path in pages_of_schedules().values()
        ],
        # the papers are not computed for the arena alone
        scoreboard=(
            [rules.make_scoreboard.output.csv] if "all" in requested_targets() else []
        ),
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
        schedules=pages_of_schedules(),
        board=as_written(rules.make_scoreboard.output.csv),
        config=config,
    message:
        "Rendering the page to explore the arena"
    script:
        "../../scripts/arena/render_explore.py"

"""Pages to explore the arena: results/report/explore.html, and the schedules of every log."""

CONTESTS = list(EXPERIMENTS[ARENA].values())


rule write_schedules:
    """Run logs again under EASY, the recommended and the best schedulers, and show every job."""
    input:
        jobs=[jobs_of_workload(row.source, row.cleaning) for row in CONTESTS],
        metrics=[FOUGHT.format(contest=row.experiment) + ".parquet" for row in CONTESTS],
        facts=[
            FOUGHT.format(contest=row.experiment) + ".facts.parquet"
            for row in CONTESTS
        ],
        learned=sorted({f"<results>/{row.learned}" for row in CONTESTS if row.learned}),
        choice=f"<results>/figures/{ARENA}/survivors.csv",
        functions=files_of_functions(*CONTESTS),
        networks=[*networks_of(*CONTESTS).values()],
    output:
        html=[f"<results>/report/{path}" for path in pages_of_schedules().values()],
        shown="<results>/report/schedules/schedulers.json",
    log:
        "<logs>/write_schedules.log",
    benchmark:
        "<benchmarks>/write_schedules.tsv"
    group:
        "figures"
    resources:
        **measured("write_schedules", mem_mb=1500, minutes=10),
    params:
        settings=[row.settings for row in CONTESTS],
        tables=[
            row.learned and as_written(f"<results>/{row.learned}") for row in CONTESTS
        ],
        own=schedulers_beyond(*CONTESTS),
        labels=[row.name for row in CONTESTS],
    message:
        "Writing the schedules of the arena's logs"
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
        choice=[
            f"<results>/figures/{ARENA}/{file}"
            for file in ("findings.txt", "rule.txt", "why_not.csv")
        ],
        schedules=rules.write_schedules.output.html,
        shown=rules.write_schedules.output.shown,
        # the papers are not computed for the arena alone
        scoreboard=scoreboard_if_any(),
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
        captions=captions_of_page(ARENA),
        schedules=pages_of_schedules(),
        config=config,
    message:
        "Rendering the page to explore the arena"
    script:
        "../../scripts/arena/render_explore.py"

"""The report: results/report/index.html and a page for each paper, all self-contained."""

TEMPLATES = "workflow/report"
SHARED_TEMPLATES = [
    of_workflow(f"{TEMPLATES}/{name}.html.j2")
    for name in ("base", "macros", "numbers", "overview")
]


THUMBNAILS = {
    paper: f"<results>/figures/{paper}/{page['thumbnail']}.png"
    for paper, page in PAGES.items()
    if page.get("thumbnail")
}


rule render_page:
    """Render a paper's page and its pages of details."""
    input:
        words=lambda wildcards: of_workflow(f"resources/{wildcards.paper}/words.yaml"),
        shared=SHARED_TEMPLATES,
        blocks=lambda wildcards: blocks_of_page(wildcards.paper),
        files=lambda wildcards: files_of_page(wildcards.paper),
        fetched=lambda wildcards: records_of_logs(wildcards.paper),
        story=lambda wildcards: list(story_tables(wildcards.paper).values()),
        compared=lambda wildcards: files_scored().get(wildcards.paper, []),
    output:
        html="<results>/report/{paper}.html",
        details=directory("<results>/report/{paper}"),
    log:
        "<logs>/render_page/{paper}.log",
    benchmark:
        "<benchmarks>/render_page/{paper}.tsv"
    localrule: True
    resources:
        **measured("render_page", mem_mb=1000, minutes=5),
    params:
        further=lambda wildcards: code_of_page(wildcards.paper),
        paper=lambda wildcards: heading_of_page(wildcards.paper),
        module=lambda wildcards: module_of(wildcards.paper),
        captions=lambda wildcards: captions_of_page(wildcards.paper),
        story=lambda wildcards: {
            item: as_written(path)
            for item, path in story_tables(wildcards.paper).items()
        },
        compared=lambda wildcards: [
            as_written(path) for path in files_scored().get(wildcards.paper, [])
        ],
        scored=lambda wildcards: str(SCORED.get(wildcards.paper, "")),
        made=lambda wildcards: made_of_numbers(wildcards.paper),
        command=COMMAND,
        home=str(HOME or ""),
        records=job_records,
        logs=f"{RESULTS}/logs",
        benchmarks=f"{RESULTS}/benchmarks",
        config=config,
    message:
        "Rendering the page of {wildcards.paper}"
    script:
        "../scripts/report/render_page.py"


rule render_home:
    """Render the first page: links to the papers, verdicts, logs and facts of the run."""
    input:
        template=of_workflow(f"{TEMPLATES}/index.html.j2"),
        words=[of_workflow(f"resources/{paper}/words.yaml") for paper in PAPERS],
        shared=SHARED_TEMPLATES,
        pages=collect("<results>/report/{paper}.html", paper=PAPERS),
        scoreboard=rules.make_scoreboard.output.csv,
        expected=EXPECTED,
        scored=list(SCORED.values()),
        facts=rules.make_scoreboard.output.facts,
        story_tables=[path for paper in PAPERS for path in story_tables(paper).values()],
        thumbnails=list(THUMBNAILS.values()),
        fetched=records_of_logs(*PAPERS),
        computed=[path for paper in PAPERS for path in PAGES[paper]["results"]],
    output:
        html="<results>/report/index.html",
    log:
        "<logs>/render_home.log",
    benchmark:
        "<benchmarks>/render_home.tsv"
    localrule: True
    resources:
        **measured("render_home", mem_mb=1000, minutes=5),
    params:
        stories={paper: code_of_page(paper) for paper in PAPERS},
        papers={paper: heading_of_page(paper) for paper in PAPERS},
        scored={paper: str(path) for paper, path in SCORED.items()},
        story_tables={
            paper: {
                item: as_written(path) for item, path in story_tables(paper).items()
            }
            for paper in PAPERS
        },
        thumbnails={paper: as_written(path) for paper, path in THUMBNAILS.items()},
        config=config,
    message:
        "Rendering the report"
    script:
        "../scripts/report/render_home.py"

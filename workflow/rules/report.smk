"""The report: results/report/index.html and a page a paper, each of which needs nothing beside it.

A paper joins with an entry of PAGES (with every key, empty where there is nothing) and a template,
workflow/report/<paper>.html.j2:

- title, authors, venue and summary are shown at the top and on the first page.
- tables, figures and texts are items: results/figures/<paper>/<item>.csv, .png and .txt. A template
  has them as tables[item] (rows, dicts of text), figures[item] and texts[item]; of every table
  named <item>_comparison the verdicts are counted, here and on the first page.
- elsewhere are paths of further files, shown by their names.
- captions are workflow/report/<paper>/<item>.rst where there is one, those of Snakemake's own report;
  `captions` names another for items that share one. Their Jinja knows snakemake.wildcards (each of
  them is the item) and snakemake.config alone.
- logs are those of the registries of logs and pools whose origin is told.
- what a page makes of its tables beyond showing them is a function of a module of schedlab.report,
  named under FURTHER in pages.py.

A template extends base.html.j2 (blocks nav and main) and imports macros.html.j2, which has a table, a
comparison, a figure and the tiles of verdicts; schedlab.report.pages.render says what it is given.
"""

PAGES = {
    "carastan2017": {
        "title": "Obtaining dynamic scheduling policies with simulation and machine learning",
        "authors": "D. Carastan-Santos and R. Y. de Camargo",
        "venue": "SC’17",
        "summary": (
            "Policies learned from simulated trials by nonlinear regression, F1 to F4, against four "
            "ad-hoc ones, in eighteen experiments on model workloads and real logs."
        ),
        "tables": [
            *LEARNING_TABLES,
            *("fitters_published", "fitters_uniform"),
            *("table2", "table5", "table5_comparison"),
            *("table4_comparison", "table4_ranks", "table4_learned_ranks"),
            *TABLE4_FILES,
            *SITE_TABLES,
        ],
        "figures": [*LEARNING_FIGURES, "fig_sites", *FIGURES, *LEARNED_BOXES],
        "texts": ["table4_learned_sentence", "sites_sentence"],
        "elsewhere": ["results/policies/learned.csv"],
        "captions": dict.fromkeys([*FIGURES, *LEARNED_BOXES], "boxplots")
        | dict.fromkeys(TABLE4_FILES, "table4")
        | {"fig_sites": "sites"},
        "logs": logs_shown(
            "carastan2017", *TABLE5, *logs_of_learning(), PUBLISHED_SCORES
        ),
    },
    "legrand2018": {
        "title": "Adapting batch scheduling to workload characteristics: what can we expect from online learning?",
        "authors": "A. Legrand, D. Trystram and S. Zrigui",
        "venue": "RR-9212",
        "summary": (
            "Pure and mixed index policies on EASY with SPF backfilling, week by week, on four real "
            "logs: how far weights that suit a week are from the best policy, and whether they can be "
            "learned."
        ),
        "tables": [
            *COMPARED,
            *(f"{table}_comparison" for table in COMPARED),
            *("ranks", "claims", "online", "sensitivity"),
        ],
        "figures": [
            *("fig1", "fig4", "fig15", "fig_online"),
            *(*BEST_FIGURES, *MIXED_FIGURES, *SEARCH_FIGURES),
        ],
        "texts": ["claims", "online"],
        "elsewhere": [],
        "captions": dict.fromkeys(BEST_FIGURES, "best")
        | dict.fromkeys(MIXED_FIGURES, "mixed")
        | dict.fromkeys(SEARCH_FIGURES, "search"),
        "logs": (
            []
            if config["source"] == "models"
            else [row.source for row in rows_by("weeks")]
        ),
    },
    "kellari2025": {
        "title": "Co-scheduling algorithms for HPC applications",
        "authors": "M. Kellari",
        "venue": "NTUA 2025",
        "summary": (
            "Thirteen schedulers, eight of which let two jobs share nodes, on workloads of parallel "
            "benchmarks whose speed beside each other was measured."
        ),
        "tables": [*CHAPTER4, *CHAPTER6, "beyond_pairs"],
        "figures": [*ILLUSTRATIONS, *SCHEDULES, "fig4_6", *COMPARISONS, *BEYOND],
        "texts": BEYOND,
        "elsewhere": [],
        "captions": dict.fromkeys(ILLUSTRATIONS[1:], "fig5")
        | dict.fromkeys(["fig6_9", "fig6_10"], "gantt")
        | dict.fromkeys([f"fig6_{number}" for number in (1, 2, 3, 5, 6, 7, 8)], "boxes")
        | dict.fromkeys([f"fig6_{number}" for number in (11, 12, 13)], "front")
        | dict.fromkeys(["fig6_14", "fig6_15"], "correlation"),
        "logs": [*pools_shown(), *logs_of_arrivals()],
    },
}


rule render_page:
    """A paper's tables, figures and verdicts on one page."""
    input:
        template="workflow/report/{paper}.html.j2",
        shared=collect("workflow/report/{shared}.html.j2", shared=["base", "macros"]),
        files=lambda wildcards: files_of_page(wildcards.paper),
        captions=lambda wildcards: captions_of_page(wildcards.paper).values(),
        fetched=lambda wildcards: records_of_logs(wildcards.paper),
        sources=sources("comparison.py", "report", "tables.py"),
    output:
        html="results/report/{paper}.html",
    log:
        "results/logs/render_page/{paper}.log",
    wildcard_constraints:
        paper=one_of(PAGES),
    localrule: True
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        paper=lambda wildcards: heading_of_page(wildcards.paper),
        captions=lambda wildcards: captions_of_page(wildcards.paper),
        config=config,
        scale="quick" if config["pieces_limit"] else "paper",
    message:
        "Rendering the page of {wildcards.paper}"
    script:
        "../scripts/render_page.py"


rule render_home:
    """The page that leads to the papers': verdicts, logs and how all of it was made."""
    input:
        template="workflow/report/index.html.j2",
        shared=collect("workflow/report/{shared}.html.j2", shared=["base", "macros"]),
        pages=collect("results/report/{paper}.html", paper=PAGES),
        comparisons=[
            path
            for paper in PAGES
            for path in files_of_page(paper)
            if path.endswith("_comparison.csv")
        ],
        fetched=records_of_logs(*PAGES),
        sources=sources("comparison.py", "report", "tables.py"),
    output:
        html="results/report/index.html",
    log:
        "results/logs/render_home.log",
    localrule: True
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        papers={paper: heading_of_page(paper) for paper in PAGES},
        config=config,
        scale="quick" if config["pieces_limit"] else "paper",
    message:
        "Rendering the report"
    script:
        "../scripts/render_home.py"

"""What a site's results say, and its report."""


rule judge_site:
    """Compare schedulers and answer which order the site should run."""
    input:
        metrics=rules.fight_site.output.metrics,
        facts=rules.fight_site.output.facts,
        losers=rules.fight_site.output.losers,
        learned="<results>/policies/learned.csv",
        log=log_of_site,
        held_out=rules.train_site.output.held_out_csv,
    output:
        **files_of_site(
            "survivors", *METRICS, "losers", "absent", "fig_survivors", "fig_ratios"
        ),
        answer=text_of_site("answer"),
        arena=text_of_site("arena_said"),
        slurm=text_of_site("slurm"),
    log:
        "<logs>/judge_site.log",
    benchmark:
        "<benchmarks>/judge_site.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes_of(10),
    params:
        site=config["site"],
        own=config["policies"],
        advice=config["advice"],
    message:
        "Judging what the site should run"
    script:
        "../../scripts/site/judge_site.py"


rule render_site:
    """The site's report, which stands alone: no shelf of papers, and never a model for its log."""
    input:
        template=of_workflow(f"{TEMPLATES}/{SITE}/page.html.j2"),
        shared=SHARED_TEMPLATES,
        files=files_of_page(SITE),
        captions=captions_of_page(SITE).values(),
    output:
        html=f"<results>/report/{SITE}.html",
    log:
        "<logs>/render_site.log",
    benchmark:
        "<benchmarks>/render_site.tsv"
    localrule: True
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes_of(5),
    params:
        paper=heading_of_page(SITE) | {"papers": []},
        captions=captions_of_page(SITE),
        config=config | {"source": "logs"},
    message:
        "Rendering the site's report"
    script:
        "../../scripts/site/render_site.py"

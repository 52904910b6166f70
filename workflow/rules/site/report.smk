"""A site's report."""


rule render_site:
    """Render the site's report and its pages of details, without links to papers and models."""
    input:
        words=of_workflow(f"resources/{SITE}/words.yaml"),
        shared=SHARED_TEMPLATES,
        blocks=blocks_of_page(SITE),
        files=files_of_page(SITE),
    output:
        html=f"<results>/report/{SITE}.html",
        details=directory(f"<results>/report/{SITE}"),
    log:
        "<logs>/render_site.log",
    benchmark:
        "<benchmarks>/render_site.tsv"
    localrule: True
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

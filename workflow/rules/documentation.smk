"""The documentation, with the figures of this run in its gallery."""


rule documentation:
    """Build the documentation of this checkout; its gallery has the figures of a quick report."""
    input:
        settings=of_workflow("mkdocs.yml"),
        pages=sorted(map(str, Path(of_workflow("docs")).rglob("*.md"))),
        figures=[
            path
            for paper in PAPERS
            for path in files_of_paper(paper)
            if path.endswith(".png")
        ],
    output:
        home="build/site/index.html",
        referee="build/site/papers/referee.html",
    log:
        "<logs>/documentation.log",
    benchmark:
        "<benchmarks>/documentation.tsv"
    localrule: True
    conda:
        "../../environment.yml"
    resources:
        **measured("documentation", mem_mb=1000, minutes=5),
    params:
        # the checkout's own Python: mkdocs is a tool of its developers
        python=sys.executable,
        site=lambda wildcards, output: os.path.abspath(os.path.dirname(output.home)),
    message:
        "Building the documentation"
    shell:
        "NO_MKDOCS_2_WARNING=1 {params.python} -m mkdocs build --config-file {input.settings} "
        "--site-dir {params.site} > {log} 2>&1"

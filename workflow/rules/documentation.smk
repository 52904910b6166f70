"""The documentation, with the figures of the quick report in its gallery."""


rule documentation:
    """Build the documentation of this checkout; at the quick scale with the figures of this run."""
    input:
        settings=of_workflow("mkdocs.yml"),
        tables=of_workflow("config/README.md"),
        maker=of_workflow("docs/made.py"),
        pages=sorted(map(str, Path(of_workflow("docs")).rglob("*.md"))),
        assets=sorted(map(str, Path(of_workflow("docs/assets")).iterdir())),
        figures=[
            path
            for study in (BUILT if config["scale"] == "quick" else [])
            for path in files_of_paper(study)
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
        mem_mb=1000,
        runtime=5,
    params:
        # the checkout's own Python: mkdocs is a tool of its developers
        python=sys.executable,
        site=lambda wildcards, output: os.path.abspath(os.path.dirname(output.home)),
    message:
        "Building the documentation"
    shell:
        "NO_MKDOCS_2_WARNING=1 {params.python} -m mkdocs build --config-file {input.settings} "
        "--site-dir {params.site} > {log} 2>&1"

"""A run as a Workflow Run RO-Crate, and the page for artifact evaluation: `snakemake crate`."""


rule write_crate:
    """Copy compared tables with their checksums, rules, minutes and versions into one folder."""
    input:
        template=of_workflow(f"{TEMPLATES}/artifact.md.j2"),
        snakefile=of_workflow("workflow/Snakefile"),
        scoreboard=rules.make_scoreboard.output.csv,
        facts=rules.make_scoreboard.output.facts,
        expected=EXPECTED,
        published=[of_workflow(f"resources/{paper}/published.tsv") for paper in SCORED],
        sheets=[sheet_of(paper) for paper in SCORED],
        compared=[path for files in files_scored().values() for path in files],
        fetched=records_of_logs(*PAPERS),
    output:
        metadata="<results>/crate/ro-crate-metadata.json",
        package="<results>/crate/datapackage.json",
        artifact="<results>/report/artifact.md",
    log:
        "<logs>/write_crate.log",
    benchmark:
        "<benchmarks>/write_crate.tsv"
    localrule: True
    resources:
        **measured("write_crate", mem_mb=500, minutes=5),
    params:
        files={
            paper: [as_written(path) for path in files]
            for paper, files in files_scored().items()
        },
        inputs={
            EXPECTED: "expected.tsv",
            **{
                of_workflow(
                    f"resources/{paper}/published.tsv"
                ): f"published/{paper}.tsv"
                for paper in SCORED
            },
            **{sheet_of(paper): f"sheets/{paper}.tsv" for paper in SCORED},
        },
        papers={
            paper: {
                "title": PAGES[paper]["title"],
                "venue": PAGES[paper]["venue"],
                "page": of_workflow_if_any(f"docs/papers/{paper}.md"),
            }
            for paper in SCORED
        },
        scored={paper: str(path) for paper, path in SCORED.items()},
        addresses={name: list(entry.urls) for name, entry in {**LOGS, **POOLS}.items()},
        scale=config["scale"],
        records=job_records,
        logs=f"{RESULTS}/logs",
        benchmarks=f"{RESULTS}/benchmarks",
    message:
        "Writing the crate of this run"
    script:
        "../scripts/report/write_crate.py"


rule crate:
    """Write the crate, and the page for artifact evaluation."""
    input:
        rules.write_crate.output,
    message:
        "The crate is written"

"""The scoreboard: every published number with the computed one, and `snakemake verify`."""

EXPECTED = of_workflow("resources/expected.tsv")
# The command that makes a file of this run; {} is its path.
COMMAND = " ".join(
    [
        f"{program('snakemake')} --cores all {{}}",
        *(
            f"--configfile {path}"
            for path in dict.fromkeys(map(path_from_here, workflow.configfiles))
            if path != "config/config.yaml"
        ),
    ]
)


rule make_scoreboard:
    """A row per published number: computed, the verdict, how it came about and how long it took."""
    input:
        scored=list(SCORED.values()),
        compared=[path for files in files_scored().values() for path in files],
    output:
        csv="<results>/report/scoreboard.csv",
        facts="<results>/report/run.json",
    log:
        "<logs>/make_scoreboard.log",
    benchmark:
        "<benchmarks>/make_scoreboard.tsv"
    localrule: True
    resources:
        **measured("make_scoreboard", mem_mb=500, minutes=5),
    params:
        files={
            paper: [as_written(path) for path in files]
            for paper, files in files_scored().items()
        },
        command=COMMAND,
        home=str(HOME or ""),
        make=COMMAND.replace("{}", f"{RESULTS}/figures/{{}}"),
        records=job_records,
        logs=f"{RESULTS}/logs",
        benchmarks=f"{RESULTS}/benchmarks",
    message:
        "Making the scoreboard"
    script:
        "../scripts/report/make_scoreboard.py"


rule verify:
    """Print the scoreboard as a table; fail if a verdict is worse than the committed one."""
    input:
        scoreboard=rules.make_scoreboard.output.csv,
        expected=EXPECTED,
    log:
        "<logs>/verify.log",
    localrule: True
    message:
        "Holding every verdict against the committed one"
    script:
        "../scripts/report/verify.py"

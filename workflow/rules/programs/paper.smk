"""The search of policies as expressions: `snakemake --cores 2 programs`, which is no part of `all`."""

from schedlab.studies.programs.items import MADE as PROGRAMS_MADE

SEARCHED = config["programs"]
PROGRAM_LOGS = [*SEARCHED["training"], *SEARCHED["test"]]
PROGRAM_SIZES = {
    name: MODEL_SIZES[name] if name in MODELS else LOGS[name].processors
    for name in PROGRAM_LOGS
}
PROGRAM_NETWORKS = weights_of(*published())
FRONT = f"{PROGRAMS_MADE}/front.parquet"


rule search_programs:
    """Search expressions on the first halves of logs; an interrupted job resumes where it stopped."""
    input:
        jobs=[jobs_of_workload(name, "full_estimate") for name in SEARCHED["training"]],
    output:
        front=FRONT,
    log:
        "<logs>/search_programs.log",
    benchmark:
        "<benchmarks>/search_programs.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("search_programs", mem_mb=2000, minutes=30),
    params:
        settings=SEARCHED,
        processors=PROGRAM_SIZES,
        advice=config["advice"],
    message:
        "Searching policies as expressions"
    script:
        "../../scripts/programs/search_programs.py"


rule judge_programs:
    """Run found and known policies on windows that the search has not seen."""
    input:
        front=FRONT,
        jobs=[jobs_of_workload(name, "full_estimate") for name in PROGRAM_LOGS],
        networks=[*PROGRAM_NETWORKS.values()],
    output:
        measured=f"{PROGRAMS_MADE}/measured.parquet",
    log:
        "<logs>/judge_programs.log",
    benchmark:
        "<benchmarks>/judge_programs.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("judge_programs", mem_mb=2000, minutes=15),
    params:
        settings=SEARCHED,
        processors=PROGRAM_SIZES,
        weights=PROGRAM_NETWORKS,
        points=config["site"]["points"],
        advice=config["advice"],
    message:
        "Judging found policies on other windows"
    script:
        "../../scripts/programs/judge_programs.py"


rule export_program:
    """Export the best expression to Slurm, and try it on the synthetic site."""
    input:
        front=FRONT,
    output:
        policy=f"{PROGRAMS_MADE}/policy.json",
        slurm=directory(f"{PROGRAMS_MADE}/slurm"),
        site=f"{PROGRAMS_MADE}/site.parquet",
    log:
        "<logs>/export_program.log",
    benchmark:
        "<benchmarks>/export_program.tsv"
    group:
        "long"
    resources:
        **measured("export_program", mem_mb=2000, minutes=10),
    params:
        jobs=SEARCHED["site_jobs"],
    message:
        "Exporting the best expression to Slurm"
    script:
        "../../scripts/programs/export_program.py"

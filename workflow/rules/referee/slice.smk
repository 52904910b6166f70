"""A slice of a whole site, its recordings on a real Slurm, and what the repository keeps of them.

The items need the slice and what is kept, not a Slurm. `snakemake --cores 2 record_slices` makes the
recordings again; then copy slice.tsv and slice-passes.tsv to resources/referee.
"""


rule cut_slice:
    """Cut nodes, jobs and settings from the files of a site in the archive, if they are there."""
    input:
        files_of_whole_site(),
    output:
        jobs=SLICE_JOBS,
        files=directory(SLICE_FILES),
    log:
        "<logs>/cut_slice.log",
    benchmark:
        "<benchmarks>/cut_slice.tsv"
    group:
        "prepare"
    resources:
        mem_mb=mb(1000),
        runtime=minutes_of(5),
    message:
        "Cutting the slice of a site"
    script:
        "../../scripts/referee/cut_slice.py"


rule record_slice:
    """Record the slice on a real Slurm, which is started for it alone, as root, on Debian."""
    input:
        jobs=SLICE_JOBS,
        files=SLICE_FILES,
    output:
        **{name: f"{SLICE_RECORDINGS}/{file}" for name, file in RECORDED_FILES.items()},
    log:
        messages="<logs>/record_slice/{repetition}.log",
        slurm="<logs>/record_slice/{repetition}.slurm.log",
    benchmark:
        "<benchmarks>/record_slice/{repetition}.tsv"
    wildcard_constraints:
        repetition=r"\d+",
    localrule: True
    threads: 1
    resources:
        mem_mb=mb(4000),
        runtime=minutes_of(60),
    params:
        factor=config["referee"]["factor"],
    message:
        "A real Slurm has the slice of a site, repetition {wildcards.repetition}"
    script:
        "../../scripts/referee/record_slice.py"


rule record_slices:
    """Write what the repository keeps of the recordings; the folder is one for the tests."""
    input:
        jobs=SLICE_JOBS,
        files=SLICE_FILES,
        runs=collect(
            f"{SLICE_RECORDINGS}/run{{repetition}}.csv", repetition=REPETITIONS
        ),
        decisions=collect(
            f"{SLICE_RECORDINGS}/log{{repetition}}.txt.gz", repetition=REPETITIONS
        ),
    output:
        recorded=f"{SLICE_RECORDINGS}/slice.tsv",
        passes=f"{SLICE_RECORDINGS}/slice-passes.tsv",
        files=collect(f"{SLICE_RECORDINGS}/{{name}}", name=SLICE_COPIES),
    log:
        "<logs>/record_slices.log",
    benchmark:
        "<benchmarks>/record_slices.tsv"
    localrule: True
    resources:
        mem_mb=mb(1000),
        runtime=minutes_of(5),
    message:
        "Writing what is kept of the recordings"
    script:
        "../../scripts/referee/keep_slice.py"

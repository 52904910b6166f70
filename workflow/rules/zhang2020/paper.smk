"""Published neural policies on trial: results/simulations/zhang2020/."""

ZHANG = "zhang2020"


include: "inputs.smk"


wildcard_constraints:
    trial=one_of(EXPERIMENTS[ZHANG]),


rule try_policies:
    """Run random windows of a log under heuristics and the policy trained on it, choice by choice."""
    input:
        jobs=lambda wildcards: files_of_jobs([trial(wildcards)]),
        network=lambda wildcards: [*weights_of(trial(wildcards).policy).values()],
    output:
        results=f"<results>/simulations/{ZHANG}/{{trial}}.parquet",
    log:
        "<logs>/try_policies/{trial}.log",
    benchmark:
        "<benchmarks>/try_policies/{trial}.tsv"
    group:
        "simulate"
    threads: threads_of_job
    resources:
        **measured("try_policies", mem_mb=2000, minutes=30),
    params:
        row=lambda wildcards: cells_of(trial(wildcards)),
        source=lambda wildcards: places_of_jobs([trial(wildcards)])[
            trial(wildcards).source
        ],
    message:
        "Trying {wildcards.trial}'s policies"
    script:
        "../../scripts/zhang2020/try_policies.py"

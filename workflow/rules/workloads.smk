"""Workloads drawn from models: results/workloads/."""


rule generate_workload:
    """Draw a workload from a model; the stream is keyed by its name, whatever the number of cores."""
    input:
        sources=sources("workloads"),
    output:
        jobs="results/workloads/{model}.parquet",
    log:
        "results/logs/generate_workload/{model}.log",
    benchmark:
        "results/benchmarks/generate_workload/{model}.tsv"
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        model=entry_of_model,
    message:
        "Drawing {wildcards.model}"
    script:
        "../scripts/generate_workload.py"

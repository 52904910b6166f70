"""Workloads drawn from models: results/workloads/."""


rule generate_workload:
    """Draw a workload from a model; its name keys the random stream."""
    output:
        jobs="<results>/workloads/{model}.parquet",
    log:
        "<logs>/generate_workload/{model}.log",
    benchmark:
        "<benchmarks>/generate_workload/{model}.tsv"
    group:
        "prepare"
    resources:
        **measured("generate_workload"),
    params:
        model=entry_of_model,
    message:
        "Drawing {wildcards.model}"
    script:
        "../scripts/workloads/generate_workload.py"

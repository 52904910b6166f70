"""A workflow by each strategy on a real Slurm."""


rule run_strategy:
    """Run a workflow by a strategy on a real Slurm, under the load of a window's jobs."""
    input:
        jobs=window_of(STRATEGIES_LOG),
        workflow=here_or_of_workflow("config/referee-workflow.yaml"),
    output:
        stages=f"<results>/simulations/{REFEREE}/strategy.{{strategy}}.parquet",
    log:
        messages="<logs>/run_strategy/{strategy}.log",
        slurm="<logs>/run_strategy/{strategy}.slurm.log",
    benchmark:
        "<benchmarks>/run_strategy/{strategy}.tsv"
    wildcard_constraints:
        strategy=one_of(STRATEGIES_TYPED),
    localrule: True
    threads: 1
    resources:
        mem_mb=mb(2000),
        runtime=minutes_of(30),
    params:
        factor=config["referee"]["factor"],
        strategy=lambda wildcards: STRATEGIES_TYPED[wildcards.strategy],
    message:
        "A real Slurm runs a workflow by {wildcards.strategy}"
    script:
        "../../scripts/referee/run_strategy.py"

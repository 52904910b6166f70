"""From experiments to metrics: results/simulations/, one job a row and set of policies."""


rule simulate_experiment:
    """Run policies of an experiment on every piece, all of them in one call over threads.

    They are those of the row, those that are learned here, or one of yours.
    """
    input:
        pieces=pieces_of_experiment,
        learned=learned_policies,
    output:
        metrics="<results>/simulations/{paper}/{policies}/{experiment}.parquet",
    log:
        "<logs>/simulate_experiment/{paper}/{policies}/{experiment}.log",
    benchmark:
        "<benchmarks>/simulate_experiment/{paper}/{policies}/{experiment}.tsv"
    group:
        "simulate"
    threads: threads_of_experiment
    resources:
        mem_mb=by_length(1400, 900),
        runtime=by_length(20, 2),
        turn=1,
    params:
        settings=settings_of_experiment,
        registered=lambda wildcards: wildcards.policies == SHEET,
        expressions=expressions_of_experiment,
    message:
        "Simulating {wildcards.experiment} ({wildcards.policies})"
    script:
        "../scripts/queue/simulate_experiment.py"

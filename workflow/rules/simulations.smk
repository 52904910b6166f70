"""Experiments to metrics, one job a row of the sheet: results/simulations/."""


rule simulate_experiment:
    """Run every policy of an experiment on every piece, all of them in one call over threads."""
    input:
        pieces=pieces_of_experiment,
        sources=sources(
            "dialects.py",
            "jobs.py",
            "kernels",
            "metrics.py",
            "policies",
            "sequences.py",
            "sessions.py",
            "simulation.py",
            "threads.py",
            "traces/splitting.py",
        ),
    output:
        metrics="results/simulations/{paper}/{experiment}.parquet",
    log:
        "results/logs/simulate_experiment/{paper}/{experiment}.log",
    benchmark:
        "results/benchmarks/simulate_experiment/{paper}/{experiment}.tsv"
    conda:
        "../../environment.yml"
    threads: threads_of_experiment
    resources:
        mem_mb=3000,
        runtime=30,
    params:
        settings=settings_of_experiment,
        own_policies=config["policies"],
    message:
        "Simulating {wildcards.experiment}"
    script:
        "../scripts/simulate_experiment.py"


rule simulate_learned:
    """Run the learned policies of ours on every piece of an experiment, as the registered ones."""
    input:
        pieces=pieces_of_experiment,
        learned="results/policies/learned.csv",
        sources=sources(
            "dialects.py",
            "jobs.py",
            "kernels",
            "metrics.py",
            "policies",
            "sequences.py",
            "sessions.py",
            "simulation.py",
            "threads.py",
            "traces/splitting.py",
        ),
    output:
        metrics="results/simulations/{paper}/learned/{experiment}.parquet",
    log:
        "results/logs/simulate_learned/{paper}/{experiment}.log",
    benchmark:
        "results/benchmarks/simulate_learned/{paper}/{experiment}.tsv"
    conda:
        "../../environment.yml"
    threads: threads_of_experiment
    resources:
        mem_mb=3000,
        runtime=30,
    params:
        settings=settings_of_experiment,
    message:
        "Simulating {wildcards.experiment} under the learned policies"
    script:
        "../scripts/simulate_learned.py"

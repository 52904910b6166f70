"""Weeks and months to metrics of pure and mixed policies: results/mixed/."""

MIXED = "results/mixed/{periods}"


wildcard_constraints:
    scaling="deviation|none",


rule simulate_pure:
    """Run the pure policies on every period, under every threshold, and measure the features."""
    input:
        pieces=pieces_of_periods,
        sources=sources(
            "dialects.py",
            "jobs.py",
            "kernels",
            "learning/mixed.py",
            "learning/periods.py",
            "learning/resume.py",
            "learning/surface.py",
            "metrics.py",
            "policies",
            "sessions.py",
            "simulation.py",
            "threads.py",
            "workloads",
        ),
    output:
        metrics=f"{MIXED}.pure.parquet",
        scales=f"{MIXED}.scales.parquet",
    log:
        "results/logs/simulate_pure/{periods}.log",
    benchmark:
        "results/benchmarks/simulate_pure/{periods}.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        numbers=cell_of_periods("numbers"),
        processors=cell_of_periods("processors"),
        policies=cell_of_periods("policies"),
        thresholds=cell_of_periods("thresholds"),
    message:
        "Running the pure policies on {wildcards.periods}"
    script:
        "../scripts/simulate_pure.py"


rule cover_space:
    """Simulate all periods of a trace under all weights of the grid; an interrupted job goes on by period."""
    input:
        pieces=pieces_of_periods,
        scales=f"{MIXED}.scales.parquet",
        sources=sources(
            "dialects.py",
            "jobs.py",
            "kernels",
            "learning/mixed.py",
            "learning/periods.py",
            "learning/resume.py",
            "learning/surface.py",
            "metrics.py",
            "policies",
            "sessions.py",
            "simulation.py",
            "threads.py",
            "workloads",
        ),
    output:
        surface=f"{MIXED}.{{scaling}}.surface.parquet",
    log:
        "results/logs/cover_space/{periods}.{scaling}.log",
    benchmark:
        "results/benchmarks/cover_space/{periods}.{scaling}.tsv"
    conda:
        "../../environment.yml"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        numbers=cell_of_periods("numbers"),
        processors=cell_of_periods("processors"),
        threshold=cell_of_periods("threshold"),
        scaled=lambda wildcards: wildcards.scaling == "deviation",
        points=points_of_periods,
    message:
        "Covering the space of weights of {wildcards.periods} (scaling: {wildcards.scaling})"
    script:
        "../scripts/cover_space.py"


rule search_weights:
    """Search every period's best weights by xNES; an interrupted job goes on where it stopped."""
    input:
        pieces=pieces_of_periods,
        scales=f"{MIXED}.scales.parquet",
        sources=sources(
            "dialects.py",
            "jobs.py",
            "kernels",
            "learning/mixed.py",
            "learning/periods.py",
            "learning/resume.py",
            "learning/surface.py",
            "metrics.py",
            "policies",
            "sessions.py",
            "simulation.py",
            "threads.py",
            "workloads",
        ),
    output:
        found=f"{MIXED}.search.parquet",
    log:
        "results/logs/search_weights/{periods}.log",
    benchmark:
        "results/benchmarks/search_weights/{periods}.tsv"
    conda:
        "../../environment.yml"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        numbers=cell_of_periods("numbers"),
        processors=cell_of_periods("processors"),
        threshold=cell_of_periods("threshold"),
        settings=config["legrand2018"]["search"],
        key=key_of_search,
    message:
        "Searching the weights of {wildcards.periods}"
    script:
        "../scripts/search_weights.py"


rule vary_search:
    """Search once more without scaling and with other settings."""
    input:
        pieces=pieces_of_periods,
        scales=f"{MIXED}.scales.parquet",
        sources=sources(
            "dialects.py",
            "jobs.py",
            "kernels",
            "learning/mixed.py",
            "learning/periods.py",
            "learning/resume.py",
            "learning/surface.py",
            "metrics.py",
            "policies",
            "sessions.py",
            "simulation.py",
            "threads.py",
            "workloads",
        ),
    output:
        found=f"{MIXED}.varied.parquet",
    log:
        "results/logs/vary_search/{periods}.log",
    benchmark:
        "results/benchmarks/vary_search/{periods}.tsv"
    conda:
        "../../environment.yml"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        numbers=cell_of_periods("numbers"),
        processors=cell_of_periods("processors"),
        threshold=cell_of_periods("threshold"),
        settings=config["legrand2018"]["search"],
        variations=config["legrand2018"]["variations"],
        key=key_of_search,
    message:
        "Varying the search of {wildcards.periods}"
    script:
        "../scripts/vary_search.py"

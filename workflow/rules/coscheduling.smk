"""Pools, and co-schedules on them: results/pools/, results/simulations/kellari2025/ (metrics) and
results/schedules/kellari2025/ (what is kept job by job), a file per item of the sheet.
"""

TABLE4_1 = "resources/kellari2025/table4_1.tsv"


rule make_pool:
    """Read a pool; where it is not at hand the applications of Table 4.1 stand in, labelled."""
    input:
        unpack(raw_pool),
        table4_1=TABLE4_1,
        sources=sources("cosched/pool.py", "cosched/pairs.py"),
    output:
        frame="results/pools/{pool}.parquet",
    log:
        "results/logs/make_pool/{pool}.log",
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Reading the pool {wildcards.pool}"
    script:
        "../scripts/make_pool.py"


rule simulate_coschedulers:
    """Run every scheduler on every workload of an item's experiments, over threads."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        pools=frames_of_item,
        arrivals=arrivals_of_item,
        orders=files_of_orders(),
        sources=sources(
            "cosched/arrays.py",
            "cosched/campaign.py",
            "cosched/experiments.py",
            "cosched/machine.py",
            "cosched/metrics.py",
            "cosched/pairs.py",
            "cosched/pool.py",
            "cosched/schedulers.py",
            "cosched/simulation.py",
            "cosched/speeds.py",
            "kernels",
            "threads.py",
            "workloads",
        ),
    output:
        metrics="results/simulations/kellari2025/{coitem}.parquet",
    log:
        "results/logs/simulate_coschedulers/{coitem}.log",
    benchmark:
        "results/benchmarks/simulate_coschedulers/{coitem}.tsv"
    conda:
        "../../environment.yml"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        names=names_of_item,
        limit=config["kellari2025"]["workloads_limit"],
        orders=config["orders"],
        pools=pools_of_item,
        arrivals=with_arrivals,
    message:
        "Simulating {wildcards.coitem} of kellari2025"
    script:
        "../scripts/simulate_coschedulers.py"


rule keep_coschedules:
    """Run an item's experiments and keep their schedules job by job."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        pools=frames_of_item,
        orders=files_of_orders(),
        sources=sources(
            "cosched/arrays.py",
            "cosched/campaign.py",
            "cosched/experiments.py",
            "cosched/machine.py",
            "cosched/metrics.py",
            "cosched/pairs.py",
            "cosched/pool.py",
            "cosched/schedulers.py",
            "cosched/simulation.py",
            "cosched/speeds.py",
            "kernels",
            "threads.py",
            "workloads",
        ),
    output:
        schedules="results/schedules/kellari2025/{coitem}.parquet",
    log:
        "results/logs/keep_coschedules/{coitem}.log",
    benchmark:
        "results/benchmarks/keep_coschedules/{coitem}.tsv"
    conda:
        "../../environment.yml"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=20,
    params:
        names=names_of_item,
        limit=config["kellari2025"]["workloads_limit"],
        orders=config["orders"],
        pools=pools_of_item,
    message:
        "Simulating {wildcards.coitem} of kellari2025, job by job"
    script:
        "../scripts/keep_coschedules.py"

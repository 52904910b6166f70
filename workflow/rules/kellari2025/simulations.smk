"""Pools, and co-schedules on them, one job and file per experiment.

Pools go to results/pools/, metrics to results/simulations/kellari2025/, schedules job by job to
results/schedules/kellari2025/.
"""


rule make_pool:
    """Read a pool; if it is not available, use the applications of Table 4.1, labeled."""
    input:
        unpack(raw_pool),
        table4_1=TABLE4_1,
    output:
        frame="<results>/pools/{pool}.parquet",
    log:
        "<logs>/make_pool/{pool}.log",
    benchmark:
        "<benchmarks>/make_pool/{pool}.tsv"
    group:
        "prepare"
    resources:
        **measured("make_pool"),
    message:
        "Reading the pool {wildcards.pool}"
    script:
        "../../scripts/kellari2025/make_pool.py"


rule simulate_coschedulers:
    """Run every scheduler of an experiment, or a policy of yours, on every workload."""
    input:
        pool=pool_of_coexperiment,
        arrivals=arrivals_of_coexperiment,
        orders=files_of_orders,
    output:
        metrics="<results>/simulations/kellari2025/{experiment}.{policies}.parquet",
    log:
        "<logs>/simulate_coschedulers/{experiment}.{policies}.log",
    benchmark:
        "<benchmarks>/simulate_coschedulers/{experiment}.{policies}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[KELLARI]),
        policies=one_of({SHEET, *config["policies"]}),
    group:
        "simulate"
    threads: threads_of_job
    resources:
        **measured("simulate_coschedulers", mem_mb=2000, minutes=60),
    params:
        settings=settings_of_coexperiment,
        policies=expressions_of_experiment,
        orders=orders_of_coexperiment,
    message:
        "Simulating {wildcards.experiment} of kellari2025 ({wildcards.policies})"
    script:
        "../../scripts/kellari2025/simulate_coschedulers.py"


rule keep_coschedules:
    """Run an experiment and store its schedules job by job."""
    input:
        pool=pool_of_coexperiment,
        orders=files_of_orders,
    output:
        schedules="<results>/schedules/kellari2025/{experiment}.parquet",
    log:
        "<logs>/keep_coschedules/{experiment}.log",
    benchmark:
        "<benchmarks>/keep_coschedules/{experiment}.tsv"
    wildcard_constraints:
        experiment=one_of(EXPERIMENTS[KELLARI]),
    group:
        "simulate"
    threads: threads_of_job
    resources:
        **measured("keep_coschedules", mem_mb=2000, minutes=20),
    params:
        settings=settings_of_coexperiment,
        orders=orders_of_coexperiment,
    message:
        "Simulating {wildcards.experiment} of kellari2025, job by job"
    script:
        "../../scripts/kellari2025/keep_coschedules.py"

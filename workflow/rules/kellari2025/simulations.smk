"""Pools, and co-schedules on them: results/pools/, results/simulations/kellari2025/ (metrics) and
results/schedules/kellari2025/ (what is kept job by job), a file per item of the sheet.
"""


rule make_pool:
    """Read a pool; where it is not at hand the applications of Table 4.1 stand in, labelled."""
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
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(500),
        runtime=minutes(5),
    message:
        "Reading the pool {wildcards.pool}"
    script:
        "../../scripts/kellari2025/make_pool.py"


rule simulate_coschedulers:
    """Run every scheduler on every workload of an item's experiments, over threads."""
    input:
        pools=frames_of_item,
        arrivals=arrivals_of_item,
        orders=files_of_orders(),
    output:
        metrics="<results>/simulations/kellari2025/{coitem}.parquet",
    log:
        "<logs>/simulate_coschedulers/{coitem}.log",
    benchmark:
        "<benchmarks>/simulate_coschedulers/{coitem}.tsv"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        mem_mb=mb(2000),
        runtime=minutes(60),
    params:
        rows=rows_of_item,
        orders=config["orders"],
        pools=pools_of_item,
        arrivals=with_arrivals,
    message:
        "Simulating {wildcards.coitem} of kellari2025"
    script:
        "../../scripts/kellari2025/simulate_coschedulers.py"


rule keep_coschedules:
    """Run an item's experiments and keep their schedules job by job."""
    input:
        pools=frames_of_item,
        orders=files_of_orders(),
    output:
        schedules="<results>/schedules/kellari2025/{coitem}.parquet",
    log:
        "<logs>/keep_coschedules/{coitem}.log",
    benchmark:
        "<benchmarks>/keep_coschedules/{coitem}.tsv"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        mem_mb=mb(2000),
        runtime=minutes(20),
    params:
        rows=rows_of_item,
        orders=config["orders"],
        pools=pools_of_item,
    message:
        "Simulating {wildcards.coitem} of kellari2025, job by job"
    script:
        "../../scripts/kellari2025/keep_coschedules.py"

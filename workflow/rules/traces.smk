"""Raw logs to clean jobs: results/traces/raw/, results/traces/clean/; raw pools: results/pools/raw/."""


rule fetch_log:
    """Take a log from the archive's folders or its addresses; one that is nowhere has no jobs."""
    input:
        schema=schema_of("traces"),
        registry=ancient(REGISTRY_OF["traces"]),
    output:
        text="resources/raw/{log}.swf",
        record="resources/raw/{log}.json",
    log:
        "<logs>/fetch_log/{log}.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    resources:
        mem_mb=mb(500),
        runtime=minutes(30),
    params:
        kind="log",
        attempt=attempt_at_log,
    message:
        "Fetching {wildcards.log}"
    script:
        "../scripts/traces/fetch_log.py"


use rule fetch_log as fetch_pool with:
    input:
        schema=schema_of("pools"),
        registry=ancient(REGISTRY_OF["pools"]),
    output:
        text="resources/raw/pools/{pool}.json",
        record="resources/raw/pools/{pool}.record.json",
    log:
        "<logs>/fetch_pool/{pool}.log",
    params:
        kind="pool",
        attempt=attempt_at_pool,
    message:
        "Fetching the pool {wildcards.pool}"


rule clean_log:
    """Turn a log into jobs by a named rule set, with every change in the ledger."""
    input:
        text="resources/raw/{log}.swf",
    output:
        jobs="<results>/traces/clean/{log}.{cleaning}.parquet",
        ledger="<results>/traces/clean/{log}.{cleaning}.ledger.parquet",
    log:
        "<logs>/clean_log/{log}.{cleaning}.log",
    benchmark:
        "<benchmarks>/clean_log/{log}.{cleaning}.tsv"
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes(5),
    message:
        "Cleaning {wildcards.log} by {wildcards.cleaning}"
    script:
        "../scripts/traces/clean_log.py"


rule split_pieces:
    """Cut jobs into the pieces that experiments run on."""
    input:
        jobs=jobs_of_source,
    output:
        pieces="<results>/pieces/{source}.{cleaning}.{split}.parquet",
    log:
        "<logs>/split_pieces/{source}.{cleaning}.{split}.log",
    benchmark:
        "<benchmarks>/split_pieces/{source}.{cleaning}.{split}.tsv"
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes(5),
    message:
        "Cutting {wildcards.source} into {wildcards.split}"
    script:
        "../scripts/traces/split_pieces.py"

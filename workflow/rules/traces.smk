"""From raw logs and pools (resources/raw/, resources/raw/pools/) to clean jobs (traces/clean/)."""


rule fetch_log:
    """Take a log from the archive's folders or its addresses; one that is not found has no jobs.

    The registry determines the file, not the code that fetches it: editing sources does not fetch
    it again. Outputs are updated, not removed beforehand, and a correct file stays.
    """
    input:
        schema=ancient(schema_of("traces")),
        registry=ancient(REGISTRY_OF["traces"]),
        stale=fetch_stale_log,
    output:
        text=update("resources/raw/{log}.swf"),
        record=update("resources/raw/{log}.json"),
    log:
        "<logs>/fetch_log/{log}.log",
    retries: 0
    localrule: True
    resources:
        mem_mb=mb(500),
        runtime=minutes_of(30),
    params:
        code="any",
        kind="log",
        name=lambda wildcards: wildcards.log,
        attempt=attempt_at_log,
    message:
        "Fetching {wildcards.log}"
    script:
        "../scripts/traces/fetch_log.py"


localrules:
    fetch_pool,


use rule fetch_log as fetch_pool with:
    input:
        schema=ancient(schema_of("pools")),
        registry=ancient(REGISTRY_OF["pools"]),
        stale=fetch_stale_pool,
    output:
        text=update("resources/raw/pools/{pool}.json"),
        record=update("resources/raw/pools/{pool}.record.json"),
    log:
        "<logs>/fetch_pool/{pool}.log",
    params:
        code="any",
        kind="pool",
        name=lambda wildcards: wildcards.pool,
        attempt=attempt_at_pool,
    message:
        "Fetching the pool {wildcards.pool}"


rule clean_log:
    """Turn a log into jobs by a named rule set, with every change in the ledger.

    One that is not available has the jobs of the model that draws it, where there is one.
    """
    input:
        text="resources/raw/{log}.swf",
        model=model_of_log,
    output:
        jobs="<results>/traces/clean/{log}.{cleaning}.parquet",
        ledger="<results>/traces/clean/{log}.{cleaning}.ledger.parquet",
    log:
        "<logs>/clean_log/{log}.{cleaning}.log",
    benchmark:
        "<benchmarks>/clean_log/{log}.{cleaning}.tsv"
    group:
        "prepare"
    resources:
        **measured("clean_log", mem_mb=2000, minutes=5),
    params:
        estimated=estimates_of_log,
    message:
        "Cleaning {wildcards.log} by {wildcards.cleaning}"
    script:
        "../scripts/traces/clean_log.py"


rule split_pieces:
    """Cut jobs into the pieces on which experiments run."""
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
    resources:
        **measured("split_pieces", mem_mb=2000, minutes=5),
    message:
        "Cutting {wildcards.source} into {wildcards.split}"
    script:
        "../scripts/traces/split_pieces.py"

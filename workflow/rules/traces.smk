"""Raw logs to clean jobs: results/traces/raw/, results/traces/clean/; raw pools: results/pools/raw/."""


rule fetch_log:
    """Take a log from the archive's folders or its addresses; one that is nowhere has no jobs."""
    input:
        schema=SCHEMAS / "traces.schema.yaml",
        registry=ancient(config["sheets"]["traces"]),
        sources=sources(
            "traces/archive.py",
            "traces/download.py",
            "traces/registry.py",
            "traces/verify.py",
        ),
    output:
        text="results/traces/raw/{log}.swf",
        record="results/traces/raw/{log}.json",
    log:
        "results/logs/fetch_log/{log}.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
        runtime=30,
    params:
        kind="log",
        attempt=attempt_at_log,
    message:
        "Fetching {wildcards.log}"
    script:
        "../scripts/fetch_log.py"


use rule fetch_log as fetch_pool with:
    input:
        schema=SCHEMAS / "pools.schema.yaml",
        registry=ancient(config["sheets"]["pools"]),
        sources=sources(
            "traces/archive.py",
            "traces/download.py",
            "traces/registry.py",
            "traces/verify.py",
        ),
    output:
        text="results/pools/raw/{pool}.json",
        record="results/pools/raw/{pool}.record.json",
    log:
        "results/logs/fetch_pool/{pool}.log",
    params:
        kind="pool",
        attempt=attempt_at_pool,
    message:
        "Fetching the pool {wildcards.pool}"


rule clean_log:
    """Turn a log into jobs by a named rule set, with every change in the ledger."""
    input:
        text="results/traces/raw/{log}.swf",
        sources=sources(
            "traces/cleaning.py",
            "traces/splitting.py",
            "traces/swf.py",
            "kernels/swf_scan.pyx",
        ),
    output:
        jobs="results/traces/clean/{log}.{cleaning}.parquet",
        ledger="results/traces/clean/{log}.{cleaning}.ledger.parquet",
    log:
        "results/logs/clean_log/{log}.{cleaning}.log",
    benchmark:
        "results/benchmarks/clean_log/{log}.{cleaning}.tsv"
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
        runtime=5,
    message:
        "Cleaning {wildcards.log} by {wildcards.cleaning}"
    script:
        "../scripts/clean_log.py"


rule split_pieces:
    """Cut jobs into the pieces that experiments run on."""
    input:
        jobs=jobs_of_source,
        sources=sources("jobs.py", "traces/splitting.py"),
    output:
        pieces="results/pieces/{source}.{cleaning}.{split}.parquet",
    log:
        "results/logs/split_pieces/{source}.{cleaning}.{split}.log",
    benchmark:
        "results/benchmarks/split_pieces/{source}.{cleaning}.{split}.tsv"
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
        runtime=5,
    message:
        "Cutting {wildcards.source} into {wildcards.split}"
    script:
        "../scripts/split_pieces.py"

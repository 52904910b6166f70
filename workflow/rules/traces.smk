"""Raw logs (resources/raw/, pools in resources/raw/pools/) to clean jobs (results/traces/clean/)."""


rule fetch_log:
    """Take a log from the archive's folders or its addresses; one that is nowhere has no jobs.

    What the registry says decides what a file must be, not who brings it: no edit of the code
    fetches it again. Outputs are updated, not removed beforehand, and a file that is as it must be
    stays. They lie outside of results/, where nothing is lost that takes a network to make.
    """
    input:
        schema=ancient(SCHEMAS / "traces.schema.yaml"),
        registry=ancient(config["sheets"]["traces"]),
        sources=ancient(
            sources(
                "traces/archive.py",
                "traces/download.py",
                "traces/records.py",
                "traces/registry.py",
                "traces/verify.py",
            )
        ),
    output:
        text=update("resources/raw/{log}.swf"),
        record=update("resources/raw/{log}.json"),
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
        name=lambda wildcards: wildcards.log,
        attempt=attempt_at_log,
    message:
        "Fetching {wildcards.log}"
    script:
        "../scripts/fetch_log.py"


use rule fetch_log as fetch_pool with:
    input:
        schema=ancient(SCHEMAS / "pools.schema.yaml"),
        registry=ancient(config["sheets"]["pools"]),
        sources=ancient(
            sources(
                "traces/archive.py",
                "traces/download.py",
                "traces/records.py",
                "traces/registry.py",
                "traces/verify.py",
            )
        ),
    output:
        text=update("resources/raw/pools/{pool}.json"),
        record=update("resources/raw/pools/{pool}.record.json"),
    log:
        "results/logs/fetch_pool/{pool}.log",
    params:
        kind="pool",
        name=lambda wildcards: wildcards.pool,
        attempt=attempt_at_pool,
    message:
        "Fetching the pool {wildcards.pool}"


rule clean_log:
    """Turn a log into jobs by a named rule set, with every change in the ledger."""
    input:
        text="resources/raw/{log}.swf",
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

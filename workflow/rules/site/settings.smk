"""A site's own Slurm: changed settings on its log."""


rule try_settings:
    """Try changed settings one at a time, and search for better ones."""
    input:
        **CLEANED,
        changes="<results>/figures/site/changes.csv",
        schedule=TODAY_SIMULATED,
    output:
        **results_of_tries(),
    log:
        "<logs>/try_settings.log",
    benchmark:
        "<benchmarks>/try_settings.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        mem_mb=mb(3000),
        runtime=minutes_of(60),
    params:
        site=config["site"],
        advice=config["advice"],
    message:
        "Trying changed settings of the site's Slurm"
    script:
        "../../scripts/site/try_settings.py"

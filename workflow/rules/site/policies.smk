"""Schedulers and policies on a site's log, on equal processors."""


rule compare_on_site:
    """Run every scheduler over the site's log, and evaluate the recorded schedule."""
    input:
        **CLEANED,
        learned=LEARNED_TABLE,
    output:
        metrics="<results>/simulations/site/arena.parquet",
        facts="<results>/simulations/site/arena.facts.parquet",
        losers="<results>/simulations/site/arena.losers.parquet",
    log:
        "<logs>/compare_on_site.log",
    benchmark:
        "<benchmarks>/compare_on_site.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        mem_mb=mb(3000),
        runtime=minutes_of(60),
    params:
        site=config["site"],
        own=config["policies"],
        points=config["arena"]["points"],
        advice=config["advice"],
    message:
        "Comparing schedulers on the site's log"
    script:
        "../../scripts/site/compare_on_site.py"


rule train_site:
    """Learn and tune a policy on the first half of the site's log, and test both on the second."""
    input:
        **CLEANED,
    output:
        **files_of_rule(SITE, "train_site"),
    log:
        "<logs>/train_site.log",
    benchmark:
        "<benchmarks>/train_site.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        mem_mb=mb(3000),
        runtime=minutes_of(60),
    params:
        site=config["site"],
        words=words_of_rule(SITE, "train_site"),
    message:
        "Training on the site's log"
    script:
        "../../scripts/site/train_site.py"

"""A site's log to results: cleaned once; who fights on it, what is learned and foretold."""


rule clean_site:
    """Clean the log, once for all that reads it."""
    input:
        log=log_of_site,
    output:
        **CLEANED,
    log:
        "<logs>/clean_site.log",
    benchmark:
        "<benchmarks>/clean_site.tsv"
    group:
        "prepare"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes_of(10),
    params:
        site={key: config["site"][key] for key in CLEANING},
    message:
        "Cleaning the site's log"
    script:
        "../../scripts/site/clean_site.py"


rule fight_site:
    """Every scheduler over the site's log, and what the site did."""
    input:
        **CLEANED,
        learned=LEARNED_TABLE,
    output:
        metrics="<results>/simulations/site/arena.parquet",
        facts="<results>/simulations/site/arena.facts.parquet",
        losers="<results>/simulations/site/arena.losers.parquet",
    log:
        "<logs>/fight_site.log",
    benchmark:
        "<benchmarks>/fight_site.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        mem_mb=mb(3000),
        runtime=minutes_of(60),
    params:
        site=config["site"],
        own=config["policies"],
        points=config["arena"]["points"],
        advice=config["advice"],
    message:
        "Fighting over the site's log"
    script:
        "../../scripts/site/fight_site.py"


rule train_site:
    """Learn and tune a policy on the site's first half, try both on the second."""
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
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        mem_mb=mb(3000),
        runtime=minutes_of(60),
    params:
        site=config["site"],
    message:
        "Training on the site's log"
    script:
        "../../scripts/site/train_site.py"


rule foretell_site:
    """Predict the wait of every job of the site at its submission."""
    input:
        **CLEANED,
    output:
        **files_of_rule(SITE, "foretell_site"),
    log:
        "<logs>/foretell_site.log",
    benchmark:
        "<benchmarks>/foretell_site.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(3000),
        runtime=minutes_of(60),
    params:
        site=config["site"],
    message:
        "Predicting the site's waits"
    script:
        "../../scripts/site/foretell_site.py"

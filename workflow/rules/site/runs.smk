"""A site's log to results: what it is, who fights on it, what is learned and foretold."""


rule describe_site:
    """What the workload is, and what cleaning took of it."""
    input:
        log=log_of_site,
    output:
        **files_of_site("profile", "queues", "lost", "fig_workload", "fig_arrivals"),
        lost_said=text_of_site("lost_said"),
    log:
        "<logs>/describe_site.log",
    benchmark:
        "<benchmarks>/describe_site.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes_of(10),
    params:
        site=config["site"],
    message:
        "Describing the site's log"
    script:
        "../../scripts/site/describe_site.py"


rule fight_site:
    """Every scheduler over the site's log, and what the site did."""
    input:
        log=log_of_site,
        learned="<results>/policies/learned.csv",
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
        log=log_of_site,
    output:
        **files_of_site("policies", "held_out", "fig_held_out"),
        said=text_of_site("held_out_said"),
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
        log=log_of_site,
    output:
        **files_of_site("waits", "fig_waits"),
        said=text_of_site("waits_said"),
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

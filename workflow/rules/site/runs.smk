"""From a site's log to results: clean it, predict waits."""


rule clean_site:
    """Clean the log once for all rules that read it."""
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
    resources:
        mem_mb=mb(2000),
        runtime=minutes_of(10),
    params:
        site={key: config["site"][key] for key in CLEANING},
    message:
        "Cleaning the site's log"
    script:
        "../../scripts/site/clean_site.py"


rule predict_waits_on_site:
    """Predict the wait of every job of the site at its submission."""
    input:
        **CLEANED,
    output:
        **files_of_rule(SITE, "predict_waits_on_site"),
    log:
        "<logs>/predict_waits_on_site.log",
    benchmark:
        "<benchmarks>/predict_waits_on_site.tsv"
    group:
        "long"
    resources:
        mem_mb=mb(3000),
        runtime=minutes_of(60),
    params:
        site=config["site"],
        words=words_of_rule(SITE, "predict_waits_on_site"),
    message:
        "Predicting the site's waits"
    script:
        "../../scripts/site/predict_waits.py"

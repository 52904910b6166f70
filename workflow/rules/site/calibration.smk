"""A site's own Slurm: its settings on its log, next to the recorded waits."""


rule calibrate_site:
    """Simulate the site's own settings, and compare with the recorded waits."""
    input:
        **CLEANED,
        files=files_of_slurm,
    output:
        **files_of_rule(SITE, "calibrate_site"),
        schedule=TODAY_SIMULATED,
    log:
        "<logs>/calibrate_site.log",
    benchmark:
        "<benchmarks>/calibrate_site.tsv"
    group:
        "long"
    resources:
        mem_mb=mb(3000),
        runtime=minutes_of(30),
    params:
        site=config["site"],
        words=words_of_rule(SITE, "calibrate_site"),
    message:
        "Calibrating the site's Slurm on its log"
    script:
        "../../scripts/site/calibrate_site.py"

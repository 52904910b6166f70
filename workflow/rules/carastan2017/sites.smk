"""Site policies: learned from the first half of each log, tested on the second halves of all."""


rule score_site:
    """Draw contended tuples from the first half of a log and score their tasks; resumes if cut."""
    input:
        jobs=jobs_of_site,
    output:
        scores="<results>/scores/sites/{source}.parquet",
        draws="<results>/scores/sites/{source}.draws.parquet",
    log:
        "<logs>/score_site/{source}.log",
    benchmark:
        "<benchmarks>/score_site/{source}.tsv"
    group:
        "learn"
    threads: threads_of_job
    resources:
        **measured("score_site", mem_mb=400, minutes=9),
    params:
        processors=processors_of_source,
        settings={key: SITES[key] for key in ("tuples", "fewest", "trials")},
        label=label_of_source,
        key=key_of_site,
    message:
        "Running trials of tuples of the first half of {wildcards.source}"
    script:
        "../../scripts/carastan2017/score_site.py"


rule fit_site:
    """Fit a site's policy, and the policies of resampled tuples."""
    input:
        scores="<results>/scores/sites/{source}.parquet",
    output:
        fits="<results>/policies/sites/{source}.parquet",
        policies="<results>/policies/sites/{source}.resampled.parquet",
    log:
        "<logs>/fit_site/{source}.log",
    benchmark:
        "<benchmarks>/fit_site/{source}.tsv"
    group:
        "learn"
    resources:
        **measured("fit_site", mem_mb=500, minutes=5),
    params:
        label=label_of_source,
        resamples=SITES["resamples"],
        key=key_of_site,
    message:
        "Fitting the policy of {wildcards.source}"
    script:
        "../../scripts/carastan2017/fit_site.py"


rule simulate_site:
    """Run the policies of all sites on the second half of a log."""
    input:
        pieces=windows_of_site,
        learned=collect(
            "<results>/policies/sites/{source}.resampled.parquet",
            source=SITES["names"],
        ),
    output:
        measured="<results>/simulations/carastan2017/sites/{source}.parquet",
    log:
        "<logs>/simulate_site/{source}.log",
    benchmark:
        "<benchmarks>/simulate_site/{source}.tsv"
    group:
        "learn"
    threads: threads_of_job
    resources:
        **measured("simulate_site", mem_mb=400, minutes=24),
    params:
        label=label_of_source,
        processors=processors_of_source,
        further=list(REFERENCES),
    message:
        "Simulating the policies of all sites on {wildcards.source}"
    script:
        "../../scripts/carastan2017/simulate_site.py"


use rule simulate_site as simulate_own_on_site with:
    input:
        pieces=windows_of_site,
    output:
        measured="<results>/simulations/carastan2017/{policies}/sites/{source}.parquet",
    log:
        "<logs>/simulate_own_on_site/{policies}/{source}.log",
    benchmark:
        "<benchmarks>/simulate_own_on_site/{policies}/{source}.tsv"
    params:
        label=label_of_source,
        processors=processors_of_source,
        further=lambda wildcards: [config["policies"][wildcards.policies]],
    message:
        "Simulating {wildcards.policies} on {wildcards.source}"

"""Site policies: learned from the first half of each log, tested on the second halves of all."""


rule score_site:
    """Draw contended tuples from the first half of a log and score their tasks; goes on when cut."""
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
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        **measured("score_site", mem_mb=400, minutes=9),
    params:
        processors=processors_of_source,
        settings=settings_of_site,
        label=lambda wildcards: label_of_site(wildcards.source),
        key=key_of_site,
    message:
        "Running trials of tuples of the first half of {wildcards.source}"
    script:
        "../../scripts/carastan2017/score_site.py"


rule fit_site:
    """Fit a site's policy, and those of resamples of its tuples."""
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
    conda:
        "../../../environment.yml"
    resources:
        **measured("fit_site", mem_mb=500, minutes=5),
    params:
        label=lambda wildcards: label_of_site(wildcards.source),
        resamples=config["learning"]["sites"]["resamples"],
        key=key_of_site,
    message:
        "Fitting the policy of {wildcards.source}"
    script:
        "../../scripts/carastan2017/fit_site.py"


rule simulate_site:
    """Run the policies of all sites on the second half of a log."""
    input:
        pieces=windows_of_site,
        policies=of_sites("<results>/policies/sites/{source}.resampled.parquet"),
    output:
        measured="<results>/simulations/carastan2017/sites/{source}.parquet",
    log:
        "<logs>/simulate_site/{source}.log",
    benchmark:
        "<benchmarks>/simulate_site/{source}.tsv"
    group:
        "learn"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        **measured("simulate_site", mem_mb=400, minutes=24),
    params:
        label=lambda wildcards: label_of_site(wildcards.source),
        processors=processors_of_source,
        further=list(YARDSTICKS),
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
        label=lambda wildcards: label_of_site(wildcards.source),
        processors=processors_of_source,
        further=lambda wildcards: [config["policies"][wildcards.policies]],
    message:
        "Simulating {wildcards.policies} on {wildcards.source}"


rule make_sites:
    """Policies trained on every site and tested on every site: do they pay?"""
    input:
        draws=of_sites("<results>/scores/sites/{source}.draws.parquet"),
        fits=of_sites("<results>/policies/sites/{source}.parquet"),
        policies=of_sites("<results>/policies/sites/{source}.resampled.parquet"),
        measured=of_sites("<results>/simulations/carastan2017/sites/{source}.parquet"),
    output:
        sites_csv=report(
            "<results>/figures/carastan2017/sites.csv",
            caption="../../report/carastan2017/sites.rst",
            category="carastan2017",
            subcategory="Site policies",
            labels={"table": "sites"},
        ),
        sites_md="<results>/figures/carastan2017/sites.md",
        tuples_csv=report(
            "<results>/figures/carastan2017/sites_tuples.csv",
            caption="../../report/carastan2017/sites_tuples.rst",
            category="carastan2017",
            subcategory="Site policies",
            labels={"table": "sites_tuples"},
        ),
        tuples_md="<results>/figures/carastan2017/sites_tuples.md",
        policies_csv=report(
            "<results>/figures/carastan2017/sites_policies.csv",
            caption="../../report/carastan2017/sites_policies.rst",
            category="carastan2017",
            subcategory="Site policies",
            labels={"table": "sites_policies"},
        ),
        policies_md="<results>/figures/carastan2017/sites_policies.md",
        summary_csv=report(
            "<results>/figures/carastan2017/sites_summary.csv",
            caption="../../report/carastan2017/sites_summary.rst",
            category="carastan2017",
            subcategory="Site policies",
            labels={"table": "sites_summary"},
        ),
        summary_md="<results>/figures/carastan2017/sites_summary.md",
        sentence="<results>/figures/carastan2017/sites_sentence.txt",
    log:
        "<logs>/make_sites.log",
    benchmark:
        "<benchmarks>/make_sites.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_sites", mem_mb=1000, minutes=5),
    params:
        sites=[label_of_site(site) for site in config["learning"]["sites"]["names"]],
        fewest=config["learning"]["sites"]["fewest"],
        resamples=config["learning"]["sites"]["resamples"],
        key=KEY_OF_WINDOWS,
    message:
        "Comparing site policies"
    script:
        "../../scripts/carastan2017/make_sites.py"


rule make_sites_own:
    """The matrix of site policies with a reader's own policies in it."""
    input:
        draws=of_sites("<results>/scores/sites/{source}.draws.parquet"),
        policies=of_sites("<results>/policies/sites/{source}.resampled.parquet"),
        measured=[
            of_sites("<results>/simulations/carastan2017/sites/{source}.parquet"),
            of_sites(
                "<results>/simulations/carastan2017/{policies}/sites/{source}.parquet",
                policies=config["policies"],
            ),
        ],
    output:
        csv=report(
            "<results>/figures/carastan2017/sites_own.csv",
            caption="../../report/carastan2017/sites.rst",
            category="carastan2017",
            subcategory="Site policies",
            labels={"table": "sites_own"},
        ),
        md="<results>/figures/carastan2017/sites_own.md",
    log:
        "<logs>/make_sites_own.log",
    benchmark:
        "<benchmarks>/make_sites_own.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("make_sites", mem_mb=1000, minutes=5),
    params:
        sites={
            site: label_of_site(site) for site in config["learning"]["sites"]["names"]
        },
        own=config["policies"],
        fewest=config["learning"]["sites"]["fewest"],
        resamples=config["learning"]["sites"]["resamples"],
        key=KEY_OF_WINDOWS,
    message:
        "Comparing site policies with policies of one's own"
    script:
        "../../scripts/carastan2017/make_sites_own.py"


rule draw_sites:
    """The matrix of site policies as a picture."""
    input:
        sites="<results>/figures/carastan2017/{sites}.csv",
    output:
        pdf="<results>/figures/carastan2017/fig_{sites}.pdf",
        png=report(
            "<results>/figures/carastan2017/fig_{sites}.png",
            caption="../../report/carastan2017/sites.rst",
            category="carastan2017",
            subcategory="Site policies",
            labels={"figure": "fig_{sites}"},
        ),
        csv="<results>/figures/carastan2017/fig_{sites}.csv",
    log:
        "<logs>/draw_sites/{sites}.log",
    benchmark:
        "<benchmarks>/draw_sites/{sites}.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_sites", mem_mb=500, minutes=5),
    message:
        "Drawing fig_{wildcards.sites}"
    script:
        "../../scripts/carastan2017/draw_sites.py"

"""Beyond kellari2025: one setting changed, who pays, unmeasured pairs; rows of a reader's own."""


rule show_settings:
    """One setting changed: estimates, nodes, arrivals."""
    input:
        runs="<results>/simulations/kellari2025/{coitem}.parquet",
    output:
        csv="<results>/figures/kellari2025/{coitem}.csv",
        md="<results>/figures/kellari2025/{coitem}.md",
        txt="<results>/figures/kellari2025/{coitem}.txt",
        pdf="<results>/figures/kellari2025/{coitem}.pdf",
        png="<results>/figures/kellari2025/{coitem}.png",
    log:
        "<logs>/show_settings/{coitem}.log",
    benchmark:
        "<benchmarks>/show_settings/{coitem}.tsv"
    wildcard_constraints:
        coitem=one_of(SETTINGS),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(5),
    params:
        labels=labels_of_item,
        title=title_of_setting,
        held_against=held_against,
    message:
        "Showing {wildcards.coitem}"
    script:
        "../../scripts/kellari2025/show_settings.py"


rule show_pricing:
    """Who pays when nodes are shared."""
    input:
        schedules="<results>/schedules/kellari2025/beyond_pricing.parquet",
    output:
        csv="<results>/figures/kellari2025/beyond_pricing.csv",
        applications="<results>/figures/kellari2025/beyond_pricing_applications.csv",
        md="<results>/figures/kellari2025/beyond_pricing.md",
        txt="<results>/figures/kellari2025/beyond_pricing.txt",
        pdf="<results>/figures/kellari2025/beyond_pricing.pdf",
        png="<results>/figures/kellari2025/beyond_pricing.png",
    log:
        "<logs>/show_pricing.log",
    benchmark:
        "<benchmarks>/show_pricing.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1500),
        runtime=minutes(5),
    params:
        row=cells_of(EXPERIMENTS[KELLARI]["pricing"]),
    message:
        "Charging shared jobs"
    script:
        "../../scripts/kellari2025/show_pricing.py"


rule show_pairs:
    """Unmeasured pairs predicted: errors, and what predictions change."""
    input:
        frame="<results>/pools/aris-nas.parquet",
        runs="<results>/simulations/kellari2025/beyond_pairs.parquet",
    output:
        csv="<results>/figures/kellari2025/beyond_pairs.csv",
        effect="<results>/figures/kellari2025/beyond_pairs_effect.csv",
        md="<results>/figures/kellari2025/beyond_pairs.md",
        txt="<results>/figures/kellari2025/beyond_pairs.txt",
        pdf="<results>/figures/kellari2025/beyond_pairs.pdf",
        png="<results>/figures/kellari2025/beyond_pairs.png",
    log:
        "<logs>/show_pairs.log",
    benchmark:
        "<benchmarks>/show_pairs.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(5),
    params:
        labels={row.experiment: row.label for row in coexperiments("beyond_pairs")},
    message:
        "Predicting unmeasured pairs"
    script:
        "../../scripts/kellari2025/show_pairs.py"

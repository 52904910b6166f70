"""Beyond kellari2025: one setting changed, who pays, unmeasured pairs; rows of a reader's own."""


rule show_settings:
    """One setting changed: estimates, nodes, arrivals."""
    input:
        runs=lambda wildcards: coruns(wildcards.setting),
    output:
        csv="<results>/figures/kellari2025/{setting}.csv",
        md="<results>/figures/kellari2025/{setting}.md",
        txt="<results>/figures/kellari2025/{setting}.txt",
        pdf="<results>/figures/kellari2025/{setting}.pdf",
        png=report(
            "<results>/figures/kellari2025/{setting}.png",
            caption="../../report/kellari2025/settings.rst",
            category="kellari2025",
            subcategory="Beyond the thesis",
            labels={"figure": "{setting}"},
        ),
    log:
        "<logs>/show_settings/{setting}.log",
    benchmark:
        "<benchmarks>/show_settings/{setting}.tsv"
    wildcard_constraints:
        setting=one_of(SETTINGS),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("show_settings", mem_mb=1000, minutes=5),
    params:
        labels=lambda wildcards: labels_of_item(wildcards.setting),
        setting=lambda wildcards: SETTINGS[wildcards.setting],
    message:
        "Showing {wildcards.setting}"
    script:
        "../../scripts/kellari2025/show_settings.py"


rule show_pricing:
    """Who pays when nodes are shared."""
    input:
        schedules="<results>/schedules/kellari2025/pricing.parquet",
    output:
        csv="<results>/figures/kellari2025/beyond_pricing.csv",
        applications="<results>/figures/kellari2025/beyond_pricing_applications.csv",
        md="<results>/figures/kellari2025/beyond_pricing.md",
        txt="<results>/figures/kellari2025/beyond_pricing.txt",
        pdf="<results>/figures/kellari2025/beyond_pricing.pdf",
        png=report(
            "<results>/figures/kellari2025/beyond_pricing.png",
            caption="../../report/kellari2025/beyond_pricing.rst",
            category="kellari2025",
            subcategory="Beyond the thesis",
            labels={"figure": "beyond_pricing"},
        ),
    log:
        "<logs>/show_pricing.log",
    benchmark:
        "<benchmarks>/show_pricing.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("show_pricing", mem_mb=1500, minutes=5),
    params:
        machine=EXPERIMENTS[KELLARI]["pricing"].machine,
    message:
        "Charging shared jobs"
    script:
        "../../scripts/kellari2025/show_pricing.py"


rule show_pairs:
    """Unmeasured pairs predicted: errors, and what predictions change."""
    input:
        frame="<results>/pools/aris-nas.parquet",
        runs=coruns("beyond_pairs"),
    output:
        csv=report(
            "<results>/figures/kellari2025/beyond_pairs.csv",
            caption="../../report/kellari2025/beyond_pairs.rst",
            category="kellari2025",
            subcategory="Beyond the thesis",
            labels={"table": "beyond_pairs"},
        ),
        effect="<results>/figures/kellari2025/beyond_pairs_effect.csv",
        md="<results>/figures/kellari2025/beyond_pairs.md",
        txt="<results>/figures/kellari2025/beyond_pairs.txt",
        pdf="<results>/figures/kellari2025/beyond_pairs.pdf",
        png=report(
            "<results>/figures/kellari2025/beyond_pairs.png",
            caption="../../report/kellari2025/beyond_pairs.rst",
            category="kellari2025",
            subcategory="Beyond the thesis",
            labels={"figure": "beyond_pairs"},
        ),
    log:
        "<logs>/show_pairs.log",
    benchmark:
        "<benchmarks>/show_pairs.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("show_pairs", mem_mb=1000, minutes=5),
    params:
        labels=labels_of_item("beyond_pairs"),
    message:
        "Predicting unmeasured pairs"
    script:
        "../../scripts/kellari2025/show_pairs.py"

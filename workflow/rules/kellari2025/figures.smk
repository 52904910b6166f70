"""Figures of kellari2025, a job each: results/figures/kellari2025/."""


rule draw_illustrations:
    """Figures 3.1 and 5.1 to 5.3: small examples, simulated."""
    output:
        pdf="<results>/figures/kellari2025/{figure}.pdf",
        png=report(
            "<results>/figures/kellari2025/{figure}.png",
            caption="../../report/kellari2025/illustrations.rst",
            category="kellari2025",
            subcategory="Examples",
            labels={"figure": "{figure}"},
        ),
        csv="<results>/figures/kellari2025/{figure}.csv",
    log:
        "<logs>/draw_illustrations/{figure}.log",
    benchmark:
        "<benchmarks>/draw_illustrations/{figure}.tsv"
    wildcard_constraints:
        figure=one_of(ILLUSTRATIONS),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_illustrations", mem_mb=1000, minutes=5),
    message:
        "Drawing {wildcards.figure} of kellari2025"
    script:
        "../../scripts/kellari2025/draw_illustrations.py"


rule draw_coschedules:
    """Figures 4.1 to 4.5, 6.4, 6.9 and 6.10: single schedules over time."""
    input:
        schedules=schedules_of_figure,
    output:
        pdf="<results>/figures/kellari2025/{figure}.pdf",
        png=report(
            "<results>/figures/kellari2025/{figure}.png",
            caption="../../report/kellari2025/schedules.rst",
            category="kellari2025",
            subcategory="Schedules over time",
            labels={"figure": "{figure}"},
        ),
        csv="<results>/figures/kellari2025/{figure}.csv",
    log:
        "<logs>/draw_coschedules/{figure}.log",
    benchmark:
        "<benchmarks>/draw_coschedules/{figure}.tsv"
    wildcard_constraints:
        figure=one_of(SCHEDULES),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_coschedules", mem_mb=1500, minutes=5),
    params:
        machine=machine_of_figure,
    message:
        "Drawing {wildcards.figure} of kellari2025"
    script:
        "../../scripts/kellari2025/draw_coschedules.py"


rule draw_comparisons:
    """Figures 6.1 to 6.3, 6.5 to 6.8 and 6.11 to 6.15, and the same with a reader's own policies."""
    input:
        runs=lambda wildcards: coruns("table6", *own_policies(wildcards.figure)),
    output:
        pdf="<results>/figures/kellari2025/{figure}.pdf",
        png=report(
            "<results>/figures/kellari2025/{figure}.png",
            caption="../../report/kellari2025/comparisons.rst",
            category="kellari2025",
            subcategory="Chapter 6",
            labels={"figure": "{figure}"},
        ),
        csv="<results>/figures/kellari2025/{figure}.csv",
    log:
        "<logs>/draw_comparisons/{figure}.log",
    benchmark:
        "<benchmarks>/draw_comparisons/{figure}.tsv"
    wildcard_constraints:
        figure=one_of([*chapter6.COMPARISONS, *OWN_COMPARISONS]),
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        **measured("draw_comparisons", mem_mb=1500, minutes=5),
    params:
        own=lambda wildcards: own_policies(wildcards.figure),
    message:
        "Drawing {wildcards.figure} of kellari2025"
    script:
        "../../scripts/kellari2025/draw_comparisons.py"

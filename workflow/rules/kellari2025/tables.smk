"""Tables and figures of kellari2025: results/figures/kellari2025/."""


rule show_pool:
    """Tables 4.1 and 4.2 and figure 4.6."""
    input:
        frame="<results>/pools/aris-nas.parquet",
        sizes=of_workflow("resources/kellari2025/table4_2.tsv"),
        published=KELLARI_PUBLISHED,
        reasons=KELLARI_REASONS,
    output:
        **of_kellari2025(CHAPTER4, TABLE),
        **of_kellari2025(["fig4_6"], FIGURE),
    log:
        "<logs>/show_pool.log",
    benchmark:
        "<benchmarks>/show_pool.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(5),
    message:
        "Writing Tables 4.1 and 4.2 and drawing figure 4.6"
    script:
        "../../scripts/kellari2025/show_pool.py"


rule make_table6:
    """Tables 6.1 and 6.2, the comparison, orderings, readings, correlations and claims."""
    input:
        table6="<results>/simulations/kellari2025/table6.parquet",
        orderings="<results>/simulations/kellari2025/orderings.parquet",
        readings="<results>/simulations/kellari2025/readings.parquet",
        example="<results>/schedules/kellari2025/example.parquet",
        published=KELLARI_PUBLISHED,
        reasons=KELLARI_REASONS,
    output:
        **of_kellari2025(CHAPTER6, TABLE),
    log:
        "<logs>/make_table6.log",
    benchmark:
        "<benchmarks>/make_table6.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(10),
    params:
        labels={row.experiment: row.label for row in EXPERIMENTS[KELLARI].values()},
    message:
        "Writing Tables 6.1 and 6.2"
    script:
        "../../scripts/kellari2025/make_table6.py"


rule draw_illustrations:
    """Figures 3.1 and 5.1 to 5.3: small examples, simulated."""
    output:
        **of_kellari2025(ILLUSTRATIONS, FIGURE),
    log:
        "<logs>/draw_illustrations.log",
    benchmark:
        "<benchmarks>/draw_illustrations.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes(5),
    message:
        "Drawing figures 3.1 and 5.1 to 5.3"
    script:
        "../../scripts/kellari2025/draw_illustrations.py"


rule draw_coschedules:
    """Figures 4.1 to 4.5, 6.4, 6.9 and 6.10: single schedules over time."""
    input:
        schedules="<results>/schedules/kellari2025/example.parquet",
    output:
        **of_kellari2025(SCHEDULES, FIGURE),
    log:
        "<logs>/draw_coschedules.log",
    benchmark:
        "<benchmarks>/draw_coschedules.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1500),
        runtime=minutes(5),
    params:
        rows=[cells_of(row) for row in coexperiments("example")],
    message:
        "Drawing figures 4.1 to 4.5, 6.4, 6.9 and 6.10"
    script:
        "../../scripts/kellari2025/draw_coschedules.py"


rule draw_comparisons:
    """Figures 6.1 to 6.3, 6.5 to 6.8 and 6.11 to 6.15: schedulers compared."""
    input:
        runs="<results>/simulations/kellari2025/table6.parquet",
    output:
        **of_kellari2025(COMPARISONS, FIGURE),
    log:
        "<logs>/draw_comparisons.log",
    benchmark:
        "<benchmarks>/draw_comparisons.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1500),
        runtime=minutes(5),
    message:
        "Drawing figures 6.1 to 6.3, 6.5 to 6.8 and 6.11 to 6.15"
    script:
        "../../scripts/kellari2025/draw_comparisons.py"

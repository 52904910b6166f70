"""Co-scheduling algorithms for HPC applications (NTUA 2025): results/figures/kellari2025/.

What is simulated for it is in coscheduling.smk, what goes beyond it in beyond_kellari2025.smk.
"""

KELLARI = "results/figures/kellari2025"
KELLARI_PUBLISHED = "resources/published/kellari2025.tsv"
KELLARI_REASONS = "resources/published/reasons_kellari2025.tsv"
TABLE, FIGURE = ("csv", "md"), ("pdf", "png", "csv")
CHAPTER4 = ["table4_1", "table4_1_comparison", "table4_2"]
CHAPTER6 = ["table6_1", "table6_2", "table6_comparison", "table6_readings"]
CHAPTER6 += ["orderings", "correlations_comparison", "claims"]
ILLUSTRATIONS = ["fig3_1", "fig5_1", "fig5_2", "fig5_3"]
SCHEDULES = [
    *(f"fig4_{number}" for number in range(1, 6)),
    "fig6_4",
    "fig6_9",
    "fig6_10",
]
COMPARISONS = [f"fig6_{number}" for number in (1, 2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15)]


rule kellari2025:
    """All tables and figures of kellari2025, and what goes beyond it."""
    input:
        collect(
            f"{KELLARI}/{{table}}.{{kind}}", table=[*CHAPTER4, *CHAPTER6], kind=TABLE
        ),
        collect(
            f"{KELLARI}/{{figure}}.{{kind}}",
            figure=[*ILLUSTRATIONS, "fig4_6", *SCHEDULES, *COMPARISONS],
            kind=FIGURE,
        ),
        collect(
            f"{KELLARI}/{{item}}.{{kind}}",
            item=[*BEYOND, *(["own"] if coexperiments("own") else [])],
            kind=["csv", "md", "pdf", "png"],
        ),


rule show_pool:
    """Tables 4.1 and 4.2 and figure 4.6."""
    input:
        frame="results/pools/aris-nas.parquet",
        sizes="resources/kellari2025/table4_2.tsv",
        published=KELLARI_PUBLISHED,
        reasons=KELLARI_REASONS,
        sources=sources("comparison.py", "cosched", "figures", "tables.py"),
    output:
        **of_kellari2025(CHAPTER4, TABLE),
        **of_kellari2025(["fig4_6"], FIGURE),
    log:
        "results/logs/show_pool.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=5,
    message:
        "Writing Tables 4.1 and 4.2 and drawing figure 4.6"
    script:
        "../scripts/show_pool.py"


rule make_table6:
    """Tables 6.1 and 6.2, the comparison, orderings, readings, correlations and claims."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        table6="results/simulations/kellari2025/table6.parquet",
        orderings="results/simulations/kellari2025/orderings.parquet",
        readings="results/simulations/kellari2025/readings.parquet",
        example="results/schedules/kellari2025/example.parquet",
        published=KELLARI_PUBLISHED,
        reasons=KELLARI_REASONS,
        sources=sources("comparison.py", "cosched", "tables.py"),
    output:
        **of_kellari2025(CHAPTER6, TABLE),
    log:
        "results/logs/make_table6.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Writing Tables 6.1 and 6.2"
    script:
        "../scripts/make_table6.py"


rule draw_illustrations:
    """Figures 3.1 and 5.1 to 5.3: small examples, simulated."""
    input:
        sources=sources("cosched", "figures", "kernels", "tables.py", "threads.py"),
    output:
        **of_kellari2025(ILLUSTRATIONS, FIGURE),
    log:
        "results/logs/draw_illustrations.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=5,
    message:
        "Drawing figures 3.1 and 5.1 to 5.3"
    script:
        "../scripts/draw_illustrations.py"


rule draw_coschedules:
    """Figures 4.1 to 4.5, 6.4, 6.9 and 6.10: single schedules over time."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        schedules="results/schedules/kellari2025/example.parquet",
        sources=sources("cosched", "figures", "tables.py"),
    output:
        **of_kellari2025(SCHEDULES, FIGURE),
    log:
        "results/logs/draw_coschedules.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1500,
        runtime=5,
    message:
        "Drawing figures 4.1 to 4.5, 6.4, 6.9 and 6.10"
    script:
        "../scripts/draw_coschedules.py"


rule draw_comparisons:
    """Figures 6.1 to 6.3, 6.5 to 6.8 and 6.11 to 6.15: schedulers compared."""
    input:
        runs="results/simulations/kellari2025/table6.parquet",
        sources=sources("cosched", "figures", "tables.py"),
    output:
        **of_kellari2025(COMPARISONS, FIGURE),
    log:
        "results/logs/draw_comparisons.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1500,
        runtime=5,
    message:
        "Drawing figures 6.1 to 6.3, 6.5 to 6.8 and 6.11 to 6.15"
    script:
        "../scripts/draw_comparisons.py"

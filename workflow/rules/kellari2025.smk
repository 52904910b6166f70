"""Co-scheduling algorithms for HPC applications (NTUA 2025): results/figures/kellari2025/.

Pools to results/pools/, metrics to results/simulations/kellari2025/, schedules that are kept job by
job to results/schedules/kellari2025/, a file per item of the sheet.
"""

KELLARI = "results/figures/kellari2025"
KELLARI_PUBLISHED = "resources/published/kellari2025.tsv"
KELLARI_REASONS = "resources/published/reasons_kellari2025.tsv"
TABLE4_1 = "resources/kellari2025/table4_1.tsv"
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
# Settings that are changed one at a time: title, and whom others are held against.
SETTINGS = {
    "beyond_estimates": ("Without knowing run times", None),
    "beyond_matching": ("Which nodes a job takes", None),
    "beyond_arrivals": ("Jobs that arrive over time", "EASY"),
}
BEYOND = [*SETTINGS, "beyond_pricing", "beyond_pairs"]
SETTINGS |= {"own": ("Settings of one's own", None)}


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


rule make_pool:
    """Read a pool; where it is not at hand the applications of Table 4.1 stand in, labelled."""
    input:
        unpack(raw_pool),
        table4_1=TABLE4_1,
        sources=sources("cosched/pool.py", "cosched/pairs.py"),
    output:
        frame="results/pools/{pool}.parquet",
    log:
        "results/logs/make_pool/{pool}.log",
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Reading the pool {wildcards.pool}"
    script:
        "../scripts/make_pool.py"


rule simulate_coschedulers:
    """Run every scheduler on every workload of an item's experiments, over threads."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        pools=frames_of_item,
        arrivals=arrivals_of_item,
        orders=files_of_orders(),
        sources=sources(
            "cosched/arrays.py",
            "cosched/campaign.py",
            "cosched/experiments.py",
            "cosched/machine.py",
            "cosched/metrics.py",
            "cosched/pairs.py",
            "cosched/pool.py",
            "cosched/schedulers.py",
            "cosched/simulation.py",
            "cosched/speeds.py",
            "kernels",
            "threads.py",
            "workloads",
        ),
    output:
        metrics="results/simulations/kellari2025/{coitem}.parquet",
    log:
        "results/logs/simulate_coschedulers/{coitem}.log",
    benchmark:
        "results/benchmarks/simulate_coschedulers/{coitem}.tsv"
    conda:
        "../../environment.yml"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        names=names_of_item,
        limit=config["kellari2025"]["workloads_limit"],
        orders=config["orders"],
        pools=pools_of_item,
        arrivals=with_arrivals,
    message:
        "Simulating {wildcards.coitem} of kellari2025"
    script:
        "../scripts/simulate_coschedulers.py"


rule keep_coschedules:
    """Run an item's experiments and keep their schedules job by job."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        pools=frames_of_item,
        orders=files_of_orders(),
        sources=sources(
            "cosched/arrays.py",
            "cosched/campaign.py",
            "cosched/experiments.py",
            "cosched/machine.py",
            "cosched/metrics.py",
            "cosched/pairs.py",
            "cosched/pool.py",
            "cosched/schedulers.py",
            "cosched/simulation.py",
            "cosched/speeds.py",
            "kernels",
            "threads.py",
            "workloads",
        ),
    output:
        schedules="results/schedules/kellari2025/{coitem}.parquet",
    log:
        "results/logs/keep_coschedules/{coitem}.log",
    benchmark:
        "results/benchmarks/keep_coschedules/{coitem}.tsv"
    conda:
        "../../environment.yml"
    threads: 8
    resources:
        mem_mb=2000,
        runtime=20,
    params:
        names=names_of_item,
        limit=config["kellari2025"]["workloads_limit"],
        orders=config["orders"],
        pools=pools_of_item,
    message:
        "Simulating {wildcards.coitem} of kellari2025, job by job"
    script:
        "../scripts/keep_coschedules.py"


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


rule show_settings:
    """One setting changed: estimates, nodes, arrivals."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        runs="results/simulations/kellari2025/{coitem}.parquet",
        sources=sources("cosched", "figures", "tables.py"),
    output:
        csv="results/figures/kellari2025/{coitem}.csv",
        md="results/figures/kellari2025/{coitem}.md",
        txt="results/figures/kellari2025/{coitem}.txt",
        pdf="results/figures/kellari2025/{coitem}.pdf",
        png="results/figures/kellari2025/{coitem}.png",
    log:
        "results/logs/show_settings/{coitem}.log",
    wildcard_constraints:
        coitem=one_of(SETTINGS),
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        names=names_of_item,
        title=title_of_setting,
        held_against=held_against,
    message:
        "Showing {wildcards.coitem}"
    script:
        "../scripts/show_settings.py"


rule show_pricing:
    """Who pays when nodes are shared."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        schedules="results/schedules/kellari2025/beyond_pricing.parquet",
        sources=sources("cosched", "figures", "tables.py"),
    output:
        csv="results/figures/kellari2025/beyond_pricing.csv",
        applications="results/figures/kellari2025/beyond_pricing_applications.csv",
        md="results/figures/kellari2025/beyond_pricing.md",
        txt="results/figures/kellari2025/beyond_pricing.txt",
        pdf="results/figures/kellari2025/beyond_pricing.pdf",
        png="results/figures/kellari2025/beyond_pricing.png",
    log:
        "results/logs/show_pricing.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1500,
        runtime=5,
    params:
        experiment="pricing",
    message:
        "Charging shared jobs"
    script:
        "../scripts/show_pricing.py"


rule show_pairs:
    """Unmeasured pairs predicted: errors, and what predictions change."""
    input:
        sheet=config["sheets"]["kellari2025"],
        schema=COEXPERIMENTS_SCHEMA,
        frame="results/pools/aris-nas.parquet",
        runs="results/simulations/kellari2025/beyond_pairs.parquet",
        sources=sources("cosched", "figures", "tables.py", "workloads/streams.py"),
    output:
        csv="results/figures/kellari2025/beyond_pairs.csv",
        effect="results/figures/kellari2025/beyond_pairs_effect.csv",
        md="results/figures/kellari2025/beyond_pairs.md",
        txt="results/figures/kellari2025/beyond_pairs.txt",
        pdf="results/figures/kellari2025/beyond_pairs.pdf",
        png="results/figures/kellari2025/beyond_pairs.png",
    log:
        "results/logs/show_pairs.log",
    group:
        "figures"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        names=[row.experiment for row in coexperiments("beyond_pairs")],
    message:
        "Predicting unmeasured pairs"
    script:
        "../scripts/show_pairs.py"

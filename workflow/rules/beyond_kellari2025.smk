"""Beyond kellari2025: one setting changed, who pays, unmeasured pairs; rows of a reader's own."""

# Settings that are changed one at a time: title, and whom others are held against.
SETTINGS = {
    "beyond_estimates": ("Without knowing run times", None),
    "beyond_matching": ("Which nodes a job takes", None),
    "beyond_arrivals": ("Jobs that arrive over time", "EASY"),
}
BEYOND = [*SETTINGS, "beyond_pricing", "beyond_pairs"]
SETTINGS |= {"own": ("Settings of one's own", None)}


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

"""Sensitivity of Tables 2 to 6 to single columns: results/toggles/legrand2018.parquet."""

WEEKS_TOGGLED = [row for row in WEEKS if row.thresholds_item in THRESHOLDS]


rule toggle_sums:
    """Run the pure policies of rows by weeks and of their changed variants, over threads."""
    input:
        jobs=files_of_jobs(WEEKS_TOGGLED),
        published=of_workflow("resources/legrand2018/published.tsv"),
        owners=of_workflow("resources/legrand2018/owners.tsv"),
    output:
        **files_of_rule(LEGRAND, "toggle_sums"),
        moved=f"<results>/toggles/{LEGRAND}.parquet",
    log:
        "<logs>/toggle_sums.log",
    benchmark:
        "<benchmarks>/toggle_sums.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("toggle_sums"),
    params:
        rows=[cells_of(row) for row in WEEKS_TOGGLED],
        sources=places_of_jobs(WEEKS_TOGGLED),
        halved=drawn_trace(WEEKS).experiment,
    message:
        "Running the pure policies of legrand2018 with one choice changed at a time"
    script:
        "../../scripts/legrand2018/toggle_sums.py"

"""Tables 2 to 6 with one cell of their rows changed at a time: results/toggles/legrand2018.parquet."""

WEEKS_TOGGLED = [
    row for row in rows_by("weeks") if row.thresholds_item in PAPERS_TABLES
]


rule toggle_sums:
    """Run the pure policies of rows by weeks and of those derived from them, over threads."""
    input:
        jobs=files_of_jobs(WEEKS_TOGGLED),
        published=PUBLISHED_LEGRAND,
        owners=OWNERS_LEGRAND,
    output:
        **made_of_toggles(LEGRAND),
    log:
        "<logs>/toggle_sums.log",
    benchmark:
        "<benchmarks>/toggle_sums.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
    threads: 8
    resources:
        **measured("toggle_sums"),
    params:
        rows=[cells_of(row) for row in WEEKS_TOGGLED],
        sources=places_of_jobs(WEEKS_TOGGLED),
        halved=SHOWN,
        told=told_of("toggles"),
    message:
        "Running the pure policies of legrand2018 with one choice changed at a time"
    script:
        "../../scripts/legrand2018/toggle_sums.py"

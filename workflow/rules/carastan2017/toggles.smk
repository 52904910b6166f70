"""Sensitivity of Table 4, one column changed at a time: results/toggles/carastan2017.parquet."""

# The numbers of a log's stand-in are not comparable; a model that draws the same jobs is.
ROWS_TOGGLED = [
    row
    for row in EXPERIMENTS[CARASTAN].values()
    if row.item == TABLE4[0] and (row.drawn or config["source"] != "models")
]


rule toggle_table4:
    """Run the rows of Table 4 and their changed variants, all in one call over threads."""
    input:
        jobs=files_of_jobs(ROWS_TOGGLED),
        published=PUBLISHED,
    output:
        **files_of_rule(CARASTAN, "toggle_table4"),
        moved=f"<results>/toggles/{CARASTAN}.parquet",
    log:
        "<logs>/toggle_table4.log",
    benchmark:
        "<benchmarks>/toggle_table4.tsv"
    group:
        "long"
    threads: threads_of_job
    resources:
        **measured("toggle_table4"),
    params:
        rows=[cells_of(row) for row in ROWS_TOGGLED],
        sources=places_of_jobs(ROWS_TOGGLED),
        models=config["source"] == "models",
    message:
        "Running Table 4 with one choice changed at a time"
    script:
        "../../scripts/carastan2017/toggle_table4.py"

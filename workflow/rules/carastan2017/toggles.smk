"""Table 4 with one cell of its rows changed at a time: results/toggles/carastan2017.parquet."""

# A stand-in of a log says nothing of the printed numbers; a model that draws the very jobs does.
ROWS_TOGGLED = [
    row
    for row in EXPERIMENTS[CARASTAN].values()
    if row.item == TABLE4[0] and (row.drawn or config["source"] != "models")
]


rule toggle_table4:
    """Run the rows of Table 4 and those derived from them, all of them in one call over threads."""
    input:
        jobs=files_of_jobs(ROWS_TOGGLED),
        published=PUBLISHED,
    output:
        **made_of_toggles(CARASTAN),
    log:
        "<logs>/toggle_table4.log",
    benchmark:
        "<benchmarks>/toggle_table4.tsv"
    group:
        "long"
    conda:
        "../../../environment.yml"
    threads: 8
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

"""Tables, figures and sentences of the arena: results/figures/arena/."""


rule judge:
    """What the arena shows: a table and a figure a metric, who survives all of them, two sentences."""
    input:
        metrics=contests(),
        facts=contests(".facts"),
        losers=contests(".losers"),
        guards=contests(".guards"),
        recorded=RECORDED,
    output:
        **files_of_arena(ARENA_TABLES, "table", "csv", "md"),
        **files_of_arena(ARENA_FIGURES, "figure", "png", "pdf", "csv"),
        txt=f"<results>/figures/{ARENA}/findings.txt",
    log:
        "<logs>/judge.log",
    benchmark:
        "<benchmarks>/judge.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(2000),
        runtime=minutes_of(10),
    params:
        labels={name: row.label for name, row in EXPERIMENTS[ARENA].items()},
        advice=config["advice"],
    message:
        "Judging the arena"
    script:
        "../../scripts/arena/judge.py"

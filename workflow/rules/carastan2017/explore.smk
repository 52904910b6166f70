"""Windows of Table 4 to pan and zoom, FCFS and the best policy: results/report/explore/."""


rule explore_window:
    """A window of an experiment, job by job, on a page that needs nothing beside it."""
    input:
        pieces=lambda wildcards: pieces_of(EXPERIMENTS[CARASTAN][wildcards.explored]),
        metrics=f"<results>/simulations/{CARASTAN}/{SHEET}/{{explored}}.parquet",
    output:
        html="<results>/report/explore/{explored}.html",
    log:
        "<logs>/explore_window/{explored}.log",
    benchmark:
        "<benchmarks>/explore_window/{explored}.tsv"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(600),
        runtime=minutes(5),
    params:
        settings=lambda wildcards: EXPERIMENTS[CARASTAN][wildcards.explored].settings,
        label=lambda wildcards: EXPERIMENTS[CARASTAN][wildcards.explored].label,
    message:
        "Writing a window of {wildcards.explored} to explore"
    script:
        "../../scripts/carastan2017/explore_window.py"

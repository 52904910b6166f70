"""Interactive pages of windows of Table 4, FCFS and the best policy: results/report/explore/."""


rule explore_windows:
    """Windows of experiments, job by job, each on a self-contained page."""
    input:
        pieces=[pieces_of(EXPERIMENTS[CARASTAN][name]) for name in EXPLORED],
        metrics=[
            f"<results>/simulations/{CARASTAN}/{SHEET}/{name}.parquet"
            for name in EXPLORED
        ],
    output:
        html=[f"<results>/report/explore/{name}.html" for name in EXPLORED],
    log:
        "<logs>/explore_windows.log",
    benchmark:
        "<benchmarks>/explore_windows.tsv"
    group:
        "figures"
    resources:
        **measured("explore_windows", mem_mb=600, minutes=5),
    params:
        settings=[EXPERIMENTS[CARASTAN][name].settings for name in EXPLORED],
        labels=[EXPERIMENTS[CARASTAN][name].name for name in EXPLORED],
    message:
        "Writing windows of experiments to explore"
    script:
        "../../scripts/carastan2017/explore_windows.py"

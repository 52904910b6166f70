"""Online learners of legrand2018: results/simulations/legrand2018/online.parquet."""


rule learn_online:
    """Run online learners on the weeks of each trace in order."""
    input:
        surfaces=results_by_weeks("deviation.surface"),
        pure=results_by_weeks("pure"),
    output:
        **files_of_rule(LEGRAND, "learn_online"),
        learned=f"<results>/simulations/{LEGRAND}/online.parquet",
    log:
        "<logs>/learn_online.log",
    benchmark:
        "<benchmarks>/learn_online.tsv"
    group:
        "figures"
    resources:
        **measured("learn_online", mem_mb=1000, minutes=10),
    params:
        rows=[cells_of(row) for row in WEEKS],
        windows=config["legrand2018"]["online"]["windows"],
        repetitions=config["legrand2018"]["online"]["repetitions"],
        resamples=config["legrand2018"]["online"]["resamples"],
        words=words_of_rule(LEGRAND, "learn_online"),
    message:
        "Learning online"
    script:
        "../../scripts/legrand2018/learn_online.py"


rule online:
    """Make the results of the online learners."""
    input:
        f"{MADE}/online.md",
        f"{MADE}/fig_online.png",

"""What the referee shows: results/figures/referee/."""


rule judge_referee:
    """Simulate the windows and hold simulators and repetitions against the real runs."""
    input:
        windows=[window_of_referee(log) for log in REFEREE_LOGS],
        facts=[window_of_referee(log, ".facts") for log in REFEREE_LOGS],
        replays=[
            f"<results>/simulations/{REFEREE}/"
            f"{one['log']}.{one['order']}.{one['repetition']}.parquet"
            for one in replays_of_referee()
        ],
    output:
        **{
            f"{item}_csv": in_report_of_referee(item, "csv", "table")
            for item in REFEREE_TABLES
        },
        **{f"{item}_md": f"{REFEREE_SHOWN}/{item}.md" for item in REFEREE_TABLES},
        png=in_report_of_referee("fig_referee", "png", "figure"),
        pdf=f"{REFEREE_SHOWN}/fig_referee.pdf",
        drawn=f"{REFEREE_SHOWN}/fig_referee.csv",
        windows=f"{REFEREE_SHOWN}/windows.csv",
        txt=f"{REFEREE_SHOWN}/findings.txt",
    log:
        "<logs>/judge_referee.log",
    benchmark:
        "<benchmarks>/judge_referee.tsv"
    group:
        "figures"
    conda:
        "../../../environment.yml"
    resources:
        mem_mb=mb(1000),
        runtime=minutes_of(10),
    params:
        logs=REFEREE_LOGS,
        replays=replays_of_referee(),
    message:
        "Judging the simulators beside a real Slurm"
    script:
        "../../scripts/referee/judge_referee.py"

"""Which windows and replays there are, and what the referee's report shows."""


def jobs_of_log(wildcards):
    """Return the jobs that a window is cut from."""
    return jobs_of_workload(wildcards.log, REFEREE_CLEANING)


def window_of_referee(log, suffix=""):
    """Name the file with a log's window, or what is beside it."""
    return f"{WINDOW}{suffix}.parquet".replace("{log}", log)


def replays_of_referee():
    """Return what is replayed, in the order of the files: log, order, repetition."""
    return [
        {"log": log, "order": order, "repetition": repetition}
        for log in REFEREE_LOGS
        for order in REFEREE_SETTINGS
        for repetition in range(1, config["referee"]["repetitions"] + 1)
    ]


def in_report_of_referee(item, suffix, kind):
    """Name a file that Snakemake's report shows."""
    return report(
        f"{REFEREE_SHOWN}/{item}.{suffix}",
        caption=f"../../report/{REFEREE}/{item}.rst",
        category=REFEREE,
        subcategory=kind,
        labels={kind: item},
    )

"""Make the scoreboard of all papers, with computing times and facts of the run."""

import json
import os
import platform
from datetime import UTC, datetime

import pandas as pd

from schedlab.files.io import write_text
from schedlab.flow.build import commit_of
from schedlab.flow.scripts import run_script
from schedlab.report.minutes import JobRecords, Made, minutes_of
from schedlab.report.scoreboard import board_of, read_scored
from schedlab.report.tables import write_csv

ALL = "all of it"


def make_scoreboard(
    files: dict[str, list[str]],
    scored: list[str],
    command: str,
    home: str,
    make: str,
    records: JobRecords,
    logs: str,
    benchmarks: str,
    csv: str,
    facts: str,
) -> None:
    """Write a row per published number, and the time, machine and commit of the run."""
    every = [path for own in files.values() for path in own]
    whole = Made(ALL, every, [])
    minutes = minutes_of(
        [*every, ALL], lambda path: whole if path == ALL else records.read(path, logs, benchmarks)
    )
    boards = [
        board_of(paper, own, read_scored(sheet), command, minutes)
        for (paper, own), sheet in zip(files.items(), scored, strict=True)
    ]
    write_csv(pd.concat(boards), csv)
    newest = max((os.path.getmtime(path) for path in every), default=0)
    values = {
        "commit": commit_of(home) if home else "",
        "finished": f"{datetime.fromtimestamp(newest, UTC):%d %B %Y, %H:%M} UTC",
        "hours": round(minutes[ALL] / 60, 2),
        "command": " ".join(command.replace("{}", "").split()),
        "make": make,
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
    }
    write_text(json.dumps(values, indent=1), facts)


if __name__ == "__main__":
    run_script(make_scoreboard, snakemake)  # noqa: F821

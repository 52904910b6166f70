"""The scoreboard of all papers, with the minutes that every number took."""

import base64
import json
from pathlib import Path

import pandas as pd

from schedlab.logs import logged
from schedlab.report.minutes import Made, minutes_of
from schedlab.report.scoreboard import board_of, read_scored
from schedlab.report.tables import write_csv


def record_of(path: str, records: str, logs: str, benchmarks: str) -> Made | None:
    """Read what the workflow recorded of the making of a file; None where it made none of it."""
    record = Path(records, base64.b64encode(path.encode()).decode())
    if not record.is_file():
        return None
    made = json.loads(record.read_text(encoding="utf-8"))
    measured = [
        Path(log.replace(logs, benchmarks, 1)).with_suffix(".tsv") for log in made["log"] or ()
    ]
    seconds = [
        float(pd.read_csv(file, sep="\t")["s"].iloc[0]) for file in measured if file.exists()
    ]
    return Made(job=(made["rule"], *(made["log"] or (path,))), needs=made["input"], seconds=seconds)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        files = job.params.files
        where = (job.params.records, job.params.logs, job.params.benchmarks)
        minutes = minutes_of(
            [path for own in files.values() for path in own],
            lambda path: record_of(path, *where),
        )
        boards = [
            board_of(paper, own, read_scored(scored), job.params.command, minutes)
            for (paper, own), scored in zip(files.items(), job.input.scored, strict=True)
        ]
        write_csv(pd.concat(boards), job.output.csv)

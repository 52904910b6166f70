"""Minutes that it took to make a file, counting each job behind it once."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd


@dataclass(frozen=True)
class Made:
    """Job that made a file, and the files that it read.

    `job` is hashable, and equal for all files that it made. `seconds` are measured wall times;
    empty if none was measured.
    """

    job: object
    needs: Sequence[str]
    seconds: Sequence[float]


def minutes_of(files: Iterable[str], record_of: Callable[[str], Made | None]) -> dict[str, float]:
    """Add up the minutes of all jobs behind each file, as if they run one after another.

    `record_of` maps a path to how it was made; None if no job made it or no record exists. Files
    without any record are left out.

    Examples
    --------
    >>> made = {"b": Made("sum", ["a", "raw"], [30.0]), "a": Made("read", ["raw"], [90.0])}
    >>> minutes_of(["b", "a", "c"], made.get)
    {'b': 2.0, 'a': 1.5}
    """
    records: dict[str, Made | None] = {}
    minutes = {}
    for file in files:
        jobs, waiting, seen = {}, [file], {file}
        while waiting:
            path = waiting.pop()
            if path not in records:
                records[path] = record_of(path)
            if (record := records[path]) is None:
                continue
            jobs[record.job] = sum(record.seconds)
            waiting += [need for need in record.needs if need not in seen]
            seen.update(record.needs)
        if jobs:
            minutes[file] = sum(jobs.values()) / 60
    return minutes


def read_record(path: str, records: str, logs: str, benchmarks: str) -> Made | None:
    """Read Snakemake's record of how a file was made; None if the workflow did not make it.

    `records` is the folder of Snakemake's metadata, `logs` and `benchmarks` those of the workflow.
    """
    record = Path(records, base64.urlsafe_b64encode(path.encode()).decode())
    if not record.is_file():
        return None
    made = json.loads(record.read_text(encoding="utf-8"))
    own = made["log"] or []
    measured = [Path(log.replace(logs, benchmarks, 1)).with_suffix(".tsv") for log in own]
    seconds = [pd.read_csv(file, sep="\t")["s"].iloc[0] for file in measured if file.exists()]
    return Made(job=(made["rule"], *(own or [path])), needs=made["input"], seconds=seconds)

"""How a file was made: the steps behind it, and minutes, counting each job once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pandas as pd


@dataclass(frozen=True)
class Made:
    """Job that made a file, and the files that it read.

    `job` is hashable, and equal for all files that it made. `seconds` are measured wall times;
    empty if none was measured. `script` is relative to the folder of scripts; empty without one.
    """

    job: object
    needs: Sequence[str]
    seconds: Sequence[float]
    rule: str = ""
    script: str = ""


def minutes_of(files: Iterable[str], record_of: Callable[[str], Made | None]) -> dict[str, float]:
    """Add up the minutes of all jobs behind each file, as if they run one after another.

    `record_of` maps a path to how it was made; None if no job made it or no record exists. Files
    without any record are left out.

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


def steps_to(file: str, record_of: Callable[[str], Made | None]) -> list[tuple[str, str]]:
    """Return the rules behind a file and their scripts, each once and behind those that it needs.

    `record_of` is as for `minutes_of`. If two rules need each other's files, the order is that in
    which they are found.

    >>> made = {
    ...     "b": Made(1, ["a", "raw"], [], "sum_up", "sum_up.py"),
    ...     "a": Made(2, ["raw"], [], "read", "read.py"),
    ... }
    >>> steps_to("b", made.get)
    [('read', 'read.py'), ('sum_up', 'sum_up.py')]
    """
    step_of: dict[str, tuple[str, str] | None] = {}
    needs: dict[tuple[str, str], set[tuple[str, str]]] = {}

    def go_back(path: str) -> tuple[str, str] | None:
        if path not in step_of:
            record = record_of(path)
            step_of[path] = step = (record.rule, record.script) if record else None
            before = [go_back(need) for need in record.needs] if record else []
            if step:
                needs.setdefault(step, set()).update({*before} - {step, None})
        return step_of[path]

    go_back(file)
    ordered = {step: sorted(before) for step, before in needs.items()}
    try:
        return list(TopologicalSorter(ordered).static_order())
    except CycleError:
        return list(needs)


@dataclass(frozen=True)
class JobRecords:
    """Snakemake's records of jobs, for scripts to read after the jobs have run.

    `store` is Snakemake's class for the records of this run, `file_of` makes of a path what it
    knows files by, and `options` are its. They have no text, because an address may contain a
    password.
    """

    store: Callable[..., Any]
    file_of: Callable[[str], Any]
    options: dict[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def opened(self) -> Any:
        """The records."""
        return self.store(**self.options)

    def read(self, path: str, logs: str, benchmarks: str) -> Made | None:
        """Read how a file was made; None if the workflow did not make it."""
        made = self.opened.metadata(self.file_of(path))
        if made is None:
            return None
        log_files = made.log or []
        measured = [Path(log.replace(logs, benchmarks, 1)).with_suffix(".tsv") for log in log_files]
        seconds = [pd.read_csv(file, sep="\t")["s"].iloc[0] for file in measured if file.exists()]
        script = re.search(r'scripts/([\w/]+\.py)"', made.code or "")
        return Made(
            job=(made.rule, *(log_files or [path])),
            needs=made.input or [],
            seconds=seconds,
            rule=made.rule,
            script=script[1] if script else "",
        )

"""Submissions as event files of the Slurm simulator of the University at Buffalo have them.

A line is ``-dt SECONDS -e submit_batch_job | -sim-walltime SECONDS`` and options of sbatch. A run
time of -1 lasts until the limit.

References
----------
ubccr-slurm-simulator/slurm_sim_tools, tutorials; Slurm, sbatch(1).
"""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from schedlab.core.requests import DEFAULTS, UNKNOWN
from schedlab.files.io import printable
from schedlab.traces.slurm.conf_text import text_of
from schedlab.traces.slurm.site_values import megabytes, time

JOB = "submit_batch_job"


def _seconds(text: str) -> float:
    """Return a number of seconds."""
    if not math.isfinite(seconds := float(text)):
        raise ValueError
    return seconds


def _nodes(text: str) -> tuple[int, int]:
    """Return the least and the largest number of nodes."""
    least, _, most = text.partition("-")
    return int(least), int(most or least)


def _limit(text: str) -> int:
    """Return the seconds of a limit."""
    seconds = time(text)
    return UNKNOWN if seconds is None else seconds


#: columns and readers of options
_COLUMNS: dict[str, tuple[tuple[str, ...], Callable[[str], Any]]] = {
    "submit": (("-dt",), _seconds),
    "runtime": (("-sim-walltime",), _seconds),
    "event": (("-e",), str),
    "node_range": (("-N", "--nodes"), _nodes),
    "tasks": (("-n", "--ntasks"), int),
    "cpus_per_task": (("-c", "--cpus-per-task"), int),
    "estimate": (("-t", "--time"), _limit),
    "qos": (("-q", "--qos"), str),
    "partition": (("-p", "--partition"), str),
    "account": (("-A", "--account"), str),
    "features": (("-C", "--constraint"), str),
    "job_name": (("-J", "--job-name"), str),
    "user": (("--uid",), str),
    "gres": (("--gres",), str),
    "memory": (("--mem",), megabytes),
    "memory_per_cpu": (("--mem-per-cpu",), megabytes),
    "reservation": (("--reservation",), str),
    "nice": (("--nice",), int),
}
_OPTIONS = {
    option: (column, read) for column, (options, read) in _COLUMNS.items() for option in options
}
COLUMNS = ("number", "submit", "runtime", "estimate", "procs", *DEFAULTS)


_EVENT = re.compile(rb"^\s*-dt[ =\t]*[\d.]", re.MULTILINE)


def is_events(head: bytes) -> bool:
    """Return whether a file whose unpacked content begins so is an event file."""
    return _EVENT.search(head) is not None


class Events(NamedTuple):
    """Jobs, with the columns `COLUMNS`, and lines that are none: line, text and reason."""

    jobs: pd.DataFrame
    ledger: pd.DataFrame


def read_events(path: str | Path) -> Events:
    """Read submissions, compressed or not.

    Times are whole seconds, memory is in MB. A job's number is that of its line; accounts are empty
    unless the line names one: they are the default accounts of users (`Site.default_accounts`).
    Without a limit, `estimate` is -1.
    """
    jobs, ledger = [], []
    for number, line in enumerate(text_of(path).splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            jobs.append({"number": number} | _job(line))
        except ValueError as problem:
            ledger.append((number, printable(line.strip()), str(problem)))
    frame = pd.DataFrame(jobs, columns=list(COLUMNS))
    for name, default in DEFAULTS.items():
        frame[name] = frame[name].astype(object).where(frame[name].notna(), default)
        frame[name] = frame[name].astype(type(default) if type(default) is not int else "int64")
    return Events(frame, pd.DataFrame(ledger, columns=["line", "text", "reason"]))


def _job(line: str) -> dict[str, Any]:
    """Return the values of a job by column; ValueError with the reason if a line has none."""
    values = _options(line)
    if (event := values.pop("event", "none")) != JOB:
        raise ValueError(f"event {event} is not {JOB}")
    if missing := [name for name in ("submit", "runtime") if name not in values]:
        raise ValueError(f"has no {' and no '.join(missing)} time")
    values["nodes"], values["most_nodes"] = values.pop("node_range", (0, 0))
    if (per_cpu := values.pop("memory_per_cpu", None)) is not None:
        values |= {"memory": per_cpu, "per_cpu": True}
    estimate = values.get("estimate", UNKNOWN)
    runtime = values["runtime"] if values["runtime"] >= 0 else estimate
    if runtime < 0:
        raise ValueError("runs until its limit, and has no limit")
    tasks = values.get("tasks", max(1, values["nodes"]))
    values["procs"] = tasks * values.get("cpus_per_task", 1)
    if values["procs"] < 1 or values["submit"] < 0:
        raise ValueError("has no processor, or a submit time below 0")
    times = {"submit": int(values["submit"]), "runtime": round(runtime), "estimate": estimate}
    return values | times


def _options(line: str) -> dict[str, Any]:
    """Return the values of a line's options by column."""
    values: dict[str, Any] = {}
    words = iter(line.split())
    for word in words:
        option, equals, text = word.partition("=")
        if option == "--exclusive":
            values["exclusive"] = True
        elif option in _OPTIONS:
            name, read = _OPTIONS[option]
            text = text if equals else next(words, "")
            try:
                values[name] = read(text)
            except ValueError:
                raise ValueError(f"{option} {printable(text)} has no meaning") from None
        elif option.startswith("-"):
            raise ValueError(f"option {printable(option)} is not read")
    values.pop("job_name", None)
    return values

"""Logs of a site: a generated one that is busy at times, and logs of given jobs."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.traces.cleaning import LEDGER_DTYPES
from schedlab.workbench.log import Log


def site_log(path, jobs=1500, runtime=20_000, processors=16, days=62, waits=False) -> str:
    """Write a log of so many days, packed where `path` ends with .gz; waits are made up if any."""
    rng = np.random.default_rng(3)
    submit = np.sort(rng.integers(0, days * 86_400, jobs))
    lines = [f"; MaxProcs: {processors}"]
    for number, (s, r, n) in enumerate(
        zip(submit, rng.integers(1, runtime, jobs), rng.integers(1, 9, jobs), strict=True), start=1
    ):
        wait = number % 700 if waits else -1
        user = number % 5
        lines.append(f"{number} {s} {wait} {r} {n} -1 -1 {n} {r + 60} -1 1 {user} 1 -1 1 -1 -1 -1")
    text = "\n".join(lines) + "\n"
    if str(path).endswith(".gz"):
        Path(path).write_bytes(gzip.compress(text.encode()))
    else:
        Path(path).write_text(text)
    return str(path)


def log_of(jobs: Jobs, processors: int = 8) -> Log:
    """The log of some jobs, all of one user, nothing known of their waits."""
    frame = jobs.to_frame().assign(user=1, group=1, queue=1, wait=-1)
    ledger = frame.iloc[:0].reindex(columns=list(LEDGER_DTYPES)).astype(LEDGER_DTYPES)
    lost = frame.iloc[:0].reindex(columns=["jobs", "core_hours", "jobs_share", "hours_share"])
    return Log(Path("made.swf"), "full_estimate", processors, frame, jobs, ledger, lost, (), ())


def jobs_of(*rows) -> Jobs:
    """Jobs numbered from 1, each (submit, run time, processors); estimates hold."""
    submit, runtime, procs = zip(*rows, strict=True)
    return Jobs(range(1, len(rows) + 1), submit, runtime, runtime, procs)

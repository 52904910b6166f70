"""A queue as two SWF logs: running jobs and waiting jobs."""

import os

import numpy as np
import pandas as pd

from schedlab.traces.slurm.queue_entries import QueueError, QueueFile, instant
from schedlab.traces.swf import Header, read_swf


def read_swf_queue(
    running: str | os.PathLike[str], waiting: str | os.PathLike[str], at: str | None = None
) -> tuple[QueueFile, Header]:
    """Read a queue from two logs on one clock; return it and the first log's header.

    These fields of a line are used: job number, submit time, wait (of running jobs, until their
    start), processors (requested, else allocated), requested time (-1: none), user and queue. So
    is the preceding job, which must end first.
    """
    logs = [read_swf(path) for path in (running, waiting)]
    frames = []
    for path, log, state in zip((running, waiting), logs, ("running", "waiting"), strict=True):
        jobs = log.jobs
        procs = np.where(jobs["requested_procs"] > 0, jobs["requested_procs"], jobs["procs"])
        if (bad := procs < 1).any():
            raise _fault(path, jobs, bad, "requested_procs (8)", "say how many it needs")
        start = np.full(len(jobs), -1)
        if state == "running":
            if (bad := jobs["wait"] < 0).any():
                raise _fault(path, jobs, bad, "wait (3)", "submit and wait say when it started")
            start = jobs["submit"] + jobs["wait"]
        limit = jobs["requested_time"].where(jobs["requested_time"] > 0, -1)
        before = jobs["preceding"]
        frames.append(
            pd.DataFrame({
                "id": jobs["number"].astype("str"),
                "state": state,
                "procs": procs,
                "limit": limit,
                "submit": jobs["submit"],
                "start": start,
                "begin": -1,
                "priority": -1,
                "user": jobs["user"].astype("str"),
                "partition": jobs["queue"].astype("str"),
                "after": [f"afterany:{job}" if job > 0 else "" for job in before],
                "reason": "",
            })
        )  # fmt: skip
    entries = pd.concat(frames, ignore_index=True)
    if (twice := entries["id"].duplicated()).any():
        raise QueueError(
            f"{waiting}: job {entries['id'][twice].iloc[0]} is in {running} too; it waits or runs"
        )
    last = int(entries[["submit", "start"]].to_numpy().max(initial=0))
    now = last if at is None else instant(at, "seconds")
    return QueueFile(f"{running}, {waiting}", entries, now, "seconds"), logs[0].header


def _fault(path: object, jobs: pd.DataFrame, bad: pd.Series, field: str, remedy: str) -> QueueError:
    job = jobs["number"][np.asarray(bad)].iloc[0]
    return QueueError(f"{path}: job {job}: field {field} is unknown; {remedy}")

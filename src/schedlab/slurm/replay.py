"""Replay of a log's jobs on a real Slurm at their submit times."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.core.slurm_site import MINUTE
from schedlab.files.progress import counted
from schedlab.queue.site_requests import time_limits
from schedlab.slurm.cluster import SlurmError, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedlab.core.jobs import Jobs
    from schedlab.slurm.cluster import RunningSlurm

#: minimum number of seconds between the start of the replay and time 0 of the jobs
LEAD = 10
#: seconds between two polls of the queue after the last submission
LOOK = 30
#: seconds that a job may take beyond its limit: a pass of backfilling, start, cleanup
MARGIN = 120
COLUMNS = ("number", "procs", "limit", "submit", "start", "end")


def replay(cluster: RunningSlurm, jobs: Jobs) -> pd.DataFrame:
    """Submit jobs at their times, each a sleep of its run time, and wait until all have ended.

    Columns, a row for each job: number, procs; limit in seconds, as Slurm rounds it; submit, start
    and end in whole seconds of Slurm's clock from time 0 of the jobs.
    """
    begin = next_minute()
    with counted("jobs", len(jobs)) as advance:
        handles = []
        for handle in submit_at_times(jobs, begin):
            handles.append(handle)
            advance()
    wait_for_ends(jobs)
    ended = {job["JobId"]: job for job in cluster.completed()}
    rows = []
    for number, handle in zip(jobs.number.tolist(), handles, strict=True):
        job = ended.get(handle, {"JobState": "lost"})
        if job["JobState"] != "COMPLETED":
            raise SlurmError(f"job {number} (Slurm's {handle}) is {job['JobState']}")
        moments = [
            int(datetime.fromisoformat(job[name]).timestamp()) - begin
            for name in ("SubmitTime", "StartTime", "EndTime")
        ]
        rows.append((number, int(job["ProcCnt"]), int(job["TimeLimit"]) * MINUTE, *moments))
    return pd.DataFrame(rows, columns=COLUMNS)


def wait_for_ends(jobs: Jobs) -> None:
    """Wait until the queue is empty; raise SlurmError after the time that the jobs may take."""
    end = time.time() + time_limits(jobs.estimate).sum() + MARGIN * len(jobs)
    while queue := run("squeue", "--noheader", "--format=%i %T %r"):
        if time.time() > end:
            raise SlurmError(f"these jobs do not end:\n{queue}")
        time.sleep(LOOK)


def next_minute() -> int:
    """Return a full minute in the future: Slurm counts reservations in minutes of its clock."""
    return -(-int(time.time() + LEAD) // MINUTE) * MINUTE


def submit_at_times(jobs: Jobs, begin: int) -> Iterator[str]:
    """Submit jobs at their times from `begin` on, and yield the Slurm number of each."""
    columns = (jobs.submit, jobs.runtime, time_limits(jobs.estimate) // MINUTE, jobs.procs)
    for submit, runtime, limit, procs in zip(*(column.tolist() for column in columns), strict=True):
        time.sleep(max(begin + submit - time.time(), 0))
        yield put(procs, limit, runtime)


def put(procs: int, limit: int, seconds: int) -> str:
    """Submit a job that sleeps; return its Slurm number."""
    size = (f"--ntasks={procs}", f"--time={limit}")
    quiet = ("--output=/dev/null", "--chdir=/")
    return run("sbatch", "--parsable", *size, *quiet, f"--wrap=exec sleep {seconds}").strip()

"""A log's jobs submitted to a real Slurm at their times, and what became of them."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.files.progress import counted
from schedlab.queue.slurm import MINUTE, SlurmSwitches
from schedlab.slurm.cluster import SlurmError, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from schedlab.core.jobs import Jobs
    from schedlab.slurm.cluster import RunningSlurm

#: seconds between submitting being ready and time 0 of the jobs, at least
LEAD = 10
#: seconds between two looks at the queue when all have been submitted
LOOK = 30
#: seconds that a job may take beyond its limit: a pass of backfilling, starting, clearing away
MARGIN = 120
COLUMNS = ("number", "procs", "limit", "submit", "start", "end")


def replay(cluster: RunningSlurm, jobs: Jobs) -> pd.DataFrame:
    """Submit jobs at their times, each a sleep for its run time, and wait until all have ended.

    Parameters
    ----------
    cluster : RunningSlurm
        Brought up, with nothing in its queue.
    jobs : Jobs
        Submit times from 0 on.

    Returns
    -------
    DataFrame
        A row for each job, as they stand: number, procs; limit in seconds, as Slurm counts it; its
        submit, start and end in whole seconds of Slurm's clock from time 0 of the jobs.

    Raises
    ------
    SlurmError
        A submission is refused, or a job has not ended well; its number is named. Some are still
        there when all could have run one after the other; they are named as squeue does.
    """
    begin = next_minute()
    with counted("jobs", len(jobs)) as advance:
        handles = []
        for handle in submitted(jobs, begin):
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
    """Return when the queue is empty; SlurmError when it is not in the time that they may take."""
    end = time.time() + limits(jobs).sum() + MARGIN * len(jobs)
    while left := run("squeue", "--noheader", "--format=%i %T %r"):
        if time.time() > end:
            raise SlurmError(f"these jobs do not end:\n{left}")
        time.sleep(LOOK)


def limits(jobs: Jobs) -> np.ndarray:
    """Return the time limits that Slurm takes for estimates, in seconds: whole minutes."""
    return SlurmSwitches().limit(jobs.estimate)


def next_minute() -> int:
    """Return a full minute that is to come: Slurm counts reservations in minutes of its clock."""
    return -(-int(time.time() + LEAD) // MINUTE) * MINUTE


def submitted(jobs: Jobs, begin: int) -> Iterator[str]:
    """Submit jobs at their times from `begin` on, and give each one's number of Slurm's."""
    columns = (jobs.submit, jobs.runtime, limits(jobs) // MINUTE, jobs.procs)
    for submit, runtime, limit, procs in zip(*(column.tolist() for column in columns), strict=True):
        time.sleep(max(begin + submit - time.time(), 0))
        yield put(procs, limit, runtime)


def put(procs: int, limit: int, seconds: int) -> str:
    """Submit a job that sleeps; its number of Slurm's."""
    size = (f"--ntasks={procs}", f"--time={limit}")
    quiet = ("--output=/dev/null", "--chdir=/")
    return run("sbatch", "--parsable", *size, *quiet, f"--wrap=exec sleep {seconds}").strip()

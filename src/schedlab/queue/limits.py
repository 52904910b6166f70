"""Limits of the kernels: sizes of machines, and times and sizes of jobs."""

from collections.abc import Sequence

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.session import NEVER

#: largest number of processors, and of seconds of a run time or estimate, in the kernels
MOST = 2**31 - 2


def check_size(processors: int) -> None:
    """Raise ValueError if a number of processors is below 1 or too large for the kernels."""
    if not 1 <= processors <= MOST:
        raise ValueError(f"the machine has {processors} processors, must have 1 to {MOST}")


def check_machine(jobs: Jobs, processors: int) -> None:
    """Check that a machine can run the jobs."""
    check_size(processors)
    bounds = {"procs": processors, "runtime": MOST, "estimate": MOST, "submit": 2**32}
    for name, most in bounds.items():
        column = getattr(jobs, name)
        if (bad := np.flatnonzero(column > most)).size:
            job, value = jobs.number[bad[0]], column[bad[0]]
            if name == "procs":
                raise ValueError(
                    f"job {job} needs {value} processors, the machine has {processors}"
                )
            raise ValueError(f"job {job}: {name} is {value} s, must be at most {most}")


def check_running(
    jobs: Jobs, started: Sequence[int] | np.ndarray, now: int, free: int
) -> np.ndarray:
    """Check that jobs can be running already; return their start times, int64 of shape (n,)."""
    values = np.asarray(started)
    if values.shape != (len(jobs),) or (values.size and values.dtype.kind not in "iu"):
        raise ValueError(
            f"{len(jobs)} jobs run: started has {len(jobs)} whole numbers, not {values.dtype} of "
            f"the shape {values.shape}"
        )
    started = np.ascontiguousarray(values, dtype=np.int64)
    for bad, why in (
        (started < jobs.submit, "started before it was submitted"),
        (started > now, f"has not started by the present time {now}"),
        (started + jobs.runtime <= now, f"has ended by the present time {now}"),
    ):
        if bad.any():
            raise ValueError(f"job {jobs.number[np.flatnonzero(bad)[0]]} {why}")
    if jobs.procs.sum() > free:
        raise ValueError(f"the running jobs have {jobs.procs.sum()} processors, {free} are free")
    return started


def check_waiting(jobs: Jobs, now: int) -> None:
    """Raise ValueError if a job cannot be waiting already: it is submitted after `now`."""
    if (later := np.flatnonzero(jobs.submit > now)).size:
        job, submit = jobs.number[later[0]], jobs.submit[later[0]]
        raise ValueError(
            f"job {job} does not wait yet: it is submitted at {submit}, after the present time "
            f"{now}"
        )


def check_estimated(jobs: Jobs) -> None:
    """Raise ValueError if an estimate is 0 s; the message names the job."""
    if (bad := np.flatnonzero(jobs.estimate == 0)).size:
        raise ValueError(f"job {jobs.number[bad[0]]} has an estimate of 0 s")


def starvation_threshold(threshold: int | None) -> int:
    """Return the starvation threshold for the kernels: by default, one that no job reaches."""
    return NEVER if threshold is None else min(threshold, NEVER)

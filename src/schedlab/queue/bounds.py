"""What the kernels can count with: the sizes of machines, the times and needs of jobs."""

from __future__ import annotations

import numpy as np

from schedlab.jobs import Jobs

#: the most processors, and seconds of a run time or an estimate, that the kernels count with
MOST = 2**31 - 2
#: a waiting time that no job reaches, in seconds
NEVER = 2**63 - 1


def check_size(processors: int) -> None:
    """See that the kernels can count a machine's processors.

    Raises
    ------
    ValueError
        They are none or too many.
    """
    if not 1 <= processors <= MOST:
        raise ValueError(f"the machine has {processors} processors, must have 1 to {MOST}")


def check_machine(jobs: Jobs, processors: int) -> None:
    """See that a machine can run the jobs.

    Raises
    ------
    ValueError
        A job needs more processors than the machine has, or a number is out of range.
    """
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


def patience(threshold: int | None) -> int:
    """The starvation threshold as the kernels take it: without one nobody waits that long."""
    return NEVER if threshold is None else min(threshold, NEVER)

"""EASY++: backfilling by what run times are predicted to be rather than by users' estimates.

Tsafrir, Etsion and Feitelson, "Backfilling using system-generated predictions rather than user
runtime estimates", IEEE TPDS 18(6), 2007. The queue is first come first served; shadow times and
backfilling go by predictions, and waiting jobs are backfilled shortest prediction first. A job is
still killed by its estimate alone: one that outlives its prediction is given a longer one.

What the paper leaves open, or what only its programs say, is decided so:

- A prediction is the mean of the run times of the user's last two jobs to have ended (of one
  instant the one submitted last is the last), in whole seconds, rounded down, at least 1; never
  more than the estimate, and the estimate itself until two have ended.
- It is that of the present as long as a job waits, and stands still when it starts.
- An outlived one, whose job runs at the end that was predicted, becomes the first plus the next of
  `CORRECTIONS`, which replaces the one before, never more than the estimate; behind the last of
  them, the estimate. So a prediction of 10 min is 11, 15, 25, 40 min and so on: steps are not
  added up. The queue is looked at when a job comes or ends; what has been outlived by then is
  corrected first, by as many steps as it takes to lie ahead, and jobs that end then are not.
- A job whose user is not known goes by its estimate.
"""

from __future__ import annotations

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.kernels.queue.predicted import run_predicted
from schedlab.queue.bounds import check_machine
from schedlab.queue.reservations import check_estimates

MINUTE, HOUR = 60, 3600
#: seconds by which an outlived prediction is raised, one after the other
CORRECTIONS = (
    *(minutes * MINUTE for minutes in (1, 5, 15, 30)),
    *(hours * HOUR for hours in (1, 2, 5, 10, 20, 50, 100)),
)


def simulate_predicted(jobs: Jobs, user: np.ndarray, processors: int) -> Schedule:
    """Simulate EASY++; the interpreter's lock is let go of meanwhile.

    Parameters
    ----------
    jobs : Jobs
        n jobs, submit times from 0 on, no estimate below 1 s or the run time.
    user : array_like of int, shape (n,)
        Any numbers; a negative one: not known.
    processors : int
        Size of the machine.

    Returns
    -------
    Schedule
        int64 times in seconds.

    Raises
    ------
    ValueError
        There is not one user a job, a job does not fit the machine, an estimate does not hold or a
        time is out of range; the message names the job.

    Examples
    --------
    User 1's first two jobs ran 10 s each, so that the fourth, said to take 100 s, fits in front of
    the third:

    >>> jobs = Jobs(
    ...     [1, 2, 3, 4, 5],
    ...     [0, 0, 20, 21, 21],
    ...     [10, 10, 60, 50, 10],
    ...     [10, 10, 60, 50, 100],
    ...     [1, 1, 2, 3, 1],
    ... )
    >>> simulate_predicted(jobs, [1, 1, 2, 2, 1], 3).start.tolist()
    [0, 0, 20, 80, 21]
    """
    users = np.asarray(user)
    if users.shape != (len(jobs),):
        raise ValueError(f"{len(jobs)} jobs have {users.size} users of the shape {users.shape}")
    check_machine(jobs, processors)
    check_estimates(jobs)
    if len(jobs) and jobs.submit[0] < 0:
        raise ValueError(f"job {jobs.number[0]} is submitted at {jobs.submit[0]}, before 0")
    known, place = np.unique(users[users >= 0], return_inverse=True)
    index = np.full(len(jobs), len(known), dtype=np.int32)
    index[users >= 0] = place
    columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
    start = run_predicted(*columns, index, len(known), processors, np.array(CORRECTIONS))
    return Schedule(start, start + jobs.runtime)

"""EASY++: backfilling by predicted run times instead of users' estimates.

Tsafrir, Etsion and Feitelson, "Backfilling using system-generated predictions rather than user
runtime estimates", IEEE TPDS 18(6), 2007. The queue is first come first served. Shadow times and
backfilling use predictions, and waiting jobs are backfilled shortest prediction first. A job is
still killed only at its estimate; if it outlives its prediction, it gets a longer one.

Choices that the paper leaves open, or that only its programs define:

- A prediction is the mean of the run times of the user's last two jobs that have ended, in whole
  seconds, rounded down, at least 1. Of jobs that end at one instant, the last submitted counts as
  the last. It never exceeds the estimate, and is the estimate until two jobs have ended.
- It is updated while a job waits, and fixed when the job starts.
- A running job outlives its prediction if it runs at its predicted end. The prediction then
  becomes the original one plus the next of `CORRECTIONS`, which replaces the previous correction,
  and never exceeds the estimate. After the last correction it is the estimate. So a prediction of
  10 min becomes 11, 15, 25, 40 min and so on: steps are not added up. The queue is processed when
  a job arrives or ends. Predictions outlived by then are corrected first, by as many steps as
  needed to lie in the future; jobs that end then are not corrected.
- A job whose user is unknown uses its estimate.
"""

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.kernels.queue.whole import run_predicted
from schedlab.queue.limits import check_machine
from schedlab.queue.reservations import check_estimates

MINUTE, HOUR = 60, 3600
#: seconds by which an outlived prediction is raised, in this order
CORRECTIONS = (
    *(minutes * MINUTE for minutes in (1, 5, 15, 30)),
    *(hours * HOUR for hours in (1, 2, 5, 10, 20, 50, 100)),
)


def simulate_predicted(jobs: Jobs, user: np.ndarray, processors: int) -> Schedule:
    """Simulate EASY++; the interpreter lock is released meanwhile.

    Submit times are from 0 on, no estimate is below 1 s or below the run time. Users (int, shape
    (n,)) are negative if unknown. Times of the schedule are int64 seconds. Raises ValueError if
    there are more or fewer users than jobs, a job does not fit the machine, an estimate is below
    the run time, or a time is out of range. The message names the job.

    Examples
    --------
    User 1's first two jobs ran 10 s each. So the fourth job, with an estimate of 100 s, fits in
    front of the third:

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
    distinct_users, place = np.unique(users[users >= 0], return_inverse=True)
    index = np.full(len(jobs), len(distinct_users), dtype=np.int32)
    index[users >= 0] = place
    columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
    start = run_predicted(*columns, index, len(distinct_users), processors, np.array(CORRECTIONS))
    return Schedule(start, start + jobs.runtime)

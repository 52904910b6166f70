"""Users for a model's jobs, which have none: sessions in which a user submits several jobs."""

import numpy as np
import pandas as pd

#: probability that the next job is from the same user
STAYS = 0.8
UNKNOWN = -1


def with_users(jobs: pd.DataFrame, users: int, stream: np.random.Generator) -> pd.DataFrame:
    """Assign users to the jobs of a workload of `schedlab.workloads.lublin.generate`.

    Consecutive jobs are from one user with probability `STAYS`, so that users have batches and
    sessions. The next user is drawn by Zipf's law: the k-th user has 1 / k of the first one's
    probability, which is about as unequal as in real logs. A small workload may not contain all
    users. The workload serves to demonstrate the processing; it is not a validated user model.

    Returns the jobs with another ``user``, 1 to `users`, and with the further columns of a log
    cleaned by the rules ``klusacek2016``: requested_time, the estimate; wait and requested_memory,
    unknown (-1); queue_name and node_spec, empty. Raises ValueError if there are no users.

    Examples
    --------
    >>> from schedlab.workloads.lublin import generate
    >>> found = with_users(generate(1000, 64, seed=1), 5, np.random.default_rng(1))
    >>> sorted(found["user"].unique().tolist()), bool((found["requested_time"] > 0).all())
    ([1, 2, 3, 4, 5], True)
    """
    if users < 1:
        raise ValueError(f"users is {users}, must be at least 1")
    n = len(jobs)
    chance = 1 / np.arange(1, users + 1)
    candidates = stream.choice(users, n, p=chance / chance.sum()) + 1
    comes = stream.random(n) >= STAYS
    comes[:1] = True
    return jobs.assign(
        user=candidates[np.flatnonzero(comes)[np.cumsum(comes) - 1]],
        wait=UNKNOWN,
        requested_time=jobs["estimate"],
        requested_memory=UNKNOWN,
        queue_name="",
        node_spec="",
    )

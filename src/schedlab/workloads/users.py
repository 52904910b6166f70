"""Users for a model's jobs, which has none: who sits at the terminal submits until they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from schedlab.traces.cleaning import NUMBERS, TEXTS

if TYPE_CHECKING:
    import pandas as pd

#: after a job the same user submits the next one with this probability
STAYS = 0.8
UNKNOWN = -1


def with_users(jobs: pd.DataFrame, users: int, stream: np.random.Generator) -> pd.DataFrame:
    """Deal the jobs of a workload out to users.

    Parameters
    ----------
    jobs : DataFrame
        n jobs in order of submission, from `schedlab.workloads.lublin.generate`.
    users : int
        How many users there are, at least 1; a small workload may not see all of them.
    stream : Generator
        For the draws.

    Returns
    -------
    DataFrame
        The jobs with another ``user``, 1 to `users`, and with the columns that a log cleaned by
        the rules ``klusacek2016`` has beside: requested_time, the estimate; wait and
        requested_memory, unknown (-1); queue_name and node_spec, empty.

    Raises
    ------
    ValueError
        There are no users.

    Notes
    -----
    Consecutive jobs come from one user with probability `STAYS`, so that users have batches and
    sessions; who comes next is drawn by Zipf's law, the k-th user having 1 / k of the first one's
    chance, which is about how unequal the users of real logs are. It is a workload to show the
    chain on and no model of anybody's users.

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
    drawn = stream.choice(users, n, p=chance / chance.sum()) + 1
    comes = stream.random(n) >= STAYS
    comes[:1] = True
    columns = dict.fromkeys(NUMBERS, UNKNOWN) | dict.fromkeys(TEXTS, "")
    columns["user"] = drawn[np.flatnonzero(comes)[np.cumsum(comes) - 1]]
    columns["requested_time"] = jobs["estimate"]
    return jobs.assign(**columns)

"""Fairness among users over a finished schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def normalized_waits(user: ArrayLike, wait: ArrayLike, usage: ArrayLike) -> pd.Series:
    """Return the normalized user wait time (NUWT) of each user.

    That is how long all jobs of a user waited together, over what they used together, the latter at
    least 1: equal users of a fair machine wait in proportion to what they use.

    Parameters
    ----------
    user : array_like of int, shape (n,)
        Whose each job is.
    wait : array_like, shape (n,)
        How long it waited, in seconds.
    usage : array_like, shape (n,)
        What it used, in processor seconds: processors times run time or, where memory counts,
        `schedlab.planning.requests.shares` times run time.

    Returns
    -------
    pandas.Series
        By user, in the order of their numbers; no users, no rows.

    References
    ----------
    klusacek2016, section 3.3 and figure 7, whose simulator does not count memory.

    Examples
    --------
    >>> found = normalized_waits([1, 2, 1], [100, 30, 50], [200, 60, 100])
    >>> found.tolist()
    [0.5, 0.5]
    >>> spread(found)
    (0.5, 0.0)
    """
    columns = {"wait": np.asarray(wait), "usage": np.asarray(usage)}
    sums = pd.DataFrame(columns).groupby(np.asarray(user)).sum()
    found = sums["wait"] / sums["usage"].clip(lower=1)
    return found.rename_axis("user").rename("nuwt").astype("float64")


def spread(waits: pd.Series) -> tuple[float, float]:
    """Return mean and standard deviation of the users' values; these are all users there are."""
    return float(waits.mean()), float(waits.std(ddof=0))

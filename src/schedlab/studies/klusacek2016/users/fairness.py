"""Compute the fairness among users in a finished schedule."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike


def normalized_waits(user: ArrayLike, wait: ArrayLike, usage: ArrayLike) -> pd.Series:
    """Return the normalized user wait time (NUWT) of each user.

    NUWT is the total wait of a user's jobs divided by their total usage, which counts as at least
    1. On a fair machine, equal users wait in proportion to their usage.

    >>> found = normalized_waits([1, 2, 1], [100, 30, 50], [200, 60, 100])
    >>> found.tolist()
    [0.5, 0.5]
    >>> spread(found)
    (0.5, 0.0)
    """
    columns = {"wait": np.asarray(wait), "usage": np.asarray(usage)}
    sums = pd.DataFrame(columns).groupby(np.asarray(user)).sum()
    ratios = sums["wait"] / sums["usage"].clip(lower=1)
    return ratios.rename_axis("user").rename("nuwt").astype("float64")


def spread(waits: pd.Series) -> tuple[float, float]:
    """Return mean and population standard deviation of the users' values."""
    return float(waits.mean()), float(waits.std(ddof=0))

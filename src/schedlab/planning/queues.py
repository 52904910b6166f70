"""Queues by limit of the estimated run time."""

from collections.abc import Sequence

import numpy as np


def ranks(estimate: np.ndarray, limits: Sequence[int]) -> np.ndarray:
    """Return the rank of each job's queue: the shortest whose limit is at least its estimate.

    Estimates and increasing limits are in seconds. Ranks are int32 from 0 on; the number of limits
    for a job that exceeds all of them. Raises ValueError if limits do not increase, or one is below
    1.

    Examples
    --------
    >>> ranks(np.array([3600, 3601, 10**7]), [3600, 86400]).tolist()
    [0, 1, 2]
    """
    if any(b <= a for a, b in zip([0, *limits], limits, strict=False)):
        raise ValueError(f"queues: limits {', '.join(map(str, limits))} s must go up from 1")
    return np.searchsorted(limits, estimate).astype(np.int32)

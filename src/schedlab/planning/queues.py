"""Queues by limit of the estimated run time."""

from collections.abc import Sequence

import numpy as np


def ranks(estimate: np.ndarray, limits: Sequence[int]) -> np.ndarray:
    """Return the rank of each job's queue: the shortest whose limit is at least its estimate.

    Ranks are int32 from 0 on; the number of limits for a job that exceeds all of them.
    """
    if any(b <= a for a, b in zip([0, *limits], limits, strict=False)):
        raise ValueError(f"queues: limits {', '.join(map(str, limits))} s must go up from 1")
    return np.searchsorted(limits, estimate).astype(np.int32)

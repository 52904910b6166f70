"""Core-hours that a user loses by a wrong prediction of a wait, compared with knowing the wait.

A job is needed at some instant, and is submitted the predicted wait before it, like a stage of a
workflow (souza2020, section 3.2). With the true wait nothing is lost. Otherwise:

- **Late**: the wait is longer than predicted. The work is delayed by the difference.
- **Early**: the wait is shorter. The allocation idles until it is needed, at most for the time that
  it requested. If the job no longer fits in what is left, the allocation is cancelled. The job is
  then submitted again when it is needed, and the work is delayed by another wait of that length.

The unit is the core-hour: an hour of delay and an hour of idling cost the processors of the job one
hour each. Predicting 0 means to submit when the job is needed: it loses the wait times the
processors.
"""

from typing import NamedTuple

import numpy as np

HOUR = 3_600


class Loss(NamedTuple):
    """Core-hours lost by delays and by idle allocations, each of shape (n,)."""

    delay: np.ndarray
    idle: np.ndarray


def losses(
    wait: np.ndarray,
    predicted: np.ndarray,
    procs: np.ndarray,
    runtime: np.ndarray,
    request: np.ndarray,
) -> Loss:
    """Return the losses of predictions of waits.

    All times are in seconds; arrays have shape (n,).

    Examples
    --------
    A job of 2 processors runs for an hour, requests two hours and waits one hour. The predicted
    wait is zero, two hours, and three hours; in the last case the first allocation is useless.

    >>> hours = [np.array([value] * 3) * HOUR for value in (1, 1, 2)]
    >>> wait, runtime, request = hours
    >>> found = losses(wait, np.array([0, 2, 3]) * HOUR, np.array([2] * 3), runtime, request)
    >>> found.delay.tolist(), found.idle.tolist()
    ([2.0, 0.0, 2.0], [0.0, 2.0, 4.0])
    """
    early = np.maximum(predicted - wait, 0)
    idle = np.minimum(early, request)
    cancelled = (early > 0) & (idle + runtime > request)
    delay = np.where(cancelled, wait, np.maximum(wait - predicted, 0))
    return Loss(delay * procs / HOUR, idle * procs / HOUR)

"""Splitting of a log into pieces: sequences of 15 days, calendar weeks, months, busiest days."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

DAY = 86_400  # seconds
WEEK = 7 * DAY
MONTH = 30 * DAY
MEAN_MONTH = 365.25 * DAY / 12  # mean calendar month, the unit for lengths of logs
NO_PIECE = -1
FIRST_NUMBER = 2  # number of a log's first job in the simulator of legrand2018


def sequences(submit: ArrayLike, days: int = 15, head: int = 16) -> np.ndarray:
    """Cut a log into consecutive sequences of `days` days.

    A sequence starts with `head` jobs, whenever they arrive (they fill the machine; S in the
    paper). Then it has every job submitted at most `days` days (inclusive) after the sequence's
    first job. The next sequence begins with the next job. A rest at the end of the log that is too
    short for a sequence is left out, because a truncated piece has a lighter load than the others.
    Source: carastan2017, section 4.3 and the artefact's scripts.

    Submit times are seconds, non-decreasing (else raises ValueError). The result is int64, shape
    (n,): the sequence of each job, from 0; -1 if it is in none.

    Examples
    --------
    >>> sequences([0, 10, 86_400, 86_401, 86_402, 200_000], days=1, head=2)
    array([ 0,  0,  0,  1,  1, -1])
    """
    submit = _submit_times(submit)
    piece = np.full(submit.size, NO_PIECE, dtype=np.int64)
    first = number = 0
    while first < submit.size:
        last_instant = submit[first] + days * DAY
        if submit[-1] < last_instant or submit.size - first < head:
            break
        stop = max(first + head, int(np.searchsorted(submit, last_instant, side="right")))
        piece[first:stop] = number
        first = stop
        number += 1
    return piece


def periods(submit: ArrayLike, length: int) -> np.ndarray:
    """Return the calendar period in which each job is submitted.

    Periods begin at whole multiples of their length on the clock of `submit`. They are numbered
    from 1, the first one with a job; a period without jobs keeps its number. Source: legrand2018,
    sections 5.1 and 11. Submit times are seconds, non-decreasing; `length` is in seconds: `WEEK` or
    `MONTH`. The result is int64, shape (n,).

    Examples
    --------
    >>> periods([700_000, 1_209_599, 1_209_600], WEEK)
    array([1, 1, 2])
    """
    number = _submit_times(submit) // length
    return number - number[:1] + 1


def log_periods(submit: ArrayLike, length: int, before: int = 0) -> np.ndarray:
    """Return the period of the log's own clock in which each job is submitted.

    `submit` and `length` are as for `periods`. The first `before` periods from the log's time 0 are
    skipped: their jobs have -1, others int64 from 1. Source: legrand2018, section 5.1: its tables
    of weeks begin with the fourth week.

    >>> log_periods([0, 1_814_399, 1_814_400, 2_419_199, 2_419_200], WEEK, before=3)
    array([-1, -1,  1,  1,  2])
    """
    number = _submit_times(submit) // length + 1 - before
    return np.where(number > 0, number, NO_PIECE)


def numbers_in_log(submit: ArrayLike) -> np.ndarray:
    """Return job numbers 2, 3, ... of a simulator that leaves out the log's first week.

    Submit times are seconds on the log's clock, non-decreasing. Numbers are int64, below 2 for jobs
    of the first week.

    >>> numbers_in_log([5, 6, 604_800, 604_801])
    array([0, 1, 2, 3])
    """
    week = _submit_times(submit) // WEEK
    return np.arange(len(week)) + FIRST_NUMBER - np.count_nonzero(week == week[:1])


def middle(submit: ArrayLike) -> int:
    """Return the start of the second half of a log: midway from first to last submission."""
    times = _submit_times(submit)
    return (int(times[0]) + int(times[-1])) // 2 if times.size else 0


def second_half(submit: ArrayLike) -> np.ndarray:
    """Cut the second half of a log into `sequences` of 15 days; other jobs have no piece.

    A policy that was learned on the first half is tested on jobs that it was not learned from.
    """
    times = _submit_times(submit)
    late = times >= middle(times)
    piece = np.full(times.size, NO_PIECE, dtype=np.int64)
    piece[late] = sequences(times[late])
    return piece


def busiest(
    submit: ArrayLike, wait: ArrayLike, count: int, days: int = 5, apart: int = 0
) -> np.ndarray:
    """Select the intervals of a log with the most waiting jobs.

    An interval lasts `days` days from a job's submission, its end excluded, and lies completely
    within the log. Its contention is the mean number of waiting jobs that the log has recorded: a
    job waits from its submission for the length of its wait. The most contended interval is
    selected first, then the most contended one that does not overlap it, and so on; ties go to the
    earliest. With at least `apart` days between two intervals, one contended time is not split into
    adjacent intervals.

    Submit times (non-decreasing) and recorded waits are seconds; an unknown wait (-1) counts as 0.
    A short log may have fewer than `count` intervals. The result is int64, shape (n,): the interval
    of each job, 1 the most contended; -1 if it is in none.

    Source: klusacek2016, section 4.2: "significant activity and contention (using the number of
    waiting jobs at the given time as a metric)", "intervals that lasted for at least 5 days".

    Examples
    --------
    >>> day = 86_400
    >>> submit = [0, day, 2 * day, 3 * day, 4 * day]
    >>> busiest(submit, [0, 60, 0, 600, 0], count=2, days=1)
    array([-1,  2, -1,  1, -1])
    """
    times = _submit_times(submit)
    begun = times + np.clip(np.asarray(wait, dtype=np.int64), 0, None)
    length = days * DAY
    firsts = np.unique(times[times + length <= times[-1:]])
    waited = _waited_until(firsts + length, times, begun) - _waited_until(firsts, times, begun)
    piece = np.full(times.size, NO_PIECE, dtype=np.int64)
    for number in range(1, count + 1):
        if not firsts.size:
            break
        first = firsts[np.argmax(waited)]
        piece[(times >= first) & (times < first + length)] = number
        later = np.abs(firsts - first) >= length + apart * DAY
        firsts, waited = firsts[later], waited[later]
    return piece


def _waited_until(
    instants: NDArray[np.int64], submit: NDArray[np.int64], begun: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the total waiting time of all jobs until each of the instants, in seconds."""

    def since(times: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sum of seconds since each of the times before an instant."""
        times = np.sort(times)
        before = np.searchsorted(times, instants)
        return before * instants - np.concatenate(([0], np.cumsum(times)))[before]

    return since(submit) - since(begun)


SPLITS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "sequences15d": sequences,
    "second_half15d": second_half,
    "weeks": partial(periods, length=WEEK),
    "months": partial(periods, length=MONTH),
    "log_weeks": partial(log_periods, length=WEEK, before=3),
    "log_months": partial(log_periods, length=MONTH),
}
#: job numbers for splits that number jobs by their place in the log
NUMBERS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "log_weeks": numbers_in_log,
    "log_months": lambda submit: np.arange(len(submit)) + FIRST_NUMBER,
}


def split(jobs: pd.DataFrame, name: str) -> pd.DataFrame:
    """Cut clean jobs, by submit time, into pieces with a split of `SPLITS`.

    Returns the jobs that belong to a piece, with a further int64 column ``piece``; for splits in
    `NUMBERS` also ``id``. Raises ValueError if the split is unknown, submit times decrease, or
    there are jobs but no whole piece.
    """
    if name not in SPLITS:
        raise ValueError(f"no split '{name}'; there are {', '.join(SPLITS)}")
    piece = SPLITS[name](jobs["submit"].to_numpy())
    if name in NUMBERS:
        jobs = jobs.assign(id=NUMBERS[name](jobs["submit"].to_numpy()))
    pieces = jobs.assign(piece=piece)[piece != NO_PIECE].reset_index(drop=True)
    if len(jobs) and not len(pieces):
        days = (jobs["submit"].iloc[-1] - jobs["submit"].iloc[0]) / DAY
        raise ValueError(f"{len(jobs)} jobs in {days:.1f} days: too few for a piece of {name}")
    return pieces


def _submit_times(submit: ArrayLike) -> NDArray[np.int64]:
    """Return the submit times as int64; fail where they decrease."""
    times = np.asarray(submit, dtype=np.int64)
    if (bad := np.flatnonzero(np.diff(times) < 0)).size:
        raise ValueError(f"submit times go down at job {bad[0] + 1} (from 0) of {times.size}")
    return times

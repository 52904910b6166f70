"""Splitting a log into pieces: sequences of 15 days, calendar weeks, months, busiest days."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

DAY = 86_400  # seconds
WEEK = 7 * DAY
MONTH = 30 * DAY
MEAN_MONTH = 365.25 * DAY / 12  # of the calendar: what lengths of logs are told in
NO_PIECE = -1
FIRST_NUMBER = 2  # of the jobs of a log, in the simulator of legrand2018


def sequences(submit: ArrayLike, days: int = 15, head: int = 16) -> np.ndarray:
    """Cut a log into consecutive sequences of `days` days.

    A sequence is `head` jobs, whenever they come (they fill the machine, S in the paper), then
    every job submitted at most `days` days, that instant included, after the sequence's first job.
    The next sequence begins with the next job. What is left at the end of the log, when it stops
    before the sequence's last day or within its head, is no sequence: a piece that is cut short
    is a lighter load than the others.

    Parameters
    ----------
    submit : array_like of int, shape (n,)
        Submit times in seconds, never going down.
    days : int, default 15
        Length of a sequence.
    head : int, default 16
        Jobs at the head of a sequence.

    Returns
    -------
    ndarray of int64, shape (n,)
        The sequence each job belongs to, from 0; -1 where it belongs to none.

    Raises
    ------
    ValueError
        Submit times go down.

    References
    ----------
    carastan2017, section 4.3 and the artefact's scripts.

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
    """Return the calendar period each job is submitted in.

    Periods begin at whole multiples of their length on the clock of `submit`. They are numbered
    from 1, the first that holds a job; one without jobs keeps its number.

    Parameters
    ----------
    submit : array_like of int, shape (n,)
        Submit times in seconds, never going down.
    length : int
        Length of a period in seconds: `WEEK` or `MONTH`.

    Returns
    -------
    ndarray of int64, shape (n,)

    References
    ----------
    legrand2018, sections 5.1 and 11.

    Examples
    --------
    >>> periods([700_000, 1_209_599, 1_209_600], WEEK)
    array([1, 1, 2])
    """
    number = _submit_times(submit) // length
    return number - number[:1] + 1


def log_periods(submit: ArrayLike, length: int, before: int = 0) -> np.ndarray:
    """Return the period of the log's own clock that each job is submitted in.

    Parameters
    ----------
    submit : array_like of int, shape (n,)
        Submit times in seconds, never going down.
    length : int
        Length of a period in seconds: `WEEK` or `MONTH`.
    before : int, default 0
        How many periods from the log's zero on are in none.

    Returns
    -------
    ndarray of int64, shape (n,)
        From 1 on; -1 for jobs that are in none.

    References
    ----------
    legrand2018, section 5.1: as its tables of weeks were made, which begin with the fourth.

    Examples
    --------
    >>> log_periods([0, 1_814_399, 1_814_400, 2_419_199, 2_419_200], WEEK, before=3)
    array([-1, -1,  1,  1,  2])
    """
    number = _submit_times(submit) // length + 1 - before
    return np.where(number > 0, number, NO_PIECE)


def numbers_in_log(submit: ArrayLike) -> np.ndarray:
    """Number the jobs as a simulator that leaves out the log's first week: 2, 3, ...

    Parameters
    ----------
    submit : array_like of int, shape (n,)
        Submit times in seconds on the log's clock, never going down.

    Returns
    -------
    ndarray of int64, shape (n,)
        Below 2 for jobs of the first week.

    Examples
    --------
    >>> numbers_in_log([5, 6, 604_800, 604_801])
    array([0, 1, 2, 3])
    """
    week = _submit_times(submit) // WEEK
    return np.arange(len(week)) + FIRST_NUMBER - np.count_nonzero(week == week[:1])


def middle(submit: ArrayLike) -> int:
    """Return when the second half of a log begins: midway from its first to its last submission."""
    times = _submit_times(submit)
    return (int(times[0]) + int(times[-1])) // 2 if times.size else 0


def second_half(submit: ArrayLike) -> np.ndarray:
    """Cut the second half of a log into `sequences` of 15 days; jobs of the first have no piece.

    What is learned from the first half meets jobs here that it was not learned from.
    """
    times = _submit_times(submit)
    late = times >= middle(times)
    piece = np.full(times.size, NO_PIECE, dtype=np.int64)
    piece[late] = sequences(times[late])
    return piece


def busiest(
    submit: ArrayLike, wait: ArrayLike, count: int, days: int = 5, apart: int = 0
) -> np.ndarray:
    """Take the intervals of a log in which most jobs waited.

    An interval lasts `days` days from a job's submission on, its end excluded, and lies within the
    log: what the last submission cuts short is none. How contended it is, is the number of waiting
    jobs, on average over the interval, as the log has recorded it: a job waits from its submission
    for its wait. The most contended interval is taken, then the most contended of those that do not
    overlap it, and so on; of equally contended ones the earliest. What is one contended time is not
    cut into intervals that adjoin if `apart` is more than 0.

    Parameters
    ----------
    submit : array_like of int, shape (n,)
        Submit times in seconds, never going down.
    wait : array_like of int, shape (n,)
        How long each job waited in the log, in seconds; an unknown wait (-1) counts as none.
    count : int
        How many intervals; a log that has no room for so many has fewer.
    days : int, default 5
        Length of an interval.
    apart : int, default 0
        Days between two intervals, at least.

    Returns
    -------
    ndarray of int64, shape (n,)
        The interval each job is submitted in, 1 the most contended; -1 for jobs of none.

    References
    ----------
    klusacek2016, section 4.2: "significant activity and contention (using the number of waiting
    jobs at the given time as a metric)", "intervals that lasted for at least 5 days".

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


def _waited_until(instants: np.ndarray, submit: np.ndarray, begun: np.ndarray) -> np.ndarray:
    """Seconds that all jobs together have waited until each of the instants."""

    def since(times: np.ndarray) -> np.ndarray:
        """Seconds since each of the times that lie before an instant, summed."""
        times = np.sort(times)
        before = np.searchsorted(times, instants)
        return before * instants - np.concatenate(([0], np.cumsum(times)))[before]

    return since(submit) - since(begun)


SPLITS = {
    "sequences15d": sequences,
    "second_half15d": second_half,
    "weeks": partial(periods, length=WEEK),
    "months": partial(periods, length=MONTH),
    "log_weeks": partial(log_periods, length=WEEK, before=3),
    "log_months": partial(log_periods, length=MONTH),
}
#: how the splits number jobs that know them by their place in the log
NUMBERS = {
    "log_weeks": numbers_in_log,
    "log_months": lambda submit: np.arange(len(submit)) + FIRST_NUMBER,
}


def split(jobs: pd.DataFrame, name: str) -> pd.DataFrame:
    """Cut clean jobs into pieces.

    Parameters
    ----------
    jobs : pandas.DataFrame
        Jobs with a column ``submit``, by submit time.
    name : str
        A name of `SPLITS`.

    Returns
    -------
    pandas.DataFrame
        The jobs that belong to a piece, with a further int64 column ``piece``; of `NUMBERS` also
        ``id``.

    Raises
    ------
    ValueError
        No such split, submit times go down, or there are jobs and yet no whole piece.
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


def _submit_times(submit: ArrayLike) -> np.ndarray:
    """Return the submit times as int64, or say where they go down."""
    times = np.asarray(submit, dtype=np.int64)
    if (bad := np.flatnonzero(np.diff(times) < 0)).size:
        raise ValueError(f"submit times go down at job {bad[0] + 1} (from 0) of {times.size}")
    return times

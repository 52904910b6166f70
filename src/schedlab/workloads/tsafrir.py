"""The Tsafrir model of user run time estimates.

References
----------
Tsafrir, Etsion and Feitelson, Modeling user runtime estimates, JSSPP 2005, and the constants of the
model's published program.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd
    from numpy.typing import ArrayLike

    from schedlab.workloads.lublin import Generator, Seed

MINUTE, HOUR = 60, 3600
HEAD_BINS = 20
HEAD_SHARE, TAIL_SHARE = 89.0, 11.0  # percent of the jobs

# Number of bins against number of jobs, linear between these points and flat after the last.
BINS_OF_JOBS = ((0, 20, 200, 1000, 10_000, 70_000, 250_000), (0, 10, 20, 35, 90, 340, 565))
USUAL_TIMES = tuple(
    [minutes * MINUTE for minutes in (5, 10, 15, 20, 30)]
    + [hours * HOUR for hours in (1, 2, 3, 4, 5, 6, 8, 10, 12, 18)]
)
FILL_UNITS = tuple(
    [hours * HOUR for hours in (200, 100, 50, 10, 5, 2, 1)]
    + [minutes * MINUTE for minutes in (20, 10, 5)]
)
ATTEMPTS = 100  # draws of the estimates before a workload counts as infeasible
COLLISION_SHIFTS = (0, 30, -30, 20, -20, 10, -10)

# Popularity rank of each time rank (row) in the logs SDSC-106, CTC, KTH-4h, BLUE (column).
# fmt: off
POPULARITY = (
    (3, 1, 1, 1), (1, 3, 4, 6), (4, 4, 10, 5), (17, 2, 14, 3), (13, 12, 20, 7),
    (7, 9, 2, 2), (8, 8, 3, 18), (18, 18, 7, 19), (2, 6, 12, 4), (6, 7, 6, 11),
    (16, 11, 19, 20), (10, 20, 5, 9), (5, 16, 18, 10), (15, 5, 16, 14), (14, 14, 9, 13),
    (19, 13, 17, 16), (11, 10, 15, 15), (12, 15, 13, 17), (9, 17, 8, 8), (20, 19, 11, 12),
)
# fmt: on
LAST_ROW = {rank: row for row, ranks in enumerate(POPULARITY) for rank in ranks}


class Infeasible(ValueError):
    """The drawn estimates cannot be assigned: too few of them cover the longest run times."""


@dataclass(frozen=True, eq=False)
class Bins:
    """Different estimates of a workload, and the number of jobs for each.

    Times are int64 seconds, most popular first; counts are int64, at least 1; both have shape (k,).
    """

    time: np.ndarray
    count: np.ndarray


def estimates(
    runtimes: ArrayLike, max_estimate: int, seed: Seed, user_bins: Mapping[int, int] | None = None
) -> np.ndarray:
    """Draw an estimate (int64 seconds) for each job, none below its run time.

    Run times are seconds from 0 to `max_estimate`, the longest estimate in seconds that the machine
    allows, at least an hour. `seed` is any argument of `numpy.random.default_rng`. `user_bins` are
    estimates with a known number of jobs: time in seconds to count.

    Raises ValueError if a run time is out of range, `max_estimate` is below an hour, or a user bin
    is impossible. Raises `Infeasible` if the run times are so long that no assignment of the drawn
    estimates covers them.

    Examples
    --------
    >>> runtimes = [10, 60, 300, 5000]
    >>> bool((estimates(runtimes, 162_754, seed=1) >= runtimes).all())
    True
    """
    runtime = np.asarray(runtimes, dtype=np.int64)
    bad = np.flatnonzero((runtime < 0) | (runtime > max_estimate))
    if bad.size:
        raise ValueError(
            f"tsafrir: job at place {bad[0]}: run time {runtime[bad[0]]} is outside 0 ... "
            f"{max_estimate}, the longest estimate; truncate the run times first"
        )
    if not runtime.size:
        return runtime.copy()
    rng = np.random.default_rng(seed)
    bins = draw_bins(runtime.size, max_estimate, rng, user_bins)
    return _assigned(runtime, np.repeat(bins.time, bins.count), rng)


def with_estimates(jobs: pd.DataFrame, max_estimate: int, seed: Seed) -> pd.DataFrame:
    """Return `jobs` with run times truncated at `max_estimate` and their estimates drawn.

    A job is killed at `max_estimate`, the longest estimate in seconds that the machine allows.
    `jobs` has a column runtime; its column estimate is set. The seed is as for `estimates`.

    With many thousand processors, the Lublin-Feitelson model has so many long jobs that most draws
    of the estimates do not cover them. Then the bins are drawn again from the same stream, which
    corresponds to another run of the model's program. Raises `Infeasible` if none of 100 draws
    covers the run times, ValueError as `estimates`.
    """
    rng = np.random.default_rng(seed)
    runtime = np.minimum(jobs["runtime"].to_numpy(), max_estimate)
    for _ in range(ATTEMPTS):
        try:
            return jobs.assign(runtime=runtime, estimate=estimates(runtime, max_estimate, rng))
        except Infeasible as error:
            reason = error
    raise Infeasible(f"{reason}; so with all of {ATTEMPTS} draws")


def draw_bins(
    jobs: int, max_estimate: int, seed: Seed, user_bins: Mapping[int, int] | None = None
) -> Bins:
    """Draw the estimates of at least one job, and the number of jobs for each.

    A user bin keeps its count. If its time is one of the 20 head times, it gets the popularity
    rank with the nearest share; otherwise it is an additional bin. With fewer jobs than bins, the
    least popular bins are dropped.
    """
    if jobs < 1:
        raise ValueError(f"tsafrir: jobs is {jobs}, must be at least 1")
    if max_estimate < HOUR:
        raise ValueError(
            f"tsafrir: max_estimate is {max_estimate} s, must be at least an hour ({HOUR} s)"
        )
    fixed = dict(user_bins or {})
    _check_user_bins(fixed, jobs, max_estimate)
    rng = np.random.default_rng(seed)
    head = head_times(max_estimate)
    used_times = [*head, *(time for time in fixed if time not in head)]
    tail = tail_times(number_of_bins(jobs), used_times, max_estimate)
    ranks = _popularity_ranks(head, _fixed_ranks(fixed, head, jobs), rng)
    shares = dict(zip(head, head_shares()[np.array(ranks) - 1], strict=True))
    shares |= dict(zip(tail, rng.permutation(tail_shares(len(tail))), strict=True))
    return _count_jobs(shares, fixed, jobs)


def _check_user_bins(fixed: Mapping[int, int], jobs: int, max_estimate: int) -> None:
    for time, count in fixed.items():
        if not 0 < time <= max_estimate:
            raise ValueError(f"tsafrir: user bin {time} s is outside 1 ... {max_estimate}")
        if count < 1:
            raise ValueError(f"tsafrir: user bin {time} s has {count} jobs, must be at least 1")
    if (total := sum(fixed.values())) > jobs:
        raise ValueError(f"tsafrir: user bins hold {total} jobs of {jobs}")


def nearest(x: float) -> int:
    """Round half up, as the program does."""
    return math.floor(x + 0.5)


def number_of_bins(jobs: int) -> int:
    """Return the number of different estimates of `jobs` jobs."""
    return nearest(np.interp(jobs, *BINS_OF_JOBS))


def head_times(max_estimate: int) -> list[int]:
    """Return the popular times, at most 20: the longest, then the others ascending."""
    chosen = {time for time in USUAL_TIMES if time < max_estimate} | {max_estimate}
    for unit in FILL_UNITS:
        for time in range(max_estimate // unit * unit, 0, -unit):
            if len(chosen) >= HEAD_BINS:
                break
            chosen.add(time)
    return [max_estimate, *sorted(chosen - {max_estimate})]


def head_shares() -> np.ndarray:
    """Return the percentage of jobs of the popularity ranks 1 to 20."""
    lower_shares = 14.0491 * np.exp(-0.177531 * np.arange(2, HEAD_BINS + 1)) + 0.462513
    return np.concatenate(([HEAD_SHARE - lower_shares.sum()], lower_shares))


def tail_shares(bins: int) -> np.ndarray:
    """Return the percentage of jobs of the popularity ranks from 21 on."""
    shares = 795.6 * np.arange(HEAD_BINS + 1, HEAD_BINS + 1 + bins) ** -2.267
    return shares * (TAIL_SHARE / shares.sum()) if bins else shares


def tail_times(bins: int, used_times: list[int], max_estimate: int) -> list[int]:
    """Return the unpopular times, enough for `bins` bins with those already in `used_times`."""
    count = bins - len(used_times)
    bend = 1 + 12.1039 * bins**-0.6026 if bins else 0.0
    used, times = set(used_times), []
    for step in range(1, count + 1):
        x = step / count
        whole = nearest((bend - 1) * x / (bend - x) * max_estimate / MINUTE) * MINUTE
        for time in (whole + shift for shift in COLLISION_SHIFTS):
            if 0 < time < max_estimate and time not in used:
                used.add(time)
                times.append(time)
                break
    return times


def _fixed_ranks(fixed: Mapping[int, int], head: list[int], jobs: int) -> dict[int, int]:
    """Return the popularity rank of each head time that is a user bin, by nearest share."""
    shares, ranks = head_shares(), {}
    for time in sorted(set(fixed) & set(head), key=lambda time: (-fixed[time], time)):
        distance = np.abs(shares - 100 * fixed[time] / jobs)
        distance[[rank - 1 for rank in ranks.values()]] = np.inf
        ranks[time] = int(np.argmin(distance)) + 1
    return ranks


def _popularity_ranks(head: list[int], fixed: Mapping[int, int], rng: Generator) -> list[int]:
    """Choose a popularity rank for each head time by lottery; the tickets are four logs' ranks."""
    unchosen = set(range(1, HEAD_BINS + 1)) - set(fixed.values())
    pool: list[int] = []
    ranks = []
    for row, time in enumerate(head):
        pool += [rank for rank in POPULARITY[row] if rank in unchosen]
        due = [rank for rank in unchosen if LAST_ROW[rank] <= row]
        if time in fixed:
            rank = fixed[time]
        elif row == 0 and 1 in unchosen:
            rank = 1
        elif due:
            rank = min(due)
        elif pool:
            rank = min(pool[place] for place in rng.integers(len(pool), size=2))
        else:  # all tickets so far belong to user bins
            rank = min(unchosen)
        ranks.append(rank)
        unchosen.discard(rank)
        pool = [ticket for ticket in pool if ticket != rank]
    return ranks


def _count_jobs(shares: Mapping[int, float], fixed: Mapping[int, int], jobs: int) -> Bins:
    """Convert percentages to counts that sum to `jobs`; user bins are exact."""
    unfixed = jobs - sum(fixed.values())
    free = sorted((time for time in shares if time not in fixed), key=lambda t: (-shares[t], t))
    free = free[:unfixed]
    if unfixed and not free:
        raise ValueError(f"tsafrir: user bins leave {unfixed} of {jobs} jobs without an estimate")
    counts = {time: max(1, nearest(shares[time] * jobs / 100)) for time in free}
    error = unfixed - sum(counts.values())
    step = 1 if error > 0 else -1
    largest_first = itertools.cycle(free)
    while error:
        time = next(largest_first)
        if counts[time] + step >= 1:
            counts[time] += step
            error -= step
    counts |= fixed
    popular = sorted(counts, key=lambda time: (-counts[time], time))
    return Bins(
        np.array(popular, dtype=np.int64),
        np.array([counts[time] for time in popular], dtype=np.int64),
    )


def _assigned(runtime: np.ndarray, estimate: np.ndarray, rng: Generator) -> np.ndarray:
    """Assign each job an estimate, drawn from the remaining ones that cover its run time."""
    return deal_estimates(runtime, estimate, np.argsort(-runtime, kind="stable"), rng.integers)


def deal_estimates(
    runtime: np.ndarray,
    estimate: np.ndarray,
    order: np.ndarray,
    draw: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> np.ndarray:
    """Assign each job an estimate, drawn from the remaining ones that cover its run time.

    Jobs and estimates are processed from the longest down. Swaps happen only among the first
    `last` estimates, all of which cover the job, so the bounds of the sorted order remain valid.
    `order` has the jobs' places, longest run time first; it decides between equal run times.
    """
    longest_first, longest_estimates = runtime[order], -np.sort(-estimate)
    if (short := np.flatnonzero(longest_first > longest_estimates)).size:
        raise Infeasible(
            f"tsafrir: no assignment: the {short[0] + 1} longest jobs run {longest_first[short[0]]}"
            f" s or more, but only {short[0]} estimates cover that"
        )
    place = np.arange(runtime.size)
    last = np.searchsorted(-longest_estimates, -longest_first, side="right")
    partners = draw(place, last).tolist()
    # a Python list: single swaps are faster there than in an array
    values = longest_estimates.tolist()
    for position, partner in enumerate(partners):
        values[position], values[partner] = values[partner], values[position]
    dealt_estimates = np.empty_like(runtime)
    dealt_estimates[order] = values
    return dealt_estimates

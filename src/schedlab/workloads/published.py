"""Workloads as the models' published programs draw them, number by number from one seed.

The Lublin-Feitelson model is published as a C program that seeds POSIX's drand48 with its start
time in seconds, the Tsafrir model as a C++ program that draws from lrand48 and rand. This module
uses their generators, the order of their draws and the order in which std::sort leaves equal
elements. So a seed determines the whole workload, and those of the SC'17 paper are reproduced job
by job.

The programs' constants are those of `schedlab.workloads.lublin` and `schedlab.workloads.tsafrir`.
The models there have the same distribution, but draw whole columns at a time and have named random
streams.

Notes
-----
Numbers are truncated to whole ones, so different rounding in C libraries matters only near an
integer. All jobs of the five SC'17 workloads stay the same if every logarithm, exponential and
power is changed by up to a relative 1e-10, some 500,000 times the last digit of a double; at 1e-9
they change. The weights of the half hours are SciPy's; the program's stop at a relative 1e-10,
which moved none of three million arrivals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from schedlab.kernels.workloads.introsort import sort_descending
from schedlab.kernels.workloads.lublin import draw_jobs
from schedlab.workloads import lublin, tsafrir
from schedlab.workloads.lublin import LublinParameters

WORD = 2**32
RAND_SEED = 1  # rand's default seed, which the program does not change


def generate(
    jobs: int, processors: int, seed: int, types: str | Sequence[LublinParameters] = "typeless"
) -> pd.DataFrame:
    """Draw a workload of rigid jobs as the model's C program does.

    Parameters and result are as for `schedlab.workloads.lublin.generate`. The processors are a
    power of two, because on other machines the program draws jobs that do not fit. There are at
    most two types; for a single one, as in the published workloads, the first arrival is drawn
    twice. `seed` is that of the program's generator, 0 to 2**32 - 1: its start time in seconds of
    Unix time. Raises ValueError if there are too few jobs, the program does not support the machine
    or the seed, or the type is unknown.

    Examples
    --------
    >>> generate(3, 256, seed=1488557399)["submit"].tolist()
    [66, 1907, 5188]
    """
    if jobs < 1:
        raise ValueError(f"published: jobs is {jobs}, must be at least 1")
    if processors < 2 or processors & (processors - 1):
        raise ValueError(f"published: processors is {processors}, must be a power of two")
    if not 0 <= seed < WORD:
        raise ValueError(f"published: seed is {seed}, must be 0 to {WORD - 1}")
    kinds = lublin.parameters_on(processors, types)
    if len(kinds) > 2:
        raise ValueError(f"published: {len(kinds)} job types, there are at most two")
    pair = [kinds[0], kinds[-1]]
    weights = np.array([lublin.daily_weights(kind) for kind in pair])
    submit, place, procs, runtime = (np.empty(jobs, dtype=np.int64) for _ in range(4))
    draw_jobs(
        [asdict(kind) for kind in pair], weights, len(kinds) == 1, seed,
        submit, place, procs, runtime,
    )  # fmt: skip
    queue = np.array([kind.queue for kind in pair], dtype=np.int64)[place]
    return lublin.as_clean(submit, runtime, procs, queue)


def with_estimates(jobs: pd.DataFrame, max_estimate: int, seed: int = 0) -> pd.DataFrame:
    """Return `jobs` with run times truncated at `max_estimate`, and the C++ program's estimates.

    Jobs and limit are as for `schedlab.workloads.tsafrir.with_estimates`; the seed of the program's
    generator is 0 to 2**32 - 1. Raises `schedlab.workloads.tsafrir.Infeasible` if the drawn
    estimates do not cover the run times; the program stops there too. Raises ValueError if
    `max_estimate` is so short that there are no 20 round times up to it, or there are too few jobs.
    """
    runtime = np.minimum(jobs["runtime"].to_numpy(dtype=np.int64), max_estimate)
    stream = Rand48(seed)
    bins = draw_bins(runtime.size, max_estimate, stream)
    estimate = tsafrir.deal_estimates(
        runtime,
        np.repeat(bins.time, bins.count),
        sorted_descending(runtime),
        lambda low, high: low + stream.integers(runtime.size) % (high - low),
    )
    return jobs.assign(runtime=runtime, estimate=estimate)


def draw_bins(jobs: int, max_estimate: int, stream: Rand48) -> tsafrir.Bins:
    """Draw the estimates of `jobs` jobs, and the number of jobs for each, longest first."""
    bins = tsafrir.number_of_bins(jobs)
    head = tsafrir.head_times(max_estimate)
    if len(head) < tsafrir.HEAD_BINS or bins < len(head):
        raise ValueError(
            f"published: {jobs} jobs of at most {max_estimate} s have {len(head)} round times and "
            f"{bins} different estimates; the program needs {tsafrir.HEAD_BINS} of both"
        )
    rand = Rand()
    ranks = np.array(popularity_ranks(rand, stream))
    times = sorted(tsafrir.tail_times(bins, head, max_estimate))
    shares = tsafrir.tail_shares(len(times)).tolist()
    rand.shuffle(times)
    rand.shuffle(shares)
    percent = dict(zip(head, tsafrir.head_shares()[ranks - 1].tolist(), strict=True))
    percent |= dict(zip(times, shares, strict=True))
    time = np.array(sorted(percent), dtype=np.int64)
    share = np.array([percent[seconds] for seconds in time.tolist()])
    count = np.maximum(1, np.floor(share * jobs / 100 + 0.5)).astype(np.int64)
    return tsafrir.Bins(time[::-1], _summing_to(jobs, count)[::-1])


def popularity_ranks(rand: Rand, stream: Rand48) -> list[int]:
    """Choose a popularity rank for each of the 20 head times.

    The pool is shuffled for every rank, even if the choice is forced.
    """
    pool: list[int] = []
    ranks: list[int] = []
    for row, tickets in enumerate(tsafrir.POPULARITY):
        pool += [rank for rank in tickets if rank not in ranks]
        rand.shuffle(pool)
        due = [rank for rank, last in tsafrir.LAST_ROW.items() if last <= row and rank not in ranks]
        if row == 0:
            rank = 1
        elif due:
            rank = min(due)
        else:
            rank = min(pool[word % len(pool)] for word in stream.integers(2).tolist())
        ranks.append(rank)
        pool = [ticket for ticket in pool if ticket != rank]
    return ranks


def sorted_descending(key: np.ndarray) -> np.ndarray:
    """Return the places of `key` in the order in which GNU libstdc++'s std::sort leaves them."""
    order = np.arange(key.size)
    if not sort_descending(np.ascontiguousarray(key), order):
        raise ValueError(f"published: these {key.size} values make std::sort go over to heapsort")
    return order


class Rand48:
    """lrand48: the high 31 bits of POSIX's 48-bit generator, seeded as by srand48 with 32 bits."""

    def __init__(self, seed: int) -> None:
        self._x = np.uint64((seed % WORD) << 16 | 0x330E)

    def integers(self, count: int) -> np.ndarray:
        """Return the next `count` draws, int64 from 0 to 2**31 - 1."""
        # x_n = a^n x_0 + (a^(n-1) + ... + 1) c; 64-bit words compute the low 48 bits correctly.
        powers = np.cumprod(np.full(count, 0x5DEECE66D, dtype=np.uint64))
        sums = np.cumsum(np.insert(powers[:-1], 0, 1))
        states = (powers * self._x + sums * np.uint64(0xB)) & np.uint64(2**48 - 1)
        self._x = states[-1]
        return (states >> np.uint64(17)).astype(np.int64)


class Rand:
    """rand of the GNU C library, with additive feedback over 31 words."""

    def __init__(self, seed: int = RAND_SEED) -> None:
        words = [seed]
        for _ in range(30):
            words.append(16807 * words[-1] % (2**31 - 1))
        self._words = words[3:] + words[:3]
        for _ in range(310):
            self()

    def __call__(self) -> int:
        """Return the next draw, 0 to 2**31 - 1."""
        word = (self._words[0] + self._words[28]) % WORD
        self._words = [*self._words[1:], word]
        return word >> 1

    def shuffle(self, values: list) -> None:
        """Shuffle in place, as std::random_shuffle of GNU libstdc++ does."""
        for place in range(1, len(values)):
            partner = self() % (place + 1)
            values[place], values[partner] = values[partner], values[place]


def _summing_to(jobs: int, count: np.ndarray) -> np.ndarray:
    """Distribute the error of the sum over the bins: first in proportion, then one by one."""
    count = count.copy()
    missing = jobs - int(count.sum())
    sign, missing = (1, missing) if missing > 0 else (-1, -missing)
    share = missing / count.sum()
    order = sorted_descending(count)
    for proportional in (True, False):
        for place in order:
            change = math.ceil(share * count[place]) if proportional else 1
            change = min(change, missing, missing if sign > 0 else int(count[place]) - 1)
            count[place] += sign * change
            missing -= change
    if missing:
        raise tsafrir.Infeasible(f"published: {missing} estimates more than {jobs} jobs take")
    return count

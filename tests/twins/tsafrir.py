"""The Tsafrir model's C++ program, written to be read: the twin of `schedlab.workloads.published`.

Its constants are here a second time, so that each checks the other.
"""

from __future__ import annotations

import math
from itertools import pairwise

from twins.introsort import introsort
from twins.lublin import Rand48

# fmt: off
POPULARITY = [
    [3, 1, 1, 1], [1, 3, 4, 6], [4, 4, 10, 5], [17, 2, 14, 3], [13, 12, 20, 7], [7, 9, 2, 2],
    [8, 8, 3, 18], [18, 18, 7, 19], [2, 6, 12, 4], [6, 7, 6, 11], [16, 11, 19, 20], [10, 20, 5, 9],
    [5, 16, 18, 10], [15, 5, 16, 14], [14, 14, 9, 13], [19, 13, 17, 16], [11, 10, 15, 15],
    [12, 15, 13, 17], [9, 17, 8, 8], [20, 19, 11, 12],
]
# fmt: on


class Rand:
    """glibc's rand() without a call of srand."""

    def __init__(self) -> None:
        words = [1]
        for i in range(1, 31):
            words.append(16807 * words[i - 1] % 2147483647)
        words += words[:3]
        for i in range(34, 344):
            words.append((words[i - 31] + words[i - 3]) & 0xFFFFFFFF)
        self.words = words[-31:]

    def draw(self) -> int:
        word = (self.words[0] + self.words[28]) & 0xFFFFFFFF
        self.words = [*self.words[1:], word]
        return word >> 1

    def shuffle(self, values: list) -> None:
        """std::random_shuffle."""
        for i in range(1, len(values)):
            j = self.draw() % (i + 1)
            values[i], values[j] = values[j], values[i]


def nearest(x: float) -> int:
    """Round half up."""
    return math.floor(x + 0.5)


def number_of_bins(jobs: int) -> int:
    known = [(0, 0), (20, 10), (200, 20), (1000, 35), (10000, 90), (70000, 340), (250000, 565)]
    for (x, low), (next_x, high) in pairwise(known):
        if jobs <= next_x:
            return nearest(low + (jobs - x) * (high - low) / (next_x - x))
    return known[-1][1]


def head_times(longest: int) -> list[int]:
    """Popular times, the longest first and the others ascending."""
    minutes = [5, 15, 10, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 1080]
    head = [longest] + [60 * time for time in minutes if 60 * time < longest]
    for unit in (720000, 360000, 180000, 36000, 18000, 7200, 3600, 1200, 600, 300):
        for time in range(longest // unit * unit, 0, -unit):
            if len(head) < 20 and time not in head:
                head.append(time)
    return head[:1] + sorted(head[1:])


def head_shares() -> list[float]:
    """Percent of the jobs by popularity rank."""
    sizes = [14.0491 * math.exp(-0.177531 * rank) + 0.462513 for rank in range(2, 21)]
    return [89 - sum(sizes), *sizes]


def tail_times(bins: int, head: list[int], longest: int) -> list[int]:
    a = 1 + 12.1039 * bins**-0.6026
    times: list[int] = []
    wanted = bins - len(head)
    for i in range(1, wanted + 1):
        x = i / wanted
        second = nearest((a - 1) * x / (a - x) * longest / 60) * 60
        for shift in (0, 30, -30, 20, -20, 10, -10):
            time = second + shift
            if time not in times and time not in head and 0 < time < longest:
                times.append(time)
                break
    return sorted(times)


def tail_shares(bins: int) -> list[float]:
    """Percent of the jobs by popularity rank, from 21 on."""
    sizes = [795.6 * rank**-2.267 for rank in range(21, 21 + bins)]
    return [size * 11 / sum(sizes) for size in sizes]


def popularity_ranks(rand: Rand, stream: Rand48) -> list[int]:
    """Popularity rank of each head time."""
    last_row = {rank: row for row, ranks in enumerate(POPULARITY) for rank in ranks}
    pool: list[int] = []
    ranks: list[int] = []
    for row in range(20):
        pool += [rank for rank in POPULARITY[row] if rank not in ranks]
        rand.shuffle(pool)
        due = [rank for rank in range(1, 21) if last_row[rank] <= row and rank not in ranks]
        if row == 0:
            rank = 1
        elif due:
            rank = due[0]
        else:
            rank = min(pool[stream.integer() % len(pool)] for _ in range(2))
        ranks.append(rank)
        pool = [other for other in pool if other != rank]
    return ranks


def counts(jobs: int, longest: int, stream: Rand48) -> dict[int, int]:
    rand = Rand()
    ranks = popularity_ranks(rand, stream)
    head, sizes = head_times(longest), head_shares()
    percent = {time: sizes[rank - 1] for time, rank in zip(head, ranks, strict=True)}
    times = tail_times(number_of_bins(jobs), head, longest)
    tail = tail_shares(len(times))
    rand.shuffle(times)
    rand.shuffle(tail)
    percent.update(zip(times, tail, strict=True))
    count = {time: max(1, nearest(percent[time] * jobs / 100)) for time in sorted(percent)}
    total = sum(count.values())
    left, sign = abs(jobs - total), 1 if jobs > total else -1
    share = left / total
    by_size = introsort(sorted(count), lambda x, y: count[x] > count[y])
    for proportional in (True, False):
        for time in by_size:
            change = math.ceil(share * count[time]) if proportional else 1
            change = min(change, left, left if sign > 0 else count[time] - 1)
            count[time] += sign * change
            left -= change
    if left:
        raise ValueError("fewer jobs than estimates")
    return count


def estimates(runtimes: list[int], longest: int, seed: int) -> list[int]:
    """Return one estimate a job; every run time is one of the longest estimate or shorter."""
    stream = Rand48(seed)
    jobs = len(runtimes)
    count = counts(jobs, longest, stream)
    flat = [time for time in sorted(count, reverse=True) for _ in range(count[time])]
    order = introsort(list(range(jobs)), lambda i, j: runtimes[i] > runtimes[j])
    given, high = [0] * jobs, 0
    for j, job in enumerate(order):
        if runtimes[job] > flat[j]:
            raise ValueError("the estimates do not cover the run times")
        while high < jobs - 1 and runtimes[job] <= flat[high + 1]:
            high += 1
        k = stream.integer() % (high - j + 1) + j
        given[job] = flat[k]
        flat[k], flat[j] = flat[j], flat[k]
    return given

"""The twin of the dialects of one pass: legrand2018's simulator, written to be read.

Everything is a list, in the order in which the simulator would have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.queue.arrivals import BUCKETS
from twins.expression import value

if TYPE_CHECKING:
    from schedlab.policies import Policy
    from schedlab.queue.simulation import Run

WORD = 0xFFFFFFFF


def simulate(run: Run) -> list[int]:
    return _Machine(run).simulate()


class _Machine:
    def __init__(self, run: Run) -> None:
        self.run, jobs = run, run.jobs
        self.submit, self.runtime = jobs.submit.tolist(), jobs.runtime.tolist()
        self.estimate, self.procs = jobs.estimate.tolist(), jobs.procs.tolist()
        self.start: list[int | None] = [None] * len(jobs)
        self.now, self.free = 0, run.processors
        self.waiting: list[int] = []  # the last to arrive stands first
        self.running: list[int] = []  # the last one started stands first
        self.events = Heap() if run.dialect.by_events else _InOrder()
        numbers = jobs.number.tolist()
        places = {number: job for job, number in enumerate(numbers)}
        for number in table_order(numbers) if run.dialect.by_events else numbers:
            self.events.push((self.submit[places[number]], places[number]))

    def simulate(self) -> list[int]:
        while (now := self.events.time()) is not None:
            self.now, happens = now, []
            while self.events.time() == now:
                happens.insert(0, self.events.pop()[1])
            for job in happens:  # the last one popped happens first
                if self.start[job] is None:
                    self.waiting.insert(0, job)
                else:
                    self.running.remove(job)
                    self.free += self.procs[job]
            self.one_pass()
        return self.start

    def one_pass(self) -> None:
        queue = sorted(self.waiting, key=lambda job: self.score(self.run.policy, job))
        if (threshold := self.run.threshold) is not None:
            late = [job for job in queue if self.now - self.submit[job] > threshold]
            late.sort(key=lambda job: self.submit[job])
            queue = late + [job for job in queue if job not in late]
        free, heads = self.free, []
        while queue and self.procs[queue[0]] <= free:
            heads.append(queue.pop(0))
            free -= self.procs[heads[-1]]
        filled: list[int] = []
        if self.run.backfill and len(queue) > 1:
            slack, extra = self.reserve(self.procs[queue[0]], free, heads)
            for job in sorted(queue[1:], key=lambda job: self.score(self.run.backfill, job)):
                if self.procs[job] > free:
                    continue
                if self.estimate[job] > slack:
                    if self.procs[job] > extra:
                        continue
                    extra -= self.procs[job]
                free -= self.procs[job]
                filled.insert(0, job)
        for job in heads + filled:
            self.start[job] = self.now
            self.free -= self.procs[job]
            self.waiting.remove(job)
            self.running.insert(0, job)
            self.events.push((self.now + self.runtime[job], job))

    def reserve(self, need: int, free: int, heads: list[int]) -> tuple[int, int]:
        """Seconds up to the head's reservation, and the processors that it leaves over then."""
        ends = [(self.start[job] + self.estimate[job], job) for job in self.running]
        ends += [(self.now + self.estimate[job], job) for job in heads]
        for end, job in sorted(ends, key=lambda entry: entry[0]):
            free += self.procs[job]
            if free >= need:
                return end - self.now, free - need
        raise AssertionError("the head never fits")

    def score(self, policy: Policy, job: int) -> float:
        age = self.now - self.submit[job]
        return value(policy.expression, self.estimate[job], self.procs[job], self.submit[job], age)


class _InOrder:
    """Events by time; the last job of an instant is given back first."""

    def __init__(self) -> None:
        self.events: list[tuple[int, int]] = []

    def push(self, event: tuple[int, int]) -> None:
        self.events.append(event)

    def time(self) -> int | None:
        return min(self.events)[0] if self.events else None

    def pop(self) -> tuple[int, int]:
        event = max(event for event in self.events if event[0] == self.time())
        self.events.remove(event)
        return event


class Heap:
    """A binomial heap of (time, job); its trees are (rank, event, children, the newest first)."""

    def __init__(self) -> None:
        self.trees: list[tuple] = []

    def push(self, event: tuple[int, int]) -> None:
        self.trees = _put((0, event, []), self.trees)

    def time(self) -> int | None:
        return min((event[0] for _, event, _ in self.trees), default=None)

    def pop(self) -> tuple[int, int]:
        first = next(tree for tree in self.trees if tree[1][0] == self.time())
        rest = [tree for tree in self.trees if tree is not first]
        self.trees = _merge(first[2][::-1], rest)
        return first[1]


def _link(a: tuple, b: tuple) -> tuple:
    top, below = (a, b) if a[1][0] <= b[1][0] else (b, a)
    return (top[0] + 1, top[1], [below, *top[2]])


def _put(tree: tuple, trees: list) -> list:
    while trees and tree[0] >= trees[0][0]:
        tree, trees = _link(tree, trees[0]), trees[1:]
    return [tree, *trees]


def _merge(a: list, b: list) -> list:
    if not a or not b:
        return a or b
    if a[0][0] == b[0][0]:
        return _put(_link(a[0], b[0]), _merge(a[1:], b[1:]))
    if a[0][0] < b[0][0]:
        return [a[0], *_merge(a[1:], b)]
    return [b[0], *_merge(a, b[1:])]


def table_order(numbers: list[int]) -> list[int]:
    """Walk a hash table that the numbers entered one by one."""
    table: list[list[int]] = [[] for _ in range(BUCKETS)]
    for count, number in enumerate(numbers, 1):
        table[murmur(number) % len(table)].insert(0, number)
        if count > 2 * len(table):
            old, table = table, [[] for _ in range(2 * len(table))]
            for bucket in old:
                for entry in bucket:
                    table[murmur(entry) % len(table)].append(entry)
    return [number for bucket in table for number in bucket]


def murmur(number: int) -> int:
    """MurmurHash3 of one tagged word, as OCaml's polymorphic hash takes whole numbers."""
    word = 2 * number + 1
    k = ((word ^ word >> 32) & WORD) * 0xCC9E2D51 & WORD
    h = ((k << 15 | k >> 17) & WORD) * 0x1B873593 & WORD
    h = ((h << 13 | h >> 19) & WORD) * 5 + 0xE6546B64 & WORD
    h = (h ^ h >> 16) * 0x85EBCA6B & WORD
    h = (h ^ h >> 13) * 0xC2B2AE35 & WORD
    return (h ^ h >> 16) & 0x3FFFFFFF

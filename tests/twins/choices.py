"""The twin of the kernel `choices`: one waiting job is chosen at a time, written to be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from twins.expression import value

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs
    from schedlab.policies import Policy

STRICT, EASY, COMMIT = range(3)
CAP = 1 - 1e-5


class Queue:
    """An episode; `order` sorts the waiting jobs, of which the first `seen` are seen."""

    def __init__(
        self,
        jobs: Jobs,
        processors: int,
        rule: int,
        order: Callable[[int], tuple],
        seen: int = 10**9,
        overtaking: bool = True,
    ) -> None:
        self.submit, self.runtime = jobs.submit.tolist(), jobs.runtime.tolist()
        self.estimate, self.procs = jobs.estimate.tolist(), jobs.procs.tolist()
        self.processors, self.rule, self.order = processors, rule, order
        self.size, self.overtaking = seen, overtaking
        self.to_come = list(range(len(jobs)))
        self.waiting: list[int] = []
        self.start = [-1] * len(jobs)
        self.running: list[int] = []
        self.now = self.submit[0]
        self.is_open, self.reserved = False, None
        self.shadow = self.extra = 0

    @property
    def free(self) -> int:
        return self.processors - sum(self.procs[job] for job in self.running)

    def end(self, job: int) -> int:
        return self.start[job] + self.runtime[job]

    def seen(self) -> list[int]:
        return sorted(self.waiting, key=self.order)[: self.size]

    def fits(self, job: int) -> bool:
        """Whether a job can start now and delays no reservation."""
        if self.procs[job] > self.free:
            return False
        if self.reserved is None:
            return True
        return self.now + self.estimate[job] <= self.shadow or self.procs[job] <= self.extra

    def allowed(self) -> list[int]:
        """The jobs that can be chosen now."""
        seen = self.seen()
        if not self.is_open:
            return []
        if self.rule == COMMIT:
            return seen
        able = [job for job in seen if self.fits(job)]
        return able if self.reserved is not None else seen * bool(able)

    def can_decline(self) -> bool:
        return bool(self.running or self.to_come)

    def go_on(self) -> bool:
        """Go on to the next decision; False if there is none."""
        while not self.allowed():
            if not self.running and not self.to_come:
                return False
            self.happen()
            self.is_open, self.reserved = True, None
        return True

    def happen(self) -> None:
        first = min(self.running, key=self.end, default=None)
        if self.rule == COMMIT:
            if self.to_come and (first is None or self.submit[self.to_come[0]] <= self.end(first)):
                self.now = max(self.now, self.submit[self.to_come[0]])
                self.waiting.append(self.to_come.pop(0))
            else:
                self.now = max(self.now, self.end(first))
                self.running.remove(first)
            return
        times = [self.end(job) for job in self.running]
        self.now = min(times + [self.submit[job] for job in self.to_come[:1]])
        self.running = [job for job in self.running if self.end(job) > self.now]
        while self.to_come and self.submit[self.to_come[0]] == self.now:
            self.waiting.append(self.to_come.pop(0))

    def begin(self, job: int) -> None:
        self.waiting.remove(job)
        self.start[job] = self.now
        self.running.append(job)

    def reserve(self, job: int) -> None:
        """Find when a job is expected to fit, and the processors that it leaves over then."""
        free, ends = self.free, sorted({self.start[j] + self.estimate[j] for j in self.running})
        for end in ends:
            free += sum(
                self.procs[j] for j in self.running if self.start[j] + self.estimate[j] == end
            )
            if free >= self.procs[job]:
                self.shadow, self.extra = end, free - self.procs[job]
                return

    def choose(self, job: int | None) -> None:
        if job is None:
            self.is_open = False
        elif self.procs[job] <= self.free:
            if self.reserved is not None and self.now + self.estimate[job] > self.shadow:
                self.extra -= self.procs[job]
            self.begin(job)
        elif self.rule == STRICT:
            self.is_open = False
        elif self.rule == EASY:
            self.reserve(job)
            self.reserved = job
        else:
            self.commit(job)

    def commit(self, job: int) -> None:
        self.reserve(job)
        while True:
            for other in sorted(self.waiting) if self.overtaking else ():
                ends_before = self.now + self.estimate[other] < self.shadow
                if self.procs[other] <= self.free and ends_before:
                    self.begin(other)
            self.happen()
            if self.procs[job] <= self.free:
                return self.begin(job)


def starts_of(queue: Queue, best: Callable[[Queue, list[int]], int]) -> list[int]:
    """Start times if `best` chooses one of the allowed jobs."""
    while queue.go_on():
        queue.choose(best(queue, queue.allowed()))
    return queue.start


def by_policy(policy: Policy, jobs: Jobs, lifo: bool) -> Callable[[Queue, list[int]], int]:
    """Choose the smallest score; of equal scores the first job, or the last."""
    columns = [column.tolist() for column in (jobs.estimate, jobs.procs, jobs.submit)]

    def best(queue: Queue, allowed: list[int]) -> int:
        def score(job: int) -> float:
            r, n, s = (column[job] for column in columns)
            return value(policy.expression, r, n, s, queue.now - s)

        return min(allowed, key=lambda job: (score(job), -job if lifo else job))

    return best


def rows_of(queue: Queue, table: np.ndarray, moving: list[int]) -> np.ndarray:
    """The inputs of the jobs that are seen, float32."""
    rows = [table[job].copy() for job in queue.seen()]
    wait_at, fits_at, stretch_at = moving
    for job, row in zip(queue.seen(), rows, strict=True):
        waited, length = queue.now - queue.submit[job], max(queue.estimate[job], 1)
        if wait_at >= 0:
            row[wait_at] = np.float32(min(waited / 43200, CAP))
        if fits_at >= 0:
            row[fits_at] = np.float32(CAP if queue.procs[job] <= queue.free else 1 - CAP)
        if stretch_at >= 0:
            row[stretch_at] = np.float32(length / (length + waited))
    return np.array(rows, dtype=np.float32).reshape(len(rows), table.shape[1])


def machine_of(queue: Queue) -> list[float]:
    """The state of the machine, as numbers."""
    left, waiting = queue.shadow - queue.now, len(queue.waiting)
    reserved = queue.reserved is not None
    return [
        queue.free / queue.processors,
        queue.extra / queue.processors * reserved,
        float(reserved),
        left / (left + 3600) if reserved and left > 0 else 0,
        waiting / (waiting + queue.size),
        1 - len(queue.to_come) / len(queue.start),
    ]


def logits(layers: list, rows: np.ndarray) -> np.ndarray:
    """The scores of a network, each sum in the order of the inputs and in single precision."""
    for place, (kernel, bias) in enumerate(layers):
        total = np.repeat(bias[None, :], len(rows), axis=0)
        for i in range(len(kernel)):
            total = total + kernel[i][None, :] * rows[:, i : i + 1]
        rows = total if place == len(layers) - 1 else np.maximum(total, np.float32(0))
    return rows[:, 0]


def by_network(layers: list, table: np.ndarray, moving: list[int]) -> Callable:
    """Choose the largest score of a network; of equal scores the job that is seen first."""

    def best(queue: Queue, allowed: list[int]) -> int:
        score = dict(zip(queue.seen(), logits(layers, rows_of(queue, table, moving)), strict=True))
        return max(allowed, key=lambda job: (score[job], -queue.seen().index(job)))

    return best

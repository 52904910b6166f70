"""The twin of `schedlab.kernels.queue.predicted`: EASY++ written to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.queue.predictions import CORRECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.core.jobs import Jobs


def simulate(jobs: Jobs, user: Sequence[int], processors: int) -> list[int]:
    return _Machine(jobs, list(user), processors).simulate()


class _Machine:
    def __init__(self, jobs: Jobs, user: list[int], processors: int) -> None:
        self.submit, self.runtime = jobs.submit.tolist(), jobs.runtime.tolist()
        self.estimate, self.procs = jobs.estimate.tolist(), jobs.procs.tolist()
        self.user, self.free, self.now = user, processors, 0
        self.start: list[int | None] = [None] * len(jobs)
        self.predicted: dict[int, int] = {}
        self.history: dict[int, list[int]] = {}
        self.waiting: list[int] = []
        self.running: list[int] = []

    def simulate(self) -> list[int]:
        pending = list(range(len(self.submit)))
        while pending or self.running:
            self.now = min([self.end(job) for job in self.running] + self.submit_of(pending[:1]))
            for job in [job for job in sorted(self.running) if self.end(job) == self.now]:
                self.running.remove(job)
                self.free += self.procs[job]
                self.history.setdefault(self.user[job], []).append(self.runtime[job])
            while pending and self.submit[pending[0]] == self.now:
                self.waiting.append(pending.pop(0))
            self.look()
        return self.start

    def submit_of(self, jobs: list[int]) -> list[int]:
        return [self.submit[job] for job in jobs]

    def end(self, job: int) -> int:
        return self.start[job] + self.runtime[job]

    def prediction(self, job: int) -> int:
        """What a waiting job is predicted to run for."""
        last = self.history.get(self.user[job], [])[-2:]
        if self.user[job] < 0 or len(last) < 2:
            return self.estimate[job]
        return min(self.estimate[job], max(1, sum(last) // 2))

    def expected_end(self, job: int) -> int:
        first = self.predicted[job]
        lengths = [first, *(first + more for more in CORRECTIONS), self.estimate[job]]
        ends = [self.start[job] + min(length, self.estimate[job]) for length in lengths]
        return next(end for end in ends if end > self.now)

    def begin(self, job: int) -> None:
        self.predicted[job] = self.prediction(job)
        self.waiting.remove(job)
        self.start[job] = self.now
        self.running.append(job)
        self.free -= self.procs[job]

    def look(self) -> None:
        while self.waiting and self.procs[self.waiting[0]] <= self.free:
            self.begin(self.waiting[0])
        if not self.waiting:
            return
        head = self.waiting[0]
        shadow, extra = self.reservation(head)
        for job in sorted(self.waiting[1:], key=self.prediction):
            if self.procs[job] > self.free:
                continue
            if self.now + self.prediction(job) > shadow:
                if self.procs[job] > extra:
                    continue
                extra -= self.procs[job]
            self.begin(job)

    def reservation(self, head: int) -> tuple[int, int]:
        """When the head is predicted to fit, and the processors it leaves over then."""
        for shadow in sorted({self.expected_end(job) for job in self.running}):
            ended = [job for job in self.running if self.expected_end(job) <= shadow]
            free = self.free + sum(self.procs[job] for job in ended)
            if free >= self.procs[head]:
                return shadow, free - self.procs[head]
        raise AssertionError("the head is wider than the machine")

"""The twin of the kernel that plans every job: conservative backfilling, written to be read.

The plan is nothing but when each job is planned and each running job expected to end; whatever is
asked of it is found by looking at all of them.
"""

from __future__ import annotations

from collections.abc import Callable

from schedlab.queue.simulation import Run
from twins.backfilling import changes_after, closed_from, closures
from twins.expression import value

Watch = Callable[[int, dict[int, int]], None]


def simulate(run: Run, watch: Watch | None = None) -> list[int]:
    """Start time of each job, in their order; `watch` is given each time the planned starts."""
    machine = _Machine(run)
    while machine.pending or machine.planned or machine.running:
        machine.step()
        if watch:
            watch(machine.now, dict(machine.planned))
    return [machine.start[job] for job in range(len(run.jobs))]


class _Machine:
    def __init__(self, run: Run) -> None:
        self.run = run
        jobs = run.jobs
        self.submit, self.runtime = jobs.submit.tolist(), jobs.runtime.tolist()
        self.estimate, self.procs = jobs.estimate.tolist(), jobs.procs.tolist()
        self.pending = list(range(len(jobs)))
        self.planned: dict[int, int] = {}
        self.running: list[int] = []
        self.start: dict[int, int] = {}
        self.changes = {time for known, _, end, *_ in closures(run) for time in (known, end)}
        self.now = 0

    def end(self, job: int) -> int:
        return self.start[job] + self.runtime[job]

    def step(self) -> None:
        self.now = min(
            [self.end(job) for job in self.running]
            + [self.submit[job] for job in self.pending]
            + list(self.planned.values())
            + changes_after(self.run, self.now)
        )
        ending = [job for job in self.running if self.end(job) == self.now]
        for job in sorted(ending, key=lambda job: (self.start[job], job)):
            self.running.remove(job)
            if self.run.compression == "completion":
                self.compress()
        if ending and self.run.compression == "instant":
            self.compress()
        # jobs of no length end now, and then this instant is looked at again
        if self.now in self.changes:
            self.changes.remove(self.now)
            self.replan()
        arriving = [job for job in self.pending if self.submit[job] == self.now]
        for job in self.in_order(arriving):
            self.pending.remove(job)
            self.planned[job] = self.earliest(job)
        for job in [job for job, start in self.planned.items() if start == self.now]:
            self.start[job] = self.planned.pop(job)
            self.running.append(job)

    def compress(self) -> None:
        """Take each waiting job out of the plan and put it back where it can start first."""
        for job in self.in_order(list(self.planned)):
            del self.planned[job]
            self.planned[job] = self.earliest(job)

    def replan(self) -> None:
        """Take all waiting jobs out of the plan, then plan each again."""
        jobs = self.in_order(list(self.planned))
        self.planned = {}
        for job in jobs:
            self.planned[job] = self.earliest(job)

    def in_order(self, jobs: list[int]) -> list[int]:
        """The jobs in the order of the policy at the present time; ties by submission."""
        jobs = sorted(jobs, reverse=self.run.dialect.ties == "lifo")
        return sorted(jobs, key=self.score)

    def score(self, job: int) -> float:
        wait = self.now - self.submit[job]
        expression = self.run.policy.expression
        return value(expression, self.estimate[job], self.procs[job], self.submit[job], wait)

    def earliest(self, job: int) -> int:
        taken = self.taken()
        ends = [end for _, end, _ in taken if end > self.now]
        return next(start for start in sorted([self.now, *ends]) if self.fits(job, start, taken))

    def fits(self, job: int, start: int, taken: list[tuple[int, int, int]]) -> bool:
        end = start + self.estimate[job]
        moments = [start] + [begin for begin, _, _ in taken if start < begin < end]
        return all(
            sum(procs for begin, end, procs in taken if begin <= moment < end)
            <= self.run.processors - self.procs[job]
            for moment in moments
        )

    def taken(self) -> list[tuple[int, int, int]]:
        """Times between which processors are taken, by running and by waiting jobs."""
        starts = self.planned | {job: self.start[job] for job in self.running}
        return [
            (start, start + self.estimate[job], self.procs[job]) for job, start in starts.items()
        ] + closed_from(self.run, self.now, self.now)

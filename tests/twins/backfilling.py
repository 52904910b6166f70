"""The twin of the rule of backfilling, with any number of reservations, written to be read.

The plan is a list of (begin, end, processors): running jobs by their estimates, and reservations.
Where running jobs have outlived their estimates, it begins at the first of these instead of now.
"""

from __future__ import annotations

from schedlab.queue.reservations import depth_of
from schedlab.queue.simulation import Run
from twins import queue


def simulate(run: Run) -> list[int]:
    """Start time of each job."""
    return _Machine(run).simulate()


def closures(run: Run) -> list[list[int]]:
    """When processors are closed: known, begin, end, expected end, processors."""
    return run.closures.tolist()


def changes_after(run: Run, now: int) -> list[int]:
    """Times at which closures are announced, begin or end."""
    return [time for closure in closures(run) for time in closure[:3] if time > now]


def closed_from(run: Run, now: int, first: int) -> list[tuple[int, int, int]]:
    """Known closures in a plan that begins at a time: begin, expected end, processors."""
    return [
        (begin if now < begin else first, expected, procs)
        for known, begin, end, expected, procs in closures(run)
        if known <= now < end
    ]


class _Machine(queue._Machine):
    """Events and orders are those of the queue twin."""

    def simulate(self) -> list[int]:
        while self.pending or self.waiting:
            self.release()
            self.arrive()
            self.one_pass()
            if self.pending or self.waiting:
                self.now = min(
                    [self.end(job) for job in self.running if self.end(job) > self.now]
                    + [self.submit[job] for job in self.pending[:1]]
                    + changes_after(self.run, self.now)
                    # jobs of no length end now, and then this instant is looked at again
                    + [self.now for job in self.running if self.end(job) == self.now]
                )
        return self.start

    def one_pass(self) -> None:
        """Let jobs start that move no reservation; reserve for the first that do not start."""
        depth, plan, late = depth_of(self.run.reservations), [], []
        queue = self.in_order()
        while queue:
            job = queue.pop(0)
            if self.may_start(job, plan):
                self.begin(job)
                continue
            if depth < 0 or job < self.run.head:
                return
            if depth > 0:
                plan.append(self.reservation_of(job, plan))
            if len(plan) == depth:
                late = queue
                break
        for job in self.sort(self.run.backfill or self.run.policy, late, self.dialect.ties):
            if self.may_start(job, plan):
                self.begin(job)

    def in_order(self) -> list[int]:
        """First jobs that start in order, then starving ones, then by the policy."""
        first = [job for job in self.waiting if job < self.run.head]
        starving = [job for job in self.waiting if self.starves(job) and job not in first]
        starving.sort(reverse=self.dialect.ties == "lifo")
        starving.sort(key=lambda job: self.submit[job])
        others = [job for job in self.waiting if job not in first + starving]
        return first + starving + self.sort(self.run.policy, others, self.dialect.ties)

    def begin(self, job: int) -> None:
        self.waiting.remove(job)
        self.start[job] = self.now
        self.free -= self.procs[job]
        self.running.append(job)

    def may_start(self, job: int, plan: list[tuple[int, int, int]]) -> bool:
        end = self.now + self.estimate[job]
        closed = [row[4] for row in closures(self.run) if row[1] <= self.now < row[2]]
        free = self.free - sum(closed)
        return self.procs[job] <= free and self.fits(job, self.begin_of_plan(), end, plan)

    def reservation_of(self, job: int, plan: list[tuple[int, int, int]]) -> tuple[int, int, int]:
        """The earliest time from which the job fits."""
        known = plan + closed_from(self.run, self.now, self.begin_of_plan())
        ends = [self.expected_end(other) for other in self.running] + [end for _, end, _ in known]
        need, length = self.procs[job], self.estimate[job]
        for begin in sorted({self.begin_of_plan(), *ends}):
            if self.fits(job, begin, begin + length, plan):
                return (begin, begin + length, need)
        raise AssertionError("the job is wider than the machine")

    def begin_of_plan(self) -> int:
        return min([self.now, *(self.expected_end(job) for job in self.running)])

    def expected_end(self, job: int) -> int:
        return self.start[job] + self.estimate[job]

    def fits(self, job: int, begin: int, end: int, plan: list[tuple[int, int, int]]) -> bool:
        first = self.begin_of_plan()
        taken = [(first, self.expected_end(one), self.procs[one]) for one in self.running] + plan
        taken += closed_from(self.run, self.now, first)
        moments = [begin] + [start for start, _, _ in taken if begin < start < end]
        return all(
            sum(procs for start, over, procs in taken if start <= moment < over)
            <= self.run.processors - self.procs[job]
            for moment in moments
        )

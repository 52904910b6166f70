"""The queue kernels' twin: strict order and EASY backfilling in every dialect, written to be read.

Everything is a list that is sorted or searched afresh whenever something happens.
"""

from __future__ import annotations

import math

from schedlab.policies import Policy
from schedlab.queue.simulation import Run
from twins import one_pass
from twins.expression import value


def simulate(run: Run) -> list[float]:
    if run.dialect.one_pass:
        return one_pass.simulate(run)
    return _Machine(run).simulate()


class _Machine:
    def __init__(self, run: Run) -> None:
        self.run, self.dialect = run, run.dialect
        jobs = run.jobs
        self.submit, self.runtime = jobs.submit.tolist(), jobs.runtime.tolist()
        self.estimate, self.procs = jobs.estimate.tolist(), jobs.procs.tolist()
        self.start: list[float | None] = [None] * len(jobs)
        self.now: float = 0.0 if self.dialect.latency else 0
        self.free = run.processors
        self.pending = list(range(len(jobs)))
        self.waiting: list[int] = []
        self.running: list[int] = []
        self.known_lines: dict[str, list[int | None]] = {}

    def simulate(self) -> list[float]:
        while self.pending or self.waiting:
            self.arrive()
            if not self.waiting:
                self.sleep()
                self.arrive()
                if not self.waiting or not self.dialect.first_alone:
                    continue
            elif len(self.start) - len(self.pending) - len(self.waiting) >= self.run.head:
                self.order_visible()
            if self.procs[self.waiting[0]] <= self.free:
                self.dispatch()
            else:
                self.sleep()
        return self.start

    def arrive(self) -> None:
        while self.pending and self.submit[self.pending[0]] <= self.now:
            self.waiting.append(self.pending.pop(0))

    def sleep(self) -> None:
        events = [self.end(job) for job in self.running]
        if self.pending:
            events.append(self.submit[self.pending[0]])
        self.now = max(self.now, min(events))
        self.release()

    def end(self, job: int) -> float:
        return self.start[job] + self.runtime[job]

    def release(self) -> None:
        for job in [job for job in self.running if self.end(job) <= self.now]:
            self.running.remove(job)
            self.free += self.procs[job]

    def dispatch(self) -> None:
        job = self.waiting.pop(0)
        self.free -= self.procs[job]
        if self.dialect.latency:
            self.now += self.dialect.latency
            self.release()
        self.start[job] = self.now
        self.running.append(job)

    def order_visible(self) -> None:
        """Sort what the scheduler sees; move what may be backfilled to the front."""
        window = self.dialect.window or len(self.waiting)
        ties = self.dialect.ties_for(self.run.policy.name)
        seen = self.sort(self.run.policy, self.waiting[:window], ties)
        starving = [job for job in self.waiting[:window] if self.starves(job)]
        starving.sort(reverse=ties == "lifo")
        starving.sort(key=lambda job: self.submit[job])
        seen = starving + [job for job in seen if job not in starving]
        self.waiting[:window] = seen
        head = seen[0]
        if self.run.backfill is None or self.procs[head] <= self.free:
            return
        shadow, extra = self.reservation(head)
        now = int(self.now)
        if self.run.backfill != self.run.policy or starving:
            seen = self.sort(self.run.backfill, seen, ties)
        for job in seen:
            fits = job != head and self.procs[job] <= self.free
            if fits and (now + self.estimate[job] <= shadow or self.procs[job] <= extra):
                self.waiting.remove(job)
                self.waiting.insert(0, job)
                return

    def starves(self, job: int) -> bool:
        threshold = self.run.threshold
        return threshold is not None and self.now - self.submit[job] > threshold

    def reservation(self, head: int) -> tuple[int, int]:
        """When the head is expected to fit, and the processors it leaves over then."""
        now, free = int(self.now), self.free
        left = {job: self.estimate[job] - (now - self.start[job]) for job in self.running}
        queue = sorted(self.running, key=lambda job: left[job])
        while free < self.procs[head]:
            last = queue.pop(0)
            free += self.procs[last]
        while self.dialect.shadow == "merged" and queue and left[queue[0]] == left[last]:
            free += self.procs[queue.pop(0)]
        return now + int(left[last]), free - self.procs[head] if self.dialect.extra else 0

    def sort(self, policy: Policy, jobs: list[int], ties: str) -> list[int]:
        score = {job: self.score(policy, job) for job in jobs}
        if ties == "exchange":
            jobs = list(jobs)
            for i in range(len(jobs)):
                for j in range(len(jobs)):
                    if score[jobs[i]] < score[jobs[j]]:
                        jobs[i], jobs[j] = jobs[j], jobs[i]
            return jobs
        if ties == "submit":
            jobs = sorted(jobs)
        elif ties == "lifo":
            jobs = sorted(jobs, reverse=True)
        return sorted(jobs, key=lambda job: score[job])

    def score(self, policy: Policy, job: int) -> object:
        wait = int(self.now) - self.submit[job]
        if policy.order == "linear" and self.dialect.plain:
            return self.line(policy, job, wait)
        return value(policy.expression, self.estimate[job], self.procs[job], self.submit[job], wait)

    def lines(self, policy: Policy) -> list[int | None]:
        """1 / (divisor * r) of each job over the common denominator of all, or None without one."""
        if policy.name not in self.known_lines:
            divisors = policy.divisors(self.run.jobs.procs).tolist()
            below = [divisor * r for divisor, r in zip(divisors, self.estimate, strict=True)]
            common = math.lcm(*filter(None, below))
            self.known_lines[policy.name] = [common // each if each else None for each in below]
        return self.known_lines[policy.name]

    def line(self, policy: Policy, job: int, wait: int) -> tuple[object, ...]:
        """A score that moves along a line, exactly: w / (divisor * r), by default largest first."""
        line = self.lines(policy)[job]
        if line is None:
            return (-math.inf, 0)
        if policy.reverse:
            return (wait * line, 0)
        return (-wait * line, -line if wait == 0 and policy.fresh == "divisor" else 0)

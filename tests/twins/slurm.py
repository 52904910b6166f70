"""The twin of the kernel that schedules as Slurm does, written to be read."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from schedlab.queue.simulation import Run, ranks
from schedlab.queue.slurm import HALF_MINUTE

if TYPE_CHECKING:
    from schedlab.queue.slurm import SlurmSwitches


def simulate(run: Run) -> list[int]:
    return _Controller(run).simulate()


class _Controller:
    def __init__(self, run: Run) -> None:
        self.switches: SlurmSwitches = run.dialect.slurm
        jobs = run.jobs
        self.submit, self.runtime = jobs.submit.tolist(), jobs.runtime.tolist()
        self.procs = jobs.procs.tolist()
        self.limit = [self.switches.limit(estimate) for estimate in jobs.estimate.tolist()]
        self.rank = ranks(run.policy, jobs)[1].tolist()
        self.backfilling = run.reservations != "none"
        some = {"none": 0, "head": 1, "every": len(jobs)}.get(run.reservations)
        self.reserved_at_most = int(run.reservations) if some is None else some
        self.all = set(range(run.processors))
        self.free = set(self.all)
        self.start: list[int] = [-1] * len(jobs)
        self.on: dict[int, set[int]] = {}
        self.running: list[int] = []
        self.waiting: list[int] = []

    def simulate(self) -> list[int]:
        arrived, tick, jobs = 0, self.switches.phase, len(self.start)
        while arrived < jobs or self.waiting:
            events = [self.over(job) for job in self.running]
            if arrived < jobs:
                events.append(self.submit[arrived])
            if self.waiting and self.backfilling:
                events.append(tick)
            now = min(events)
            while tick < now:
                tick += self.switches.interval
            ended = [job for job in self.running if self.over(job) <= now]
            for job in ended:
                self.running.remove(job)
                self.free |= self.on[job]
            first = arrived
            while arrived < jobs and self.submit[arrived] <= now:
                self.waiting.append(arrived)
                arrived += 1
            self.waiting.sort(key=lambda job: self.rank[job])
            if ended or arrived > first:
                self.main_pass(now)
            if tick == now:
                if self.backfilling:
                    self.backfill_pass(now)
                tick += self.switches.interval
        return self.start

    def over(self, job: int) -> int:
        return self.start[job] + self.runtime[job] + self.switches.stopping

    def expected(self, job: int) -> int:
        """When a running job reaches its limit."""
        return self.start[job] + self.limit[job]

    def begin(self, job: int, now: int, where: set[int]) -> None:
        self.start[job], self.on[job] = now, where
        self.free -= where
        self.waiting.remove(job)
        self.running.append(job)

    def main_pass(self, now: int) -> None:
        """Start jobs in their order until one does not fit."""
        while self.waiting and self.procs[self.waiting[0]] <= len(self.free):
            job = self.waiting[0]
            self.begin(job, now, chosen(self.free, self.procs[job]))

    def backfill_pass(self, now: int) -> None:
        """Plan jobs in their order, each around those before it, and start what can start now."""
        plan = [(now, now + self.switches.window, set(self.all))]
        reserved = 0
        for job in self.waiting[: self.switches.max_test]:
            start, where = self.planned(job, now, plan)
            if start == now:
                self.begin(job, now, where)
            elif start is None or start > now + self.switches.window:
                continue
            elif reserved < self.reserved_at_most:
                plan = self.reserve(plan, where, *self.rounded(job, start))
                reserved += 1

    def rounded(self, job: int, start: int) -> tuple[int, int]:
        """When a reservation begins and ends."""
        step = self.switches.resolution
        return start // step * step, (start + self.limit[job]) // step * step

    def planned(self, job: int, now: int, plan: list) -> tuple[int | None, set[int]]:
        """When and where a job is to start; None: not within what is planned."""
        at = now
        while True:
            later, usable = None, set(self.all)
            for begin, end, nodes in plan:
                if end <= at:
                    continue
                if later is None and end < plan[-1][1]:
                    later = end
                if begin > at + self.limit[job]:
                    break
                usable &= nodes
            start, where = self.earliest(job, now, usable)
            if start is not None:
                start = max(start, at)
            if start is None or (later is not None and start > later):
                if later is None:
                    return None, set()
                at = later
                continue
            if start > at and self.overlaps(plan, where, *self.rounded(job, start)):
                at = start
                continue
            return start, where

    def earliest(self, job: int, now: int, usable: set[int]) -> tuple[int | None, set[int]]:
        """Time and processors of a job's start on some processors if no other job arrives."""
        running = [(self.expected(other), self.on[other] & usable) for other in self.running]
        return predicted(self.free & usable, self.procs[job], running, self.switches.close, now)

    def overlaps(self, plan: list, where: set[int], start: int, end: int) -> bool:
        return any(
            begin < end and start < until and not where <= nodes for begin, until, nodes in plan
        )

    def reserve(self, plan: list, where: set[int], start: int, end: int) -> list:
        """Return the plan without some processors from `start` to `end`."""
        cut = []
        for begin, until, nodes in plan:
            moments = sorted({begin, until, *(m for m in (start, end) if begin < m < until)})
            for left, right in pairwise(moments):
                inside = left < end and right > start
                cut.append((left, right, nodes - where if inside else nodes))
        return cut


def predicted(
    free: set[int], procs: int, running: list[tuple[int, set[int]]], close: int, now: int
) -> tuple[int | None, set[int]]:
    """Time and processors of a job's start if no other job arrives and running jobs reach limits.

    Limits that come close together count as one, the last of them; twice as close each time that
    they do not give enough. `running` has each job's limit and what it gives of what is usable.
    """
    if len(free) >= procs:
        return now, chosen(free, procs)
    running, found, place = sorted(running, key=lambda one: one[0]), set(free), 0
    while True:
        place = next_of_use(running, place)
        if place == len(running):
            return None, set()
        until = close_to(running[place][0], close)
        while True:
            last, given = running[place]
            found |= given
            place += 1
            if place == len(running) or running[place][0] > until:
                break
            # who gives nothing is passed by, and who comes then is taken whenever it ends
            place = next_of_use(running, place)
            if place == len(running):
                break
        if len(found) >= procs:
            return max(last, now + 1), chosen(found, procs)
        close *= 2


def next_of_use(running: list[tuple[int, set[int]]], place: int) -> int:
    """Return the place of the next job that gives something."""
    while place < len(running) and not running[place][1]:
        place += 1
    return place


def close_to(end: int, close: int) -> int:
    """Until when ends count as one with the first: from the next whole half minute after it on."""
    return end - end % HALF_MINUTE + HALF_MINUTE + close if close else end


def chosen(free: set[int], procs: int) -> set[int]:
    """Choose processors: the smallest stretch that suffices, else the longest one and more."""
    left, where = sorted(free), set()
    while True:
        stretches: list[list[int]] = []
        for node in left:
            if stretches and stretches[-1][-1] == node - 1:
                stretches[-1].append(node)
            else:
                stretches.append([node])
        enough = [stretch for stretch in stretches if len(stretch) >= procs - len(where)]
        if enough:
            return where | set(min(enough, key=len)[: procs - len(where)])
        longest = max(stretches, key=len)
        where |= set(longest)
        left = [node for node in left if node not in where]

"""The nodes kernel's twin: jobs that share nodes, written to be read.

Nodes are lists of the jobs on them; whatever is asked is counted afresh.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.machine import Machine
from schedlab.cosched.machine import WAYS, needs, node_of, share
from schedlab.cosched.schedulers import RANKED, CoScheduler, Waiting, custom_order
from schedlab.cosched.simulation import Allocation, CoSchedule
from schedlab.cosched.speeds import NODE_ORDERS

if TYPE_CHECKING:
    from schedlab.cosched.simulation import CoJobs


def simulate(
    jobs: CoJobs, cluster: Machine, speedup: np.ndarray, scheduler: CoScheduler, keep: bool = False
) -> CoSchedule:
    machine = _Machine(jobs, cluster, speedup, scheduler)
    machine.simulate()
    return machine.schedule(keep)


class _Machine:
    def __init__(
        self, jobs: CoJobs, cluster: Machine, speedup: np.ndarray, scheduler: CoScheduler
    ) -> None:
        self.jobs, self.cluster, self.scheduler = jobs, cluster, scheduler
        self.pair = speedup.tolist()
        self.submit, self.app, self.procs = (
            jobs.submit.tolist(),
            jobs.app.tolist(),
            jobs.procs.tolist(),
        )
        self.wall = jobs.wall.tolist()
        seen = {"runtime": jobs.time, "wall": jobs.wall, "estimate": jobs.estimate}
        self.seen = seen[scheduler.key_time].tolist()
        self.idle_key, self.shared_key = NODE_ORDERS[scheduler.nodes](speedup)
        self.on: list[list[int]] = [[] for _ in range(len(cluster))]
        self.now = 0.0
        self.pending, self.waiting, self.running = list(range(len(jobs))), [], []
        self.filling = False
        self.rank: dict[int, int] = {}
        self.reserved: dict[int, float] = {}
        self.start, self.end = [math.nan] * len(jobs), [math.nan] * len(jobs)
        self.nodes: list[list[int]] = [[] for _ in jobs.number]
        self.compact = [False] * len(jobs)
        self.work = jobs.time.tolist()  # left to do at the time `since`, in compact seconds
        self.since, self.speed = [0.0] * len(jobs), [0.0] * len(jobs)
        self.pieces: list[tuple[int, float, float]] = []

    def simulate(self) -> None:
        while self.pending or self.waiting or self.running:
            self.now = min(
                [self.ends(job) for job in self.running]
                + [self.submit[job] for job in self.pending[:1]]
            )
            for job in [job for job in self.running if self.ends(job) <= self.now]:
                self.finish(job)
            while self.pending and self.submit[self.pending[0]] <= self.now:
                self.waiting.append(self.pending.pop(0))
            if self.scheduler.backfill == "textbook":
                self.plan()
            else:
                self.passes()
            self.retime()

    def ends(self, job: int) -> float:
        return self.since[job] + self.work[job] / self.speed[job]

    def finish(self, job: int) -> None:
        self.end[job] = self.now
        self.running.remove(job)
        for node in self.nodes[job]:
            self.on[node].remove(job)

    def begin(self, job: int) -> None:
        self.waiting.remove(job)
        self.start[job] = self.since[job] = self.now
        self.compact[job] = self.mode(job) == "compact"
        self.nodes[job] = self.choose(job)
        for node in self.nodes[job]:
            self.on[node].append(job)
        self.running.append(job)

    def retime(self) -> None:
        """Give each running job the speed that its neighbours now allow."""
        for job in sorted(self.running):
            speed = self.speed_of(job)
            if speed == self.speed[job]:
                continue
            done = (self.now - self.since[job]) * self.speed[job]
            self.work[job] = max(self.work[job] - done, 0.0)
            self.since[job], self.speed[job] = self.now, speed
            self.pieces.append((job, self.now, speed))

    def speed_of(self, job: int) -> float:
        if self.compact[job]:
            return 1.0
        row = self.pair[self.app[job]]
        known = [value for value in row if not math.isnan(value)] or [1.0]
        speed = max(known)
        for node in self.nodes[job]:
            for other in self.on[node]:
                if other != job:
                    value = row[self.app[other]]
                    mean = math.fsum(known) / len(known)
                    speed = min(speed, mean if math.isnan(value) else value)
        return speed

    # --- nodes

    def mode(self, job: int) -> str:
        if self.filling and self.scheduler.backfill_allocation:
            return self.scheduler.backfill_allocation
        if self.scheduler.allocation == "hybrid":
            return "compact" if self.rank[job] < self.scheduler.compact_below else "spread"
        return self.scheduler.allocation

    def need(self, job: int) -> int:
        mode = "compact" if self.mode(job) == "compact" else "spread"
        return needs(self.cluster, self.procs[job], mode)

    def occupied(self, on: list[list[int]]) -> tuple[list[int], list[int]]:
        nodes = range(len(self.cluster))
        return (
            [node for node in nodes if not on[node]],
            [
                node
                for node in nodes
                if 0 < len(on[node]) < WAYS and not any(self.compact[job] for job in on[node])
            ],
        )

    def suitable(self, job: int, idle: list[int], shared: list[int]) -> list[int]:
        mode, need = self.mode(job), self.need(job)
        if mode == "striped":
            return shared if len(shared) >= need else idle
        return idle if mode == "compact" else idle + shared

    def fits(self, job: int, on: list[list[int]] | None = None) -> bool:
        return len(self.suitable(job, *self.occupied(on or self.on))) >= self.need(job)

    def choose(self, job: int) -> list[int]:
        nodes = sorted(self.suitable(job, *self.occupied(self.on)))
        if self.mode(job) != "compact":
            nodes.sort(key=lambda node: -self.node_key(job, node))
        return sorted(nodes[: self.need(job)])

    def node_key(self, job: int, node: int) -> float:
        app = self.app[job]
        if not self.on[node]:
            return self.idle_key[app]
        return self.shared_key[app, self.app[self.on[node][0]]]

    # --- order

    def passes(self) -> None:
        while True:
            before = len(self.waiting)
            self.deploy()
            self.backfill()
            if len(self.waiting) == before or not self.scheduler.repeat:
                return

    def deploy(self) -> None:
        if self.scheduler.allocation == "hybrid" or self.scheduler.order in RANKED:
            self.rank = {job: self.popularity(job) for job in self.waiting}
        visible = self.waiting[: self.scheduler.queue_depth]
        for job in self.sort(visible):
            if not self.fits(job):
                return
            self.begin(job)

    def popularity(self, job: int) -> int:
        """How many other waiting jobs make a pair with this one that pays."""
        a, count = self.app[job], 0
        for other in self.waiting:
            b = self.app[other]
            mean = (self.pair[a][b] + self.pair[b][a]) / 2
            count += other != job and mean > self.scheduler.threshold
        return count

    def free_cores(self) -> int:
        """Cores that no job was given; on a shared node those that a second job can get."""
        idle, shared = self.occupied(self.on)
        return len(idle) * node_of(self.cluster).cpus + len(shared) * (
            node_of(self.cluster).cpus - share(self.cluster)
        )

    def sort(self, visible: list[int]) -> list[int]:
        """The visible jobs, largest key first, ties by arrival."""
        order, free, n = self.scheduler.order, self.free_cores(), len(visible)
        own = custom_order(order)
        if own:
            places = np.array(visible, dtype=np.int32)
            seen = np.array(self.seen)
            columns = (self.jobs.submit, seen, self.jobs.wall, self.jobs.app, self.jobs.procs)
            view = Waiting(places, *(column[places] for column in columns), free, self.now)
            key = dict(zip(visible, np.asarray(own(view), dtype=float).tolist(), strict=True))
        elif order == "fcfs":
            return visible
        elif order in ("sjf", "ljf"):
            key = {job: self.seen[job] * (1 if order == "ljf" else -1) for job in visible}
        elif order == "laf":
            key = {job: self.seen[job] * self.procs[job] for job in visible}
        elif order == "popularity":
            key = {job: self.rank[job] for job in visible}
        else:
            gap = {job: self.gap(self.procs[job], free) for job in visible}
            if order == "filler":
                key = {job: gap[job] / self.quotient(job + 1, n) for job in visible}
            else:
                second = self.second_queue(order, visible)
                key = {job: gap[job] + self.quotient(second.index(job), n) for job in visible}
        return sorted(visible, key=lambda job: key[job], reverse=True)

    def quotient(self, a: int, b: int) -> Fraction | float:
        """As the scheduler computes its keys."""
        return Fraction(a, b) if self.scheduler.keys == "exact" else a / b

    def gap(self, procs: int, free: int) -> Fraction | float:
        """Share of the free cores that a job fills."""
        if free == 0:
            return 1
        return 1 - self.quotient(free - procs, free) if procs <= free else -1

    def second_queue(self, order: str, visible: list[int]) -> list[int]:
        if order == "sjf-filler":
            return sorted(visible, key=lambda job: -self.seen[job])
        sign = 1 if order == "pop-filler-ascending" else -1
        return sorted(visible, key=lambda job: sign * self.rank[job])

    # --- backfilling

    def wall_end(self, job: int) -> float:
        return self.start[job] + self.wall[job]

    def actual_end(self, job: int) -> float:
        """When a job on whole nodes ends."""
        return self.start[job] + self.jobs.time[job]

    def backfill(self) -> None:
        if not self.waiting or self.scheduler.backfill is None:
            return
        depth = self.scheduler.depth
        head, candidates = self.waiting[0], self.waiting[1:]
        candidates = candidates if depth is None else candidates[:depth]
        easy = self.scheduler.backfill == "easy"
        limit = self.shadow(head, candidates) if easy else self.reservations(candidates)
        self.filling = True
        for job in candidates:
            if job in limit and self.now + self.wall[job] <= limit[job] and self.fits(job):
                self.begin(job)
        self.filling = False

    def shadow(self, head: int, candidates: list[int]) -> dict[int, float]:
        """By when each candidate must end: by when the head will fit."""
        for end in sorted({self.wall_end(job) for job in self.running}):
            left = [[job for job in jobs if self.wall_end(job) > end] for jobs in self.on]
            if self.fits(head, left):
                return dict.fromkeys(candidates, end)
        return {}

    def reservations(self, candidates: list[int]) -> dict[int, float]:
        running = sorted(self.running, key=self.wall_end)
        free, after, limit = len(self.occupied(self.on)[0]), 0.0, {}
        for job in candidates:
            for last in running:
                free += len(self.nodes[last])
                if free >= self.need(job):
                    after += self.wall_end(last) - self.now
                    break
            else:
                limit[job] = math.inf
                break
            limit[job] = self.now + after
            running = [other for other in running if self.actual_end(other) - self.now > after]
            free = 0
        return limit

    # --- conservative backfilling of the literature

    def plan(self) -> None:
        """Move each reservation as early as the others allow, by arrival; start what is due."""
        depth = self.scheduler.depth
        for job in self.waiting[: None if depth is None else depth + 1]:
            self.reserved.pop(job, None)
            when = self.earliest(job)
            if when <= self.now and self.fits(job):
                self.begin(job)
            else:
                self.reserved[job] = when

    def taken(self) -> list[tuple[float, float, int]]:
        """Occupied nodes with begin and end: by running jobs and by reservations."""
        held = [(self.now, self.wall_end(job), len(self.nodes[job])) for job in self.running]
        return held + [
            (max(when, self.now), max(when, self.now) + self.wall[job], self.need(job))
            for job, when in self.reserved.items()
        ]

    def earliest(self, job: int) -> float:
        taken = self.taken()
        for when in sorted({self.now, *(end for _, end, _ in taken if end > self.now)}):
            end = when + self.wall[job]
            instants = [when, *(start for start, _, _ in taken if when < start < end)]
            if all(
                sum(need for start, stop, need in taken if start <= instant < stop) + self.need(job)
                <= len(self.cluster)
                for instant in instants
            ):
                return when
        raise AssertionError("the machine is empty in the end")

    # --- what became of it

    def schedule(self, keep: bool) -> CoSchedule:
        nodes = np.array([len(nodes) for nodes in self.nodes], dtype=np.int32)
        compact = np.array(self.compact, dtype=bool)
        cores = nodes * np.where(compact, node_of(self.cluster).cpus, share(self.cluster))
        allocation = None
        if keep:
            pieces = sorted(self.pieces, key=lambda piece: (piece[1], piece[0]))
            job, time, speed = zip(*pieces, strict=True) if pieces else ((), (), ())
            allocation = Allocation(
                np.concatenate([[0], np.cumsum(nodes, dtype=np.int64)]),
                np.array([node for nodes in self.nodes for node in nodes], dtype=np.int32),
                np.array(job, dtype=np.int32),
                np.array(time, dtype=np.float64),
                np.array(speed, dtype=np.float64),
            )
        return CoSchedule(
            np.array(self.start),
            np.array(self.end),
            nodes,
            compact,
            cores.astype(np.int64),
            allocation,
        )

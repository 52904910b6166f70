"""The twin of the kernel that works by a plan, written to be read.

A plan is nothing but who is planned on each cluster in which order, and when each of them starts.
Whatever is asked of it is found by looking at all of them; a move is made on a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from schedlab.core.machine import Machine
from schedlab.planning.fitting import spreads
from schedlab.planning.requests import Requests, shares
from schedlab.planning.settings import Planning
from twins.searches import (
    CHOICES,
    LEAST,
    MOST_SHARE,
    RULES,
    TINY,
    Criteria,
    First,
    changes,
    weighted,
)
from twins.splitmix import Stream, mix


@dataclass
class Plan:
    """Waiting jobs in order with their planned starts, and running jobs, by cluster."""

    order: list[list[int]]
    start: dict[int, int] = field(default_factory=dict)
    running: list[set[int]] = field(default_factory=list)
    nodes: dict[int, list[int]] = field(default_factory=dict)

    def copy(self) -> Plan:
        running = [set(jobs) for jobs in self.running]
        order = [list(jobs) for jobs in self.order]
        return Plan(order, dict(self.start), running, dict(self.nodes))

    def waiting(self) -> list[int]:
        return [job for jobs in self.order for job in jobs]

    def where(self, job: int) -> int:
        return next(c for c, order in enumerate(self.order) if job in order)


class Twin:
    """A machine that plans: all arrivals, starts and completions happen in `run`."""

    def __init__(self, requests: Requests, machine: Machine, settings: Planning, key: int) -> None:
        jobs = requests.jobs
        self.machine, self.settings, self.key = machine, settings, key
        self.submit, self.runtime = jobs.submit.tolist(), jobs.runtime.tolist()
        self.estimate, self.procs = jobs.estimate.tolist(), jobs.procs.tolist()
        self.user, self.allowed = requests.user.tolist(), requests.clusters.tolist()
        self.by_node = settings.mode == "nodes"
        self.spread = spreads(requests, machine).tolist()
        self.queue = requests.queue.tolist()
        self.rate = [Fraction(rate) for rate in shares(requests, machine).tolist()]
        clusters = len(machine.clusters)
        self.plan = Plan([[] for _ in range(clusters)], running=[set() for _ in range(clusters)])
        self.pending = list(range(len(jobs)))
        self.by_queue: list[int] = []
        self.ended: set[int] = set()
        self.cluster: dict[int, int] = {}
        self.now, self.searched, self.searches, self.poll = 0, None, 0, 0
        self.moves: list[tuple] = []

    # what is asked of a plan

    def fits(self, c: int, job: int, start: int, others: list[int], at: dict[int, int]) -> bool:
        """Whether a job fits from a start on for its estimate, next to others."""
        moments = {start, *(at[other] for other in others)}
        return all(
            self.fits_now(c, job, [o for o in others if at[o] <= t < at[o] + self.estimate[o]])
            for t in moments
            if start <= t < start + self.estimate[job]
        )

    def fits_now(self, c: int, job: int, others: list[int]) -> bool:
        cpus, limits = self.machine.clusters[c].processors, self.settings.limits
        held = sum(self.procs[other] for other in others)
        of_user = sum(self.procs[o] for o in others if self.user[o] == self.user[job])
        of_long = sum(self.procs[other] for other in others if self.is_long(other))
        return (
            held + self.procs[job] <= cpus
            and (limits.user is None or of_user + self.procs[job] <= limits.user)
            and (not self.is_long(job) or of_long + self.procs[job] <= limits.long_most(cpus))
        )

    def is_long(self, job: int) -> bool:
        """Whether a job is of those that have a share of each cluster only."""
        long = self.settings.limits.long
        return long is not None and self.estimate[job] > long

    def suits(self, c: int, job: int) -> bool:
        fits = not self.by_node or self.spread[job][c][0] > 0
        return bool(self.allowed[job] >> c & 1) and fits and self.fits_now(c, job, [])

    def ends(self, jobs: list[int], at: dict[int, int]) -> list[int]:
        return sorted(at[job] + self.estimate[job] for job in jobs)

    # nodes

    def parts(self, c: int, job: int, nodes: list[int]) -> dict[int, tuple[int, int]]:
        """Processors and memory that a job uses on each of its nodes."""
        _, more, few, whole, ram = self.spread[job][c]
        if whole:
            return dict.fromkeys(nodes, self.empty(c))
        return {node: (more if k < few else more - 1, ram) for k, node in enumerate(sorted(nodes))}

    def empty(self, c: int) -> tuple[int, int]:
        """Processors and memory of a node."""
        cluster = self.machine.clusters[c]
        return cluster.kind.cpus, cluster.kind.memory or 1

    def free(
        self, plan: Plan, c: int, moments: list[int], others: list[int]
    ) -> list[tuple[int, int]]:
        least = [self.empty(c)] * self.machine.clusters[c].nodes
        for moment in moments:
            now = [self.empty(c)] * len(least)
            for other in others:
                if plan.start[other] <= moment < plan.start[other] + self.estimate[other]:
                    for node, (cpus, ram) in self.parts(c, other, plan.nodes[other]).items():
                        now[node] = now[node][0] - cpus, now[node][1] - ram
            least = [(min(a[0], b[0]), min(a[1], b[1])) for a, b in zip(least, now, strict=True)]
        return least

    def choose(self, c: int, job: int, free: list[tuple[int, int]]) -> list[int] | None:
        """The first nodes with room for a job."""
        count, more, _, whole, ram = self.spread[job][c]
        need = self.empty(c) if whole else (more, ram)
        fit = [k for k, (cpus, size) in enumerate(free) if cpus >= need[0] and size >= need[1]]
        return fit[:count] if len(fit) >= count else None

    def nodes_now(
        self, plan: Plan, c: int, job: int, time: int, placed: list[int]
    ) -> list[int] | None:
        """The nodes of a job that starts after others: its planned ones if free, or the first."""
        free = self.free(plan, c, [time], placed)
        own = plan.nodes.get(job)
        if plan.start[job] == time and own is not None and plan.where(job) == c:
            parts = self.parts(c, job, own)
            fits = all(free[k][0] >= cpus and free[k][1] >= ram for k, (cpus, ram) in parts.items())
            if fits and self.choose(c, job, free) is not None:
                return own
        return self.choose(c, job, free)

    def nodes_for_long(
        self, plan: Plan, c: int, job: int, time: int, others: list[int]
    ) -> list[int] | None:
        """The first nodes with room for a job from a time on for its estimate."""
        moments = [time, *(plan.start[other] for other in others)]
        window = [t for t in moments if time <= t < time + self.estimate[job]]
        return self.choose(c, job, self.free(plan, c, window, others))

    # what is done with it

    def update(self, plan: Plan, c: int) -> None:
        """Start each job of a cluster as early as their order allows."""
        placed = list(plan.running[c])
        earliest = self.now
        for job in plan.order[c]:
            times = [earliest, *(t for t in self.ends(placed, plan.start) if t > earliest)]
            earliest = next(
                t
                for t in times
                if self.fits(c, job, t, placed, plan.start)
                and (not self.by_node or self.nodes_now(plan, c, job, t, placed))
            )
            if self.by_node:
                plan.nodes[job] = self.nodes_now(plan, c, job, earliest, placed)
            plan.start[job] = earliest
            placed.append(job)

    def insert(self, job: int) -> None:
        """Plan a new job at the earliest gap of all clusters, of equal ones in the first."""
        gaps = []
        for c in range(len(self.machine.clusters)):
            if self.suits(c, job):
                others = [*self.plan.running[c], *self.plan.order[c]]
                times = [self.now, *self.ends(others, self.plan.start)]
                start = next(
                    t
                    for t in times
                    if self.fits(c, job, t, others, self.plan.start)
                    and (not self.by_node or self.nodes_for_long(self.plan, c, job, t, others))
                )
                gaps.append((start, c))
        start, c = min(gaps)
        others = [*self.plan.running[c], *self.plan.order[c]]
        if self.by_node:
            self.plan.nodes[job] = self.nodes_for_long(self.plan, c, job, start, others)
        self.plan.start[job] = start
        order = self.plan.order[c]
        place = sum(self.plan.start[other] <= start for other in order)
        order.insert(place, job)

    # queues and fair share

    def plan_queues(self, arriving: list[int], is_stale: bool) -> None:
        """Plan waiting jobs, by queue, then by what users have used, then by submission.

        Who stands in front of the first change of the order keeps his plan, unless something ended
        before it was expected to. By node that matters: in a plan from nothing someone who has
        begun on what a job leaves free of its nodes would be in its way.
        """
        waiting = self.plan.waiting()
        before = [job for job in self.by_queue if job in waiting] + arriving
        self.by_queue = self.fair_order(before)
        changed = [a != b for a, b in zip(before, self.by_queue, strict=True)]
        first = 0 if is_stale else [*changed, True].index(True)
        kept = set(self.by_queue[:first]) - set(arriving)
        for order in self.plan.order:
            order[:] = [job for job in order if job in kept]
        for job in self.by_queue:
            if job not in kept:
                self.insert(job)

    def fair_order(self, jobs: list[int]) -> list[int]:
        """Jobs by queue, then by what their users have used, then by coming."""
        used = {user: round(1000 * self.used(user)) for user in set(self.user)}
        return sorted(
            jobs, key=lambda job: (self.queue[job], used[self.user[job]], self.submit[job], job)
        )

    def used(self, user: int) -> Fraction:
        """Processor seconds that a user has had, halved at every multiple of the half-life."""
        half_life, total = self.settings.half_life, Fraction(0)
        for job in self.ended.union(*self.plan.running):
            if self.user[job] == user:
                begin = self.plan.start[job]
                end = self.end(job) if job in self.ended else self.now
                for part in range(begin // half_life, end // half_life + 1):
                    seconds = min(end, (part + 1) * half_life) - max(begin, part * half_life)
                    total += self.rate[job] * seconds / 2 ** (self.now // half_life - part)
        return total

    # marks

    def mark_and_start(self, arriving: list[int]) -> None:
        """Start each waiting job that has room, in order; one that has none marks what suits it."""
        marked = [[(0, 0)] * len(self.nodes_of(c)) for c in range(len(self.machine.clusters))]
        self.by_queue = self.fair_order([*self.by_queue, *arriving])
        for job in list(self.by_queue):
            clusters = [c for c in range(len(marked)) if self.may_mark(c, job)]
            for c in clusters:
                nodes = self.choose(c, job, self.unmarked(c, marked[c])) if self.by_node else []
                if nodes is not None and self.is_room(c, job, marked[c]):
                    self.by_queue.remove(job)
                    self.plan.order[c].append(job)
                    self.plan.start[job], self.plan.nodes[job] = self.now, nodes
                    break
            else:
                for c in clusters:
                    marked[c] = [self.plus(c, job, mark) for mark in marked[c]]

    def nodes_of(self, c: int) -> list[int]:
        """The nodes of a cluster; one, where it is not planned by node."""
        return list(range(self.machine.clusters[c].nodes if self.by_node else 1))

    def may_mark(self, c: int, job: int) -> bool:
        here = [*self.plan.running[c], *self.plan.order[c]]
        narrow = [other for other in here if self.user[other] == self.user[job]]
        long = [other for other in here if self.is_long(other)]
        limits, cpus = self.settings.limits, self.machine.clusters[c].processors
        of_user = sum(self.procs[other] for other in narrow) + self.procs[job]
        of_long = sum(self.procs[other] for other in long) + self.procs[job]
        return (
            self.suits(c, job)
            and (limits.user is None or limits.user >= cpus or of_user <= limits.user)
            and (
                not self.is_long(job)
                or limits.long_most(cpus) == cpus
                or of_long <= limits.long_most(cpus)
            )
        )

    def is_room(self, c: int, job: int, marked: list[tuple[int, int]]) -> bool:
        here = [*self.plan.running[c], *self.plan.order[c]]
        held = sum(self.procs[other] for other in here) + marked[0][0]
        free = self.machine.clusters[c].processors - held
        return self.by_node or free >= self.procs[job]

    def unmarked(self, c: int, marked: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """What of each node is neither used nor marked, processors and memory."""
        here = [*self.plan.running[c], *self.plan.order[c]]
        free = self.free(self.plan, c, [self.now], here)
        return [
            (max(cpus - mark[0], 0), max(ram - mark[1], 0))
            for (cpus, ram), mark in zip(free, marked, strict=True)
        ]

    def plus(self, c: int, job: int, mark: tuple[int, int]) -> tuple[int, int]:
        """Add the mark of a job to one on a node: what all its nodes need, or the whole node."""
        if not self.by_node:
            return mark[0] + self.procs[job], 0
        nodes, _, _, whole, ram = self.spread[job][c]
        cpus, size = self.empty(c) if whole else (self.procs[job], nodes * ram)
        return mark[0] + cpus, mark[1] + size

    def cycle(self) -> None:
        self.now, begun = self.next_time(), len(self.cluster)
        self.handle()
        if self.settings.cycle and len(self.cluster) > begun:
            self.poll = self.now + self.settings.cycle[1]

    def handle(self) -> None:
        """What has happened since the last cycle, and what follows."""
        stale, ended = set(), len(self.ended)
        for c, running in enumerate(self.plan.running):
            for job in [job for job in running if self.end(job) <= self.now]:
                running.remove(job)
                self.ended.add(job)
                if self.plan.start[job] + self.estimate[job] > self.now:
                    stale.add(c)
        arriving = [job for job in self.pending if self.submit[job] <= self.now]
        arriving.sort(key=lambda job: (self.submit[job], job))
        self.pending = [job for job in self.pending if job not in arriving]
        if self.settings.cycle:
            stale = set(range(len(self.plan.order)))
        if self.settings.scheduler == "orig-bf":
            if arriving or len(self.ended) > ended or self.settings.cycle:
                if self.settings.marks:
                    self.mark_and_start(arriving)
                else:
                    self.plan_queues(arriving, bool(stale))
            self.start_due()
            return
        for c in stale:
            self.update(self.plan, c)
        for job in arriving:
            self.insert(job)
            before = dict(self.plan.start)
            self.update(self.plan, self.plan.where(job))
            assert self.by_node or self.plan.start == before, (
                "an update after an earliest gap moves nothing"
            )
        self.start_due()
        search = self.settings.search
        if search.iterations and (
            self.searched is None or self.now - self.searched >= search.every
        ):
            self.searched = self.now
            self.search_plan(mix(mix(self.key) + self.searches))
            self.start_due()

    def end(self, job: int) -> int:
        return self.plan.start[job] + self.runtime[job]

    def next_time(self) -> int:
        times = [self.end(job) for running in self.plan.running for job in running]
        times += [self.submit[job] for job in self.pending]
        times += [self.plan.start[job] for job in self.plan.waiting()]
        if self.settings.search.timed and self.plan.waiting() and self.searched is not None:
            times.append(self.searched + self.settings.search.every)
        return self.seen_at(min(times))

    def seen_at(self, time: int) -> int:
        """At which cycle the scheduler handles what happens at a time."""
        if self.settings.cycle:
            cycle = self.poll
            while cycle < time:
                cycle += self.settings.cycle[0]
            return cycle
        return time

    def start_due(self) -> None:
        """Start every job whose planned start is now."""
        for c, order in enumerate(self.plan.order):
            for job in [job for job in order if self.plan.start[job] == self.now]:
                order.remove(job)
                self.plan.running[c].add(job)
                self.cluster[job] = c

    def run(self) -> None:
        while not self.is_done():
            self.cycle()

    def is_done(self) -> bool:
        return not (self.pending or self.plan.waiting() or any(self.plan.running))

    # search

    def criteria(self, plan: Plan) -> tuple[Fraction, ...]:
        """Mean wait, mean slowdown, unfairness and mean response of a plan."""
        waiting = plan.waiting()
        wait = [plan.start[job] - self.submit[job] for job in waiting]
        estimates = sum(self.estimate[job] for job in waiting)
        normalised = self.normalised(plan)
        mean = sum(normalised.values()) / len(normalised)
        return (
            Fraction(sum(wait), len(waiting)),
            sum(self.slowdown(plan, job) for job in waiting) / len(waiting),
            sum((1 + mean - x) ** 2 for x in normalised.values()),
            Fraction(sum(wait) + estimates, len(waiting)),
        )

    def normalised(self, plan: Plan) -> dict[int, Fraction]:
        found = {}
        for user in {self.user[job] for job in plan.start}:
            jobs = [job for job in plan.start if self.user[job] == user]
            usage = sum(
                self.rate[j] * (self.runtime[j] if j in self.ended else self.estimate[j])
                for j in jobs
            )
            wait = sum(plan.start[job] - self.submit[job] for job in jobs)
            found[user] = wait / max(Fraction(1), usage)
        return found

    def shares(self, plan: Plan, base: Criteria) -> dict[int, Fraction]:
        """Which part of the weighted criteria is each planned job's."""
        search, waiting = self.settings.search, plan.waiting()
        normalised, found = self.normalised(plan), {}
        mean = sum(normalised.values()) / len(normalised)
        wait = {job: plan.start[job] - self.submit[job] for job in plan.start}
        total = sum(map(Fraction, search.weights)) or 1
        for job in waiting:
            user = self.user[job]
            of_user = sum(wait[other] for other in wait if self.user[other] == user)
            own = (
                Fraction(wait[job], len(waiting)),
                self.slowdown(plan, job) / len(waiting),
                (1 + mean - normalised[user]) ** 2 * Fraction(wait[job], of_user or 1),
                Fraction(wait[job] + self.estimate[job], len(waiting)),
            )
            parts = [value / max(of, TINY) for value, of in zip(own, base, strict=True)]
            found[job] = min(weighted(search.weights, parts) / total, Fraction(MOST_SHARE))
        return found

    def slowdown(self, plan: Plan, job: int) -> Fraction:
        """Bounded slowdown of a job by its planned start and its estimate."""
        response = plan.start[job] - self.submit[job] + self.estimate[job]
        pace = max(Fraction(self.estimate[job]), Fraction(self.settings.search.tau))
        return max(Fraction(1), response / pace)

    def search_plan(self, state: int) -> None:
        """One job after the other to a random place, and to what the rule makes of it."""
        if not self.plan.waiting():
            return
        search, numbers = self.settings.search, Stream(state)
        self.searches += 1
        rule = RULES[search.rule](
            self.plan, self.criteria(self.plan), search, len(self.plan.waiting())
        )
        turn = CHOICES[search.choose](numbers)
        for iteration in range(search.iterations):
            rule.step(iteration)
            if search.scope == "cluster":
                self.sweep(rule, numbers, iteration)
                continue
            job = turn.next(rule.plan.waiting(), partial(self.shares, rule.plan, rule.base()))
            for gain, made in self.tries(rule.plan, rule, numbers, job):
                if rule.take(numbers, job, gain, made):
                    break
            else:
                if (out := rule.pause(iteration)) is None:
                    continue
                gain, job, made = out
            rule.make(job, made)
            self.moves.append((self.now, iteration, *made[2]))
            if gain > LEAST:
                turn.again()
        self.plan = rule.best()[0]

    def sweep(self, rule: First, numbers: Stream, iteration: int) -> None:
        """One job of each cluster with four or more to behind another that runs or is planned."""
        for c in range(len(self.machine.clusters)):
            order = rule.plan.order[c]
            if len(order) < 4:
                continue
            origin = numbers.below(len(order))
            others = [*sorted(rule.plan.running[c]), *order[:origin], *order[origin + 1 :]]
            front = others.index(order[origin - 1]) if origin else len(rule.plan.running[c]) - 1
            while (drawn := numbers.below(len(others))) == front:
                pass
            place = max(drawn + 1 - len(rule.plan.running[c]), 0)
            if place == origin:
                continue
            gain, made = self.tried(rule.plan, rule, order[origin], c, place)
            if rule.take(numbers, order[origin], gain, made):
                rule.make(order[origin], made)
                self.moves.append((self.now, iteration, *made[2]))

    def tries(
        self, plan: Plan, rule: First, numbers: Stream, job: int
    ) -> Iterator[tuple[Fraction, tuple]]:
        """A position on one cluster after the other for a job: its gain, and the resulting plan."""
        origin = plan.where(job)
        clusters = [c for c in range(len(self.machine.clusters)) if self.suits(c, job)]
        while clusters:
            target = clusters.pop(numbers.below(len(clusters)))
            place = numbers.below(len(plan.order[target]) + (target != origin))
            if target != origin or plan.order[origin].index(job) != place:
                yield self.tried(plan, rule, job, target, place)

    def tried(
        self, plan: Plan, rule: First, job: int, target: int, place: int
    ) -> tuple[Fraction, tuple]:
        """The gain of a move, and the resulting plan."""
        tried, origin = plan.copy(), plan.where(job)
        tried.order[origin].remove(job)
        tried.order[target].insert(place, job)
        if target != origin:
            tried.nodes.pop(job, None)
        self.update(tried, origin)
        self.update(tried, target)
        criteria = self.criteria(tried)
        parts = changes(rule.criteria, criteria, rule.base())
        gain = weighted(self.settings.search.weights, parts)
        return gain, (tried, criteria, (job, origin, target, place, *parts, gain))

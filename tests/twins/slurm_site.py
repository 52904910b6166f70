"""The twin of the kernel of a site's Slurm, written to be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from schedlab.core.slurm_site import OF_PARENT
from schedlab.queue.site_problem import FOREVER

if TYPE_CHECKING:
    from schedlab.queue.site_problem import SiteProblem
    from schedlab.queue.slurm_site import Phases

HALF_MINUTE, MOST_TOGETHER = 30, 200
NO_MEMORY, PER_NODE, PER_CPU, ALL_MEMORY = range(4)
LN2 = 0.693


@dataclass
class Node:
    cpus: int
    memory: int
    gres: list[int]
    weight: int
    free_cpus: int = 0
    free_memory: int = 0
    free_gres: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.free_cpus, self.free_memory, self.free_gres = self.cpus, self.memory, list(self.gres)


@dataclass(frozen=True)
class Asked:
    """A class of equal requests."""

    partition: int
    nodes: int
    most_nodes: int
    cpus: int
    per_task: int
    memory: int
    mode: int
    exclusive: bool
    gres: tuple[int, ...]
    static: frozenset[int]

    def offer(self, node: Node) -> int:
        """Processors that a node can give now; 0 if it cannot serve the request."""
        if self.exclusive and node.free_cpus < node.cpus:
            return 0
        if any(free < wanted for free, wanted in zip(node.free_gres, self.gres, strict=True)):
            return 0
        cpus = node.free_cpus
        if self.mode == PER_CPU:
            cpus = min(cpus, node.free_memory // self.memory)
        elif self.mode == PER_NODE and node.free_memory < self.memory:
            return 0
        elif self.mode == ALL_MEMORY and node.free_memory < node.memory:
            return 0
        return max(cpus - cpus % self.per_task, 0)

    def takes(self, node: Node, cpus: int) -> tuple[int, int, list[int]]:
        """Processors, memory and gres that a job occupies of a node where it got processors."""
        if self.exclusive:
            cpus = node.cpus
        memory = {
            NO_MEMORY: 0,
            PER_NODE: self.memory,
            PER_CPU: min(self.memory * cpus, node.free_memory),
            ALL_MEMORY: node.memory,
        }[self.mode]
        return cpus, memory, list(node.gres) if self.exclusive else list(self.gres)


def choose(asked: Asked, nodes: list[Node], usable: set[int]) -> dict[int, int] | None:
    """Choose processors on nodes, as they are free now; None if they do not suffice.

    If a choice fails, nodes with few processors are left out, until only enough nodes are left.
    """
    offers = {place: cpus for place in sorted(usable) if (cpus := asked.offer(nodes[place]))}
    if len(offers) < asked.nodes:
        return None
    chosen = pick(asked, nodes, offers)
    for few in range(1, max(offers.values(), default=0) + 1):
        if chosen is not None or len(offers) <= asked.nodes:
            return chosen
        before = len(offers)
        for place in list(offers):
            if offers[place] <= few and len(offers) > asked.nodes:
                del offers[place]
        if len(offers) < before:
            chosen = pick(asked, nodes, offers)
    return chosen


def runs_of(nodes: list[Node], offers: dict[int, int]) -> list[list[int]]:
    """Return stretches of neighboring nodes of equal weight."""
    keyed = enumerate(sorted(offers))
    grouped = groupby(keyed, key=lambda pair: (pair[1] - pair[0], nodes[pair[1]].weight))
    return [[place for _, place in run] for _, run in grouped]


def pick(asked: Asked, nodes: list[Node], offers: dict[int, int]) -> dict[int, int] | None:
    """Choose among nodes that offer processors: run after run, the lightest first.

    Among equally light runs the smallest sufficient, else the largest is next. If one node is
    wanted and the run has one that suffices, it is the one with the fewest processors.
    """
    left, need, taken = dict(offers), asked.cpus, dict[int, int]()
    while left and len(taken) < asked.most_nodes:
        wanted = max(asked.nodes - len(taken), 0)
        best, best_key = None, None
        for run in runs_of(nodes, left):
            cpus = sum(left[place] for place in run)
            enough = cpus >= need and len(run) >= wanted
            key = (nodes[run[0]].weight, not enough, cpus if enough else -cpus)
            if best_key is None or key < best_key:
                best, best_key = run, key
        alone = [place for place in best if left[place] >= need]
        if wanted <= 1 and not best_key[1] and alone:
            best = [min(alone, key=lambda place: left[place])]
        for place in best:
            cpus = left.pop(place)
            if len(taken) == asked.most_nodes - 1 and cpus < need:
                continue
            later = max(asked.nodes - len(taken) - 1, 0)
            taken[place] = max(min(cpus, need - later), 1)
            need -= taken[place]
            if len(taken) == asked.most_nodes or (need <= 0 and len(taken) >= asked.nodes):
                break
        if need <= 0 and len(taken) >= asked.nodes:
            return taken
    return None


@dataclass
class Slot:
    """A stretch of time of a plan with the nodes that nobody has reserved."""

    begin: int
    end: int
    nodes: frozenset[int]


class Decision(NamedTuple):
    """What a backfill pass does with a pair: "start", "plan" or "" (neither)."""

    pair: int
    kind: str
    start: int = -1
    nodes: frozenset[int] = frozenset()


class Controller:
    def __init__(self, problem: SiteProblem, phases: Phases) -> None:
        self.problem, self.phases = problem, phases
        site = problem.site
        self.scheduling, self.priorities = site.scheduling, site.priorities
        self.kill_wait = site.kill_wait
        columns = (problem.cpus, problem.memory, problem.gres, problem.weight)
        self.nodes = [
            Node(*row) for row in zip(*(column.tolist() for column in columns), strict=True)
        ]
        self.changed = -(10**9)
        self.idle_since: int | None = None
        self.up = {place for place, up in enumerate(problem.up.tolist()) if up}
        self.members = [set(row.nonzero()[0].tolist()) for row in problem.members]
        self.asked = [
            Asked(*numbers, tuple(gres), frozenset(static.nonzero()[0].tolist()))
            for numbers, gres, static in zip(
                problem.numbers.tolist(), problem.class_gres.tolist(), problem.static, strict=True
            )
        ]
        self.possible = [
            choose(asked, self.nodes, set(asked.static)) is not None for asked in self.asked
        ]
        self.jobs = len(problem.submit)
        self.pair_of = problem.pair_of.tolist()
        self.pair_job = [
            job for job in range(self.jobs) for _ in range(self.pair_of[job], self.pair_of[job + 1])
        ]
        self.limit, self.holds = problem.limit.tolist(), problem.holds.tolist()
        self.start = [-1] * self.jobs
        self.ran_in = [-1] * self.jobs
        self.on: list[dict[int, tuple[int, int, list[int]]]] = [{} for _ in range(self.jobs)]
        self.ended = [False] * self.jobs
        self.running: list[int] = []
        self.waiting: list[int] = []
        self.accrue = [-1] * self.jobs
        self.priority = [0] * len(self.pair_job)
        self.used = [0] * problem.counters
        #: pairs that a limit stopped when a scheduler last looked at them
        self.limited: set[int] = set()
        self.usage = problem.usage.tolist()
        self.factor = self.fair_tree()
        self.last = 0
        self.billed = [0.0] * self.jobs

    # -- nodes ---------------------------------------------------------------------------------

    def occupy(self, job: int) -> None:
        for place, (cpus, memory, gres) in self.on[job].items():
            node = self.nodes[place]
            node.free_cpus -= cpus
            node.free_memory -= memory
            node.free_gres = [a - b for a, b in zip(node.free_gres, gres, strict=True)]

    def release(self, job: int) -> None:
        for place, (cpus, memory, gres) in self.on[job].items():
            node = self.nodes[place]
            node.free_cpus += cpus
            node.free_memory += memory
            node.free_gres = [a + b for a, b in zip(node.free_gres, gres, strict=True)]

    def take(self, pair: int, where: dict[int, int], now: int) -> None:
        """Start a job on chosen processors."""
        job, asked = self.pair_job[pair], self.asked[self.problem.pair_class[pair]]
        self.on[job] = {
            place: asked.takes(self.nodes[place], cpus) for place, cpus in where.items()
        }
        self.occupy(job)
        self.start[job], self.ran_in[job] = now, pair
        self.running.append(job)
        for counter, amount in self.rows("addition", pair):
            self.used[counter] += self.amounts(job)[amount]
        self.billed[job] = self.billing(pair)

    def change(self, now: int) -> None:
        """Apply the changes of nodes up to a time."""
        for (time, takes), nodes in zip(
            self.problem.change_times.tolist(), self.problem.change_nodes, strict=True
        ):
            if self.changed < time <= now:
                places = set(nodes.nonzero()[0].tolist())
                self.up = self.up | places if takes > 0 else self.up - places
        self.changed = now

    def put(self, pair: int, where: dict[int, int], start: int) -> None:
        """Let a job run since `start` on given processors."""
        self.take(pair, where, start)

    def spread(self, pair: int, places: frozenset[int], cpus: int) -> dict[int, int]:
        """Return how a job's processors are spread over its nodes, as far as a choice tells."""
        asked = self.asked[self.problem.pair_class[pair]]
        if asked.exclusive:
            return {place: self.nodes[place].cpus for place in places}
        if len(places) == 1:
            return dict.fromkeys(places, cpus)
        offers = {place: asked.offer(self.nodes[place]) for place in sorted(places)}
        chosen = pick(asked, self.nodes, {place: cpus for place, cpus in offers.items() if cpus})
        if chosen is None or chosen.keys() != places:
            chosen = dict.fromkeys(places, cpus // len(places))
        return chosen

    def amounts(self, job: int) -> list[int]:
        """Amounts of a running job: jobs, processors, memory, nodes, gres."""
        rows = list(self.on[job].values())
        gres = [sum(column) for column in zip(*(row[2] for row in rows), strict=True)]
        return [1, sum(row[0] for row in rows), sum(row[1] for row in rows), len(rows), *gres]

    def billing(self, pair: int) -> float:
        """Billing of a running job per second."""
        weights = self.problem.billing[self.problem.pair_partition[pair]].tolist()
        parts = [
            weight * amount
            for weight, amount in zip(weights, self.amounts(self.pair_job[pair]), strict=True)
        ]
        if "MAX_TRES" in self.priorities.flags:
            return max(parts)
        return sum(parts)

    def rows(self, name: str, pair: int) -> list[list[int]]:
        """Checks or additions of a pair's group of limits."""
        group = self.problem.pair_group[pair]
        first, last = getattr(self.problem, f"{name}_of")[group : group + 2]
        return getattr(self.problem, f"{name}s")[first:last].tolist()

    # -- limits --------------------------------------------------------------------------------

    def blocked_early(self, pair: int) -> bool:
        """Whether a limit that is known before nodes are chosen forbids a start."""
        stops = any(
            self.used[counter] + 1 > most
            for counter, _, most, early in self.rows("check", pair)
            if early
        )
        return self.note(pair, stops)

    def note(self, pair: int, stops: bool) -> bool:
        (self.limited.add if stops else self.limited.discard)(pair)
        return stops

    def requested(self, pair: int) -> list[int]:
        """Amounts that a job asks for, as far as they are known before nodes are chosen."""
        asked = self.asked[self.problem.pair_class[pair]]
        memory = {PER_NODE: asked.memory * asked.nodes, PER_CPU: asked.memory * asked.cpus}
        gres = [count * asked.nodes for count in asked.gres]
        return [1, asked.cpus, memory.get(asked.mode, 0), asked.nodes, *gres]

    def blocked(self, pair: int, where: dict[int, int]) -> bool:
        """Whether a limit forbids a start on chosen processors."""
        asked = self.asked[self.problem.pair_class[pair]]
        rows = [asked.takes(self.nodes[place], cpus) for place, cpus in where.items()]
        gres = [sum(column) for column in zip(*(row[2] for row in rows), strict=True)]
        amounts = [1, sum(row[0] for row in rows), sum(row[1] for row in rows), len(rows), *gres]
        return self.exceeds(pair, amounts)

    def exceeds(self, pair: int, amounts: list[int]) -> bool:
        stops = any(
            self.used[counter] + amounts[amount] > most
            for counter, amount, most, _ in self.rows("check", pair)
            if amount >= 0
        )
        return self.note(pair, stops)

    # -- priority ------------------------------------------------------------------------------

    def fair_tree(self) -> list[float]:
        """Factor of each association: its rank among users, from the top."""
        problem = self.problem
        parent, shares = problem.parent.tolist(), problem.shares.tolist()
        is_user = problem.is_user.tolist()
        children: dict[int, list[int]] = {}
        for place, above in enumerate(parent):
            children.setdefault(above, []).append(place)
        users = sum(map(bool, is_user))
        factor, rank, count = [0.0] * len(parent), users, users

        def level(place: int, siblings: list[int]) -> float:
            if shares[place] == OF_PARENT:
                return float("inf")
            if shares[place] == 0:
                return 0.0
            every = sum(shares[other] for other in siblings if shares[other] != OF_PARENT)
            above = parent[place]
            whole = self.usage[above] if above >= 0 else 0.0
            used = self.usage[place] / whole if whole > 0 else 0.0
            return shares[place] / every / used if used > 0 else float("inf")

        def walk(above: int, tied: bool) -> None:
            nonlocal rank, count
            siblings = children.get(above, [])
            levels = {place: level(place, siblings) for place in siblings}
            ordered = sorted(siblings, key=lambda place: (-levels[place], not is_user[place]))
            before = None
            for place in ordered:
                same = tied if before is None else levels[place] == levels[before]
                before = place
                if is_user[place]:
                    if not same:
                        rank = count
                    factor[place] = rank / users
                    count -= 1
                else:
                    walk(place, same)

        walk(0, False)
        return factor

    def age_usage(self, now: int) -> None:
        """Let usage decay and add what running jobs have used since the last time."""
        f = 1 - LN2 / self.priorities.half_life if self.priorities.half_life else 1.0
        past = now - self.last
        self.usage = [each * f**past for each in self.usage]
        for job in self.running:
            seconds = now - max(self.last, self.start[job])
            self.charge(job, seconds, f)
        self.last = now

    def charge(self, job: int, seconds: int, f: float) -> None:
        used = self.billed[job] * seconds * f**seconds
        place = int(self.problem.association[job])
        while place >= 0:
            self.usage[place] += used
            place = int(self.problem.parent[place])

    def priority_of(self, pair: int, now: int) -> int:
        weights, job = self.priorities, self.pair_job[pair]
        age = min(now - self.accrue[job], weights.max_age)
        value = self.problem.points[pair]
        if weights.multifactor:
            value += weights.age * age / weights.max_age if weights.max_age else 0.0
            value += weights.fairshare * self.factor[self.problem.association[job]]
            value = max(value, 1.0)
        return int(value)

    def recalculate(self, now: int) -> None:
        self.age_usage(now)
        self.factor = self.fair_tree()
        for pair in self.waiting:
            self.priority[pair] = self.priority_of(pair, now)
        self.sort()

    def sort(self) -> None:
        tier, reservation = self.problem.tier, self.problem.reservation
        self.waiting.sort(
            key=lambda pair: (
                reservation[self.pair_job[pair]] < 0,
                -int(tier[self.problem.pair_partition[pair]]),
                -self.priority[pair],
                pair,
            )
        )

    # -- main scheduler ------------------------------------------------------------------------

    def main_pass(self, now: int, depth: int) -> None:
        """Try pairs in order; one that does not fit closes its partition and the nodes of it."""
        failed: set[int] = set()
        avail = set(self.up)
        looked = 0
        for pair in list(self.waiting):
            if looked >= depth:
                return
            looked += 1
            job, partition = self.pair_job[pair], int(self.problem.pair_partition[pair])
            if self.start[job] >= 0 or partition in failed or self.blocked_early(pair):
                continue
            outcome = self.try_now(pair, avail, now)
            if outcome == "fails" and self.closes(job):
                failed.add(partition)
                avail -= self.members[partition]

    def closes(self, job: int) -> bool:
        """Whether a job that does not fit closes its partition: not in an advance reservation."""
        return bool(self.problem.reservation[job] < 0)

    def try_now(self, pair: int, avail: set[int], now: int) -> str:
        """Start a pair now if it can; "fails" if it closes its partition."""
        kind = self.problem.pair_class[pair]
        if not self.possible[kind] or self.exceeds(pair, self.requested(pair)):
            return "skipped"
        usable = set(self.asked[kind].static) & avail
        usable -= self.barred(self.pair_job[pair], now, now)[0]
        where = choose(self.asked[kind], self.nodes, usable)
        if where is None:
            return "fails"
        if self.blocked(pair, where):
            return "skipped"
        self.begin(pair, where, now)
        return "started"

    def begin(self, pair: int, where: dict[int, int], now: int) -> None:
        self.take(pair, where, now)
        job = self.pair_job[pair]
        self.waiting = [other for other in self.waiting if self.pair_job[other] != job]

    # -- backfill ------------------------------------------------------------------------------

    def floor(self, time: int) -> int:
        time += self.phases.clock
        return time - time % self.scheduling.bf_resolution - self.phases.clock

    def backfill_pass(self, now: int, pairs: list[int], nows: list[int] | None = None) -> list:
        """Plan pairs in order around those before them; start those that can start now."""
        rules = self.scheduling
        everything = frozenset(range(len(self.nodes)))
        slots = [Slot(self.floor(now), self.floor(now + rules.bf_window), everything)]
        decisions, tested, started = [], 0, 0
        counts: dict[tuple[str, int, int], int] = {}
        reserved: dict[int, int] = {}
        rejected: set[tuple[int, int]] = set()
        for nth, pair in enumerate(pairs):
            now = nows[nth] if nows else now
            job = self.pair_job[pair]
            if self.start[job] >= 0 or self.blocked_early(pair):
                continue
            if not self.counted(pair, counts) or not self.array_goes_on(pair, reserved, rejected):
                continue
            if rules.bf_max_job_test and tested >= rules.bf_max_job_test:
                break
            tested += 1
            start, where = self.place(pair, slots, now)
            if start is not None and start <= now:
                if self.blocked(pair, where):
                    decisions.append(Decision(pair, ""))
                    continue
                self.begin(pair, where, now)
                decisions.append(Decision(pair, "start", now, frozenset(where)))
                started += 1
                if rules.bf_max_job_start and started >= rules.bf_max_job_start:
                    break
                continue
            if start is None or start > now + rules.bf_window or self.blocked(pair, where):
                decisions.append(Decision(pair, ""))
                rejected.add((int(self.problem.array[job]), int(self.problem.pair_partition[pair])))
                continue
            decisions.append(Decision(pair, "plan", start, frozenset(where)))
            if self.withheld(pair, now, decisions, slots):
                continue
            self.reserve(slots, start, job, frozenset(where))
            reserved[int(self.problem.array[job])] = (
                reserved.get(int(self.problem.array[job]), 0) + 1
            )
            if len(slots) >= (rules.bf_node_space_size or rules.bf_max_job_test or 10**9):
                break
        return decisions

    def counted(self, pair: int, counts: dict[tuple[str, int, int], int]) -> bool:
        """Count a pair of a user, partition, association; False if there were too many."""
        rules, problem, job = self.scheduling, self.problem, self.pair_job[pair]
        user, partition = int(problem.user[job]), int(problem.pair_partition[pair])
        for name, most, key in (
            ("part", rules.bf_max_job_part, (partition, 0)),
            ("user", rules.bf_max_job_user, (user, 0)),
            ("user_part", rules.bf_max_job_user_part, (user, partition)),
            ("assoc", rules.bf_max_job_assoc, (int(problem.association[job]), 0)),
        ):
            if most and counts.get((name, *key), 0) >= most:
                return False
            counts[name, *key] = counts.get((name, *key), 0) + 1
        return True

    def array_goes_on(
        self, pair: int, reserved: dict[int, int], rejected: set[tuple[int, int]]
    ) -> bool:
        """Whether a task of an array is looked at: not after enough, or a rejected one."""
        array = int(self.problem.array[self.pair_job[pair]])
        if array < 0:
            return True
        if (array, int(self.problem.pair_partition[pair])) in rejected:
            return False
        return reserved.get(array, 0) < self.scheduling.bf_max_job_array_resv

    def withheld(self, pair: int, now: int, decisions: list, slots: list[Slot]) -> bool:
        """Whether a pair that cannot start now gets no reservation."""
        rules, job = self.scheduling, self.pair_job[pair]
        others = [each for each in decisions[:-1] if self.pair_job[each.pair] == job]
        partition = self.problem.pair_partition[pair]
        of_partition = [
            each
            for each in decisions[:-1]
            if each.kind == "plan" and self.problem.pair_partition[each.pair] == partition
        ]
        return bool(
            now - self.accrue[job] < rules.bf_min_age_reserve
            or self.priority[pair] < rules.bf_min_prio_reserve
            or (rules.bf_one_resv_per_job and any(each.kind == "plan" for each in others))
            or (
                rules.bf_job_part_count_reserve
                and len(of_partition) >= rules.bf_job_part_count_reserve
            )
        )

    def place(self, pair: int, slots: list[Slot], now: int) -> tuple[int | None, dict[int, int]]:
        """When and where a pair is to start around the reservations; None: not known."""
        job, asked = self.pair_job[pair], self.asked[self.problem.pair_class[pair]]
        limit, members = self.limit[job], self.members[asked.partition] & self.up
        at = now
        while True:
            barred, resumes = self.barred(job, at, now)
            usable, wide, later = set(asked.static) & self.up - barred, set(members), None
            for slot, following in zip(slots, [*slots[1:], None], strict=True):
                if slot.end <= at:
                    continue
                if later is None and following is not None:
                    if (following.nodes & members) - (slot.nodes & wide):
                        later = slot.end
                if slot.begin > at + limit:
                    break
                usable &= slot.nodes
                wide &= slot.nodes
            if resumes is not None and (later is None or resumes < later):
                later = resumes
            start, where = None, {}
            if len(usable) >= asked.nodes:
                start, where = self.predict(asked, usable, now)
            if start is None or (later is not None and max(start, at) > later):
                if later is None:
                    return None, {}
                at = later
                continue
            start = max(start, at)
            if start > at and self.overlaps(slots, start, job, frozenset(where)):
                at = start
                continue
            return start, where

    def barred(self, job: int, at: int, now: int) -> tuple[set[int], int | None]:
        """Nodes that advance reservations keep from a job that starts at a time, and until when."""
        problem = self.problem
        own, barred, resumes = int(problem.reservation[job]), set[int](), None
        for k, (known, begin, end, maintenance) in enumerate(problem.reserved_times.tolist()):
            nodes = set(problem.reserved_nodes[k].nonzero()[0].tolist())
            if k == own:
                barred |= set(range(len(self.nodes))) - nodes
                if at < begin or at >= end:
                    barred |= nodes
                    if at < begin:
                        resumes = begin
            elif known <= now and begin < at + self.limit[job] and end > at:
                barred |= nodes
                until = end
                if not maintenance:
                    until = self.floor(end + self.scheduling.bf_resolution) + 1
                resumes = until if resumes is None else min(resumes, until)
        return barred, resumes

    def overlaps(self, slots: list[Slot], start: int, job: int, nodes: frozenset[int]) -> bool:
        begin, end = self.floor(start), self.floor(start + self.limit[job])
        return any(
            slot.begin < end and slot.end > begin and not nodes <= slot.nodes for slot in slots
        )

    def reserve(self, slots: list[Slot], start: int, job: int, nodes: frozenset[int]) -> None:
        """Take nodes out of the plan, and merge the first pair of equal neighbors around them."""
        begin, end = self.floor(start), self.floor(start + self.limit[job])
        if self.problem.site.version != "22.05":
            up = self.scheduling.bf_resolution
            end = max(self.floor(start + self.limit[job] + up - 1), begin + up)
        if end <= begin:
            return
        for time in (begin, end):
            for k, slot in enumerate(slots):
                if slot.begin < time < slot.end:
                    slots[k : k + 1] = [
                        Slot(slot.begin, time, slot.nodes),
                        Slot(time, slot.end, slot.nodes),
                    ]
                    break
        inside = [k for k, slot in enumerate(slots) if slot.begin < end and slot.end > begin]
        for k in inside:
            slots[k].nodes -= nodes
        if inside:
            self.merge(slots, max(inside[0] - 1, 0), min(inside[-1] + 1, len(slots) - 1))

    def merge(self, slots: list[Slot], first: int, last: int) -> None:
        """Make one slot of the first two equal neighbors between two places."""
        for k in range(first, last):
            if slots[k].nodes == slots[k + 1].nodes:
                slots[k].end = slots[k + 1].end
                del slots[k + 1]
                return

    def predict(
        self, asked: Asked, usable: set[int], now: int
    ) -> tuple[int | None, dict[int, int]]:
        """Earliest start on usable nodes if no other job starts, and running jobs reach limits.

        Running jobs leave in groups. The first group ends half a minute after the next half minute
        behind the first end; each further one twice as long after that, until it has the next end.
        """
        where = choose(asked, self.nodes, usable)
        if where is not None:
            return now, where
        ends = sorted(
            (self.start[job] + self.limit[job], k, job) for k, job in enumerate(self.running)
        )
        gone, place, first, close, until = [], 0, None, HALF_MINUTE, 0
        clock, found = self.phases.clock, (None, {})
        while True:
            last, count = None, 0
            while place < len(ends):
                end, _, job = ends[place]
                place += 1
                if usable.isdisjoint(self.on[job]):
                    continue
                if first is None:
                    first = end + HALF_MINUTE - (end + clock) % HALF_MINUTE
                    until = first + close
                last = end
                self.release(job)
                gone.append(job)
                count += 1
                if place < len(ends) and ends[place][0] > until:
                    while ends[place][0] > until:
                        close *= 2
                        until = first + close
                    break
                if count >= MOST_TOGETHER:
                    break
            if last is None:
                break
            where = choose(asked, self.nodes, usable)
            if where is not None:
                found = (max(last, now + 1) if last > now else now + self.kill_wait), where
                break
        for job in gone:
            self.occupy(job)
        return found

    # -- time ----------------------------------------------------------------------------------

    def arrive(self, job: int, now: int) -> bool:
        """Put a job into the queue; return whether nobody who shares nodes is ahead of it."""
        self.accrue[job] = now
        if "ACCRUE_ALWAYS" in self.priorities.flags:
            self.accrue[job] = int(self.problem.submit[job])
        for pair in range(self.pair_of[job], self.pair_of[job + 1]):
            self.priority[pair] = self.priority_of(pair, now)
            self.waiting.append(pair)
        self.sort()
        return True

    def is_ahead(self, pair: int) -> bool:
        """Whether a waiting pair of another job is ahead and has nodes in common."""
        partition = int(self.problem.pair_partition[pair])
        for other in self.waiting:
            if other == pair:
                return False
            if self.pair_job[other] == self.pair_job[pair] or other in self.limited:
                continue
            if self.members[int(self.problem.pair_partition[other])] & self.members[partition]:
                return True
        return False

    def simulate(self) -> list[int]:
        rules, problem = self.scheduling, self.problem
        submit, begin = problem.submit.tolist(), problem.begin.tolist()
        backfill = 0 if self.phases.passes else self.phases.backfill
        full = self.phases.main
        calc = self.phases.priority
        queued, last_loop = None, -(10**9)
        arrived, held = 0, []
        depth, everything = rules.default_queue_depth + 1, 10**9
        is_periodic = self.priorities.multifactor
        while arrived < self.jobs or self.waiting or held or self.running:
            times = [self.start[job] + self.holds[job] for job in self.running]
            if arrived < self.jobs:
                times.append(submit[arrived])
            times += [begin[job] for job in held if self.is_free(job)]
            times += [time for time, _ in problem.change_times.tolist() if time > self.changed]
            if self.waiting:
                if rules.bf_interval:
                    times.append(self.next_pass(backfill))
                if rules.sched_interval > 0:
                    times.append(full)
                if queued is not None:
                    times.append(queued)
            if is_periodic and (self.waiting or self.running):
                times.append(calc)
            if not times:
                break
            now = min(times)
            if is_periodic:
                while calc < now:
                    if calc + self.priorities.calc_period > now:
                        self.recalculate(calc)
                    calc += self.priorities.calc_period
            while self.next_pass(backfill) < now:
                backfill = self.after_pass(backfill)
            while full < now:
                full += max(rules.sched_interval, 1)
            self.change(now)
            ended = sorted(
                (job for job in self.running if self.start[job] + self.holds[job] <= now),
                key=lambda job: (self.start[job] + self.holds[job], job),
            )
            for job in ended:
                self.end(job, now)
            if is_periodic and calc == now:
                self.recalculate(now)
                calc += self.priorities.calc_period
            fresh = []
            while arrived < self.jobs and submit[arrived] <= now:
                if self.pair_of[arrived] < self.pair_of[arrived + 1]:
                    held.append(arrived)
                arrived += 1
            for job in list(held):
                if begin[job] <= now and self.is_free(job):
                    held.remove(job)
                    self.arrive(job, now)
                    fresh.append(job)
            if ended:
                self.main_pass(now, depth)
            if fresh:
                self.try_new(fresh, now)
                if queued is None and self.waiting:
                    queued = max(now + 1, last_loop + rules.batch_sched_delay)
            if queued is not None and queued <= now:
                self.main_pass(now, depth)
                queued, last_loop = None, now
            if full == now:
                if rules.sched_interval > 0 and self.waiting:
                    self.main_pass(now, everything)
                full += max(rules.sched_interval, 1)
            if self.next_pass(backfill) == now:
                if rules.bf_interval and self.waiting:
                    self.backfill_pass(now, list(self.waiting))
                backfill = self.after_pass(backfill)
            if self.is_stuck(now, arrived, held, begin):
                break
        return self.start

    def next_pass(self, backfill: int) -> int:
        """When the next backfill pass is: a time, or a place among recorded times."""
        times = self.phases.passes
        if not times:
            return backfill
        return times[backfill] if backfill < len(times) else 2**62

    def after_pass(self, backfill: int) -> int:
        return backfill + (1 if self.phases.passes else max(self.scheduling.bf_interval, 1))

    def is_stuck(self, now: int, arrived: int, held: list[int], begin: list[int]) -> bool:
        """Whether nothing can happen any more: waiting jobs that no pass of an idle machine starts."""
        idle = not self.running and arrived == self.jobs
        times = [int(end) for _, _, end, _ in self.problem.reserved_times]
        times += [time for time, _ in self.problem.change_times.tolist()]
        times += [begin[job] for job in held] + list(self.phases.passes)
        if not idle or any(now < time < FOREVER for time in times):
            self.idle_since = None
        elif self.idle_since is None:
            self.idle_since = now
        rules = self.scheduling
        longest = max(rules.bf_interval, rules.sched_interval, self.priorities.calc_period)
        return self.idle_since is not None and now - self.idle_since > 2 * longest

    def try_new(self, fresh: list[int], now: int) -> None:
        """Try new jobs at once, in order, if nobody who shares nodes with them is ahead."""
        if self.scheduling.defer:
            return
        for pair in list(self.waiting):
            job = self.pair_job[pair]
            if job in fresh and self.start[job] < 0 and not self.is_ahead(pair):
                if not self.blocked_early(pair):
                    self.try_now(pair, set(self.up), now)

    def is_free(self, job: int) -> bool:
        """Whether all jobs that a job waits for have ended."""
        first, last = self.problem.after_of[job : job + 2]
        return all(self.ended[other] for other in self.problem.after[first:last].tolist())

    def end(self, job: int, now: int) -> None:
        amounts, pair = self.amounts(job), self.ran_in[job]
        for counter, amount in self.rows("addition", pair):
            self.used[counter] -= amounts[amount]
        if self.priorities.multifactor:
            f = 1 - LN2 / self.priorities.half_life if self.priorities.half_life else 1.0
            self.charge(job, now - max(self.last, self.start[job]), f)
        self.running.remove(job)
        self.release(job)
        self.ended[job] = True

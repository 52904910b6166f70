"""The twin of the kernel of a site's Slurm, written to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.slurm_site import OF_PARENT
from twins.site_nodes import PER_CPU, PER_NODE, Asked, Node, choose, pick
from twins.site_plan import Planner
from twins.site_time import LN2, STOPPING, Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedlab.queue.site_problem import SiteProblem
    from schedlab.queue.slurm_site import Phases

#: seconds until an answer counts as lost
MESSAGE_TIMEOUT = 10
#: requeued so often, a job stays: else two jobs could stop each other without end
MOST_RESTARTS = 100


class Controller(Planner, Clock):
    """A site's controller; parts of it can be called from a recorded state."""

    def __init__(self, problem: SiteProblem, phases: Phases) -> None:
        self.problem, self.phases = problem, phases
        site = problem.site
        self.scheduling, self.priorities = site.scheduling, site.priorities
        self.kill_wait = site.kill_wait
        leaf = problem.leaf if len(problem.leaf) else -np.ones(len(problem.cpus), dtype=int)
        columns = (problem.cpus, problem.memory, problem.gres, problem.weight, leaf)
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
                problem.numbers.tolist(),
                problem.class_gres.tolist(),
                problem.static[problem.class_static],
                strict=True,
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
        #: when the nodes of a running job return
        self.until = [-1] * self.jobs
        self.stopped: set[int] = set()
        self.eligible = problem.begin.tolist()
        self.restarts = [0] * self.jobs
        self.no_more_victims = [-1] * self.jobs
        self.start = [-1] * self.jobs
        self.ran_in = [-1] * self.jobs
        self.on: list[dict[int, tuple[int, int, list[int]]]] = [{} for _ in range(self.jobs)]
        self.ended = [False] * self.jobs
        self.running: list[int] = []
        self.waiting: list[int] = []
        self.accrue = [-1] * self.jobs
        self.priority = [0] * len(self.pair_job)
        #: points of each job that a policy gives, and what gives them to waiting jobs at a time
        self.extra = [0.0] * self.jobs
        self.points: Callable[[list[int], int], list[float]] | None = None
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
        self.until[job] = now + self.holds[job]
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
        value = self.problem.points[pair] + self.extra[job]
        if weights.multifactor:
            value += weights.age * age / weights.max_age if weights.max_age else 0.0
            value += weights.fairshare * self.factor[self.problem.association[job]]
            value = min(max(value, 1.0), 2.0**32 - 1)
        return int(value)

    def recalculate(self, now: int) -> None:
        self.age_usage(now)
        self.factor = self.fair_tree()
        for pair in self.waiting:
            self.priority[pair] = self.priority_of(pair, now)
        self.sort()

    def sort(self) -> None:
        tier, reservation = self.problem.tier, self.problem.reservation
        level, rank = self.problem.rank_level, self.problem.pair_rank
        self.waiting.sort(
            key=lambda pair: (
                -int(level[rank[pair]]),
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
            self.preempt(pair, usable, now)
            return "fails"
        if self.blocked(pair, where):
            return "skipped"
        self.begin(pair, where, now)
        return "started"

    def victims(self, pair: int, usable: set[int], now: int) -> list[int]:
        """Running jobs on usable nodes that a pair may preempt, the first to take first."""
        problem = self.problem
        may = problem.may_preempt[problem.pair_rank[pair]]
        ranks = {job: int(problem.pair_rank[self.ran_in[job]]) for job in self.running}
        exempt = problem.site.preempt_exempt
        candidates = [
            job
            for job in self.running
            if may[ranks[job]]
            and job not in self.stopped
            and self.restarts[job] < MOST_RESTARTS
            and now - self.start[job] >= exempt
            and not usable.isdisjoint(self.on[job])
        ]
        order = problem.rank_order
        return sorted(candidates, key=lambda job: (int(order[ranks[job]]), len(self.on[job]), job))

    def preempt(self, pair: int, usable: set[int], now: int) -> bool:
        """Stop jobs so that a pair can start later; return whether there are enough.

        Victims are taken until the pair fits. Then the last of them is taken first, and once more.
        """
        job, asked = self.pair_job[pair], self.asked[self.problem.pair_class[pair]]
        victims = self.victims(pair, usable, now)
        if not victims or now < self.no_more_victims[job]:
            return False
        if self.exceeds(pair, self.requested(pair)):
            return False
        for _ in range(2):
            gone, where = [], None
            for victim in victims:
                self.release(victim)
                gone.append(victim)
                where = choose(asked, self.nodes, usable)
                if where is not None:
                    break
            for victim in gone:
                self.occupy(victim)
            if where is None:
                return False
            victims = [gone[-1], *(victim for victim in victims if victim != gone[-1])]
        if self.blocked(pair, where):
            return False
        for victim in gone:
            if not self.on[victim].keys().isdisjoint(where):
                grace = int(self.problem.rank_grace[self.problem.pair_rank[self.ran_in[victim]]])
                self.until[victim] = min(self.until[victim], now + grace + STOPPING)
                self.stopped.add(victim)
        self.no_more_victims[job] = now + self.kill_wait + MESSAGE_TIMEOUT
        return True

    def begin(self, pair: int, where: dict[int, int], now: int) -> None:
        self.take(pair, where, now)
        job = self.pair_job[pair]
        self.waiting = [other for other in self.waiting if self.pair_job[other] != job]

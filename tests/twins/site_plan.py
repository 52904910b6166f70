"""The plan of a backfill pass: the twin of `site_plan.pxd`, written to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from twins.site_nodes import Asked, choose

HALF_MINUTE, MOST_TOGETHER = 30, 200


@dataclass
class Slot:
    """A stretch of time of a plan with the unreserved nodes."""

    begin: int
    end: int
    nodes: frozenset[int]


class Decision(NamedTuple):
    """What a backfill pass does with a pair: "start", "plan" or "" (neither)."""

    pair: int
    kind: str
    start: int = -1
    nodes: frozenset[int] = frozenset()


class Planner:
    """The part of a controller that plans; `twins.slurm_site.Controller` has the rest."""

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
                if self.blocked(pair, where) or not where:
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
                after = following.nodes & members if following else frozenset()
                if later is None and after - (slot.nodes & wide):
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
                if start != now and at == now and self.preempt(pair, usable, now):
                    return now, {}
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
        clock, prediction = self.phases.clock, (None, {})
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
                        linear = self.scheduling.bf_window_linear
                        close = close + linear if linear else 2 * close
                        until = first + close
                    break
                if count >= MOST_TOGETHER:
                    break
            if last is None:
                break
            where = choose(asked, self.nodes, usable)
            if where is not None:
                prediction = (max(last, now + 1) if last > now else now + self.kill_wait), where
                break
        for job in gone:
            self.occupy(job)
        return prediction

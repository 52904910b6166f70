"""Factors of priority on a site's own Slurm, and its limits, in words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from schedlab.queue.site_limits import amount_places
from schedlab.queue.site_priority import fixed_points, requested

if TYPE_CHECKING:
    from schedlab.kernels.site.site import SiteKernel
    from schedlab.queue.site_problem import SiteProblem

#: factors that do not change while a job waits, by their fields in `Priorities`
FIXED = {"qos": "QOS", "partition": "partition", "assoc": "account", "jobsize": "size"}
AGE, SHARE, TRES, NICE, POLICY = "age", "fair share", "TRES", "nice", "the policy"
LATER, PREEMPTION, TIER = "submission", "preemption", "tier of the partition"
UNITS = {"jobs": "jobs", "cpu": "processors", "mem": "MB of memory", "node": "nodes"}


class Factors:
    """Points of each factor of pairs' priorities; `extra` are those that a policy gives to jobs."""

    def __init__(self, problem: SiteProblem, kernel: SiteKernel) -> None:
        self.problem, self.kernel = problem, kernel
        self.pair_job = np.repeat(np.arange(len(problem.submit)), np.diff(problem.pair_of))
        self.parts = parts_of(problem)
        self.extra = np.zeros(len(problem.submit))

    def points_of(self, pair: int, now: int) -> dict[str, float]:
        """Return the points of each factor of a pair's priority at a time."""
        weights, job = self.problem.site.priorities, int(self.pair_job[pair])
        factor, accrue = self.kernel.ages(job)
        points = {name: float(column[pair]) for name, column in self.parts.items()}
        if weights.multifactor:
            age = min(max(now - accrue, 0), weights.max_age) / max(weights.max_age, 1)
            points[AGE] = weights.age * age
            points[SHARE] = weights.fairshare * factor
        return points | {POLICY: float(self.extra[job])}

    def ahead(self, pair: int, mine: int, now: int) -> str:
        """Return the factor that puts a pair ahead of another."""
        problem = self.problem
        level = problem.rank_level[problem.pair_rank[[pair, mine]]]
        tier = problem.tier[problem.pair_partition[[pair, mine]]]
        for name, (other, own) in ((PREEMPTION, level), (TIER, tier)):
            if other > own:
                return name
        own, other = self.points_of(mine, now), self.points_of(pair, now)
        more = {name: other[name] - own[name] for name in other}
        best = max(more, key=lambda name: more[name])
        return best if more[best] > 0 else LATER


def parts_of(problem: SiteProblem) -> dict[str, np.ndarray]:
    """Return the parts of each pair's fixed points by factor."""
    site, pairs = problem.site, len(problem.pair_class)
    weights = site.priorities
    nothing = dict.fromkeys(FIXED, 0) | {"tres": {}}
    job = np.repeat(np.arange(len(problem.submit)), np.diff(problem.pair_of))
    asked = requested(site, problem.numbers, problem.class_gres)[problem.pair_class]
    qos = [str(name) for name in problem.qos[job]]

    def part(field: str) -> np.ndarray:
        alone = replace(weights, **nothing | {field: getattr(weights, field)})
        return fixed_points(
            *(replace(site, priorities=alone), problem.gres_names, asked),
            *(problem.pair_partition, qos, problem.association[job], problem.limit[job]),
        )

    parts = {name: part(field) for field, name in FIXED.items()} | {TRES: part("tres")}
    return parts | {NICE: problem.points - sum(parts.values(), np.zeros(pairs))}


def limit_words(problem: SiteProblem, place: int) -> str:
    """Return a limit in words."""
    counter, amount, most, _ = problem.checks[place].tolist()
    names = {k: name for name, k in amount_places(problem.gres_names).items()}
    unit = UNITS.get(names[amount], names[amount])
    owner = problem.counted.get(counter, ("job",))
    whose = "of a job"
    if owner[0] == "qos":
        whose = f"of QOS {owner[1]}" + (f" for {owner[2]} {owner[3]}" if owner[2:] else "")
    elif owner[0] == "association":
        each = problem.site.associations[int(owner[1])]
        whose = f"of account {each.account}" + (f" for user {each.user}" if each.user else "")
    return f"the limit {whose} of {most:,} {unit}"

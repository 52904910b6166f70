"""A site's own Slurm as a dialect: policies run inside it as points added to its priorities.

The points are those of the script that `schedlab export-slurm --points` writes. At each calculation
of priorities (PriorityCalcPeriod) the first waiting job by the policy gets all points, and each
following one proportionally fewer. Between two calculations new jobs have none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from schedlab.core.machine import Machine
from schedlab.policies import Policy
from schedlab.queue.functions import is_function
from schedlab.queue.slurm_site import AT_ONCE, Phases

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs
    from schedlab.core.slurm_site import Site
    from schedlab.queue.dialects import Dialect
    from schedlab.queue.simulation import Run
    from schedlab.queue.site_problem import SiteProblem

#: points of the first job where the site weighs nothing
USUAL_POINTS = 1_000_000


@dataclass(frozen=True, eq=False)
class SiteSlurm:
    """A site's Slurm in which policies run.

    `phases` are when its periodic work begins; `most` are the points of the first waiting job, by
    default `usual_points`.
    """

    site: Site
    phases: Phases = AT_ONCE
    most: int | None = None

    @cached_property
    def points(self) -> int:
        """Points of the first waiting job."""
        return self.most or usual_points(self.site)


def usual_points(site: Site) -> int:
    """Return points in the range of fair share, else of the largest weight that the site has."""
    weights = site.priorities
    rest = (weights.age, weights.qos, weights.partition, weights.jobsize, weights.assoc)
    return weights.fairshare or max(rest) or USUAL_POINTS


@dataclass(frozen=True, kw_only=True)
class AsConfigured(Policy):
    """The site's own order: no points. `changed` is the site with other settings, if given."""

    name: str = "site"
    label: str = "as configured"
    expression: str = "0"
    changed: Site | None = None

    @classmethod
    def of(cls, site: Site) -> Self:
        """Return the order of a site, called by its release."""
        return cls(label=f"Slurm {site.version}")

    def __hash__(self) -> int:
        return hash((self.label, id(self.changed)))


def own_order(dialect: Dialect) -> list[AsConfigured]:
    """Return the own order of a dialect's site; nothing in other dialects."""
    return [AsConfigured.of(dialect.site.site)] if dialect.site else []


class Points:
    """Points that a policy gives to waiting jobs."""

    def __init__(self, problem: SiteProblem, jobs: Jobs, policy: Policy, most: int) -> None:
        # Slurm knows limits in whole minutes
        self.jobs = replace(jobs, estimate=problem.limit, requests=None)
        self.policy, self.most = policy, most
        arrays = int(problem.array.max(initial=-1)) + 1
        #: an array is one job
        self.entry = np.where(problem.array >= 0, problem.array, arrays + np.arange(len(jobs)))
        self.still = policy.scores(self.jobs) if policy.order == "static" else None

    def of(self, waiting: np.ndarray, now: int) -> np.ndarray:
        """Return the points of waiting jobs, float64, at a time."""
        _, first, entry = np.unique(self.entry[waiting], return_index=True, return_inverse=True)
        chosen = waiting[first]
        submit, number = self.jobs.submit[chosen], self.jobs.number[chosen]
        if self.still is None:
            scores = self.policy.scores(self.jobs.take(chosen), wait=(now - submit).astype(float))
        else:
            scores = self.still[chosen]
        order = np.lexsort((number, submit, scores))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order), 0, -1)
        given = -(-self.most * place // max(len(order), 1))
        return given[entry].astype(np.float64)


def accepts(run: Run) -> str | None:
    """Return why a site's Slurm cannot simulate a run; None if it can."""
    dialect, policy = run.dialect, run.policy
    assert dialect.site is not None
    if isinstance(policy, AsConfigured):
        return None
    if is_function(policy):
        return (
            f"'{policy.name}' is a Python function: in a site's Slurm policies are points by their "
            "scores; write it as an expression"
        )
    if not dialect.site.site.priorities.multifactor:
        return (
            f"'{policy.name}' would be points of priority, and PriorityType=priority/basic reads "
            "none: change it (--slurm-set PriorityType=priority/multifactor)"
        )
    if isinstance(run.machine, Machine):
        return "changes of nodes are of a site's own files: leave those of the machine out"
    for option, value in (
        ("backfill", None if run.backfill in (None, policy) else run.backfill),
        ("head", run.head or None),
        ("threshold", run.threshold),
        ("reservations", None if run.reservations == "every" else run.reservations),
    ):
        if value is not None:
            name = value.name if isinstance(value, Policy) else value
            return f"a site's Slurm decides by its own files: {option} is {name}, leave it out"
    return None

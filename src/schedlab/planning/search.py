"""Saved plans, and searches for better ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from schedlab.core.machine import Machine
from schedlab.core.streams import generator
from schedlab.planning.fitting import fitting, spreads
from schedlab.planning.requests import Requests, shares
from schedlab.planning.sessions import PlanSession, name_criteria
from schedlab.planning.settings import Planning, Search

#: replaces a criterion that is 0
TINY = 1e-9


@dataclass(frozen=True, eq=False)
class Plan:
    """Saved plan: running and planned jobs with their clusters, and the usage of users by then.

    A search begins with an update. It moves no job, except in a plan of ``orig-bf`` by node: there,
    jobs of a lower queue are kept off nodes that others have from a later time on.

    `columns` are data of the kernel: ``now``; a row for each running or planned job, those of one
    cluster in order (``handle``, ``is_running``, ``start``, ``estimate``, ``submit``, ``need``,
    ``user``, ``cluster``, ``allowed``, and ``spread`` and ``nodes`` if nodes are planned); for
    users ``known_wait`` and ``usage``, and the number ``seen``.
    """

    machine: Machine
    settings: Planning
    columns: dict[str, Any] = field(repr=False)

    @classmethod
    def of(cls, session: PlanSession) -> Plan:
        """Save the present plan of a session."""
        return cls(session.machine, session.settings, session.kernel.snapshot())

    @classmethod
    def in_order(
        cls, requests: Requests, machine: Machine, settings: Planning, cluster: ArrayLike
    ) -> Plan:
        """Plan jobs at time 0 on an empty machine, each as early as the jobs before it allow.

        No job is submitted after time 0; `cluster` (int, shape (n,)) is that of each job. Raises
        ValueError if a job cannot run on its cluster.
        """
        jobs, n = requests.jobs, len(requests)
        allowed, _ = fitting(requests, machine, settings)
        cluster = np.asarray(cluster, dtype=np.int32)
        if (bad := (allowed >> cluster.astype(np.uint64)) & np.uint64(1) == 0).any():
            place = np.flatnonzero(bad)[0]
            raise ValueError(f"job {jobs.number[place]}: cannot run on cluster {cluster[place]}")
        users, user = np.unique(requests.user, return_inverse=True)
        usage = np.bincount(user, shares(requests, machine) * jobs.estimate).astype(np.float64)
        columns = {
            "now": 0,
            "handle": np.arange(n, dtype=np.int32),
            "is_running": np.zeros(n, dtype=bool),
            "start": np.zeros(n, dtype=np.int64),
            "estimate": jobs.estimate,
            "submit": jobs.submit,
            "need": jobs.procs.astype(np.int32),
            "user": user.astype(np.int32),
            "cluster": cluster,
            "allowed": allowed,
            "seen": len(users),
            "known_wait": np.zeros(len(users), dtype=np.int64),
            "usage": usage,
        }
        if settings.mode == "nodes":
            mask_words = -(-max(cluster.nodes for cluster in machine.clusters) // 64)
            columns["spread"] = spreads(requests, machine)
            columns["nodes"] = np.zeros((n, mask_words), dtype=np.uint64)
        return search(cls(machine, settings, columns), 0, ("in order",)).plan

    def session(self, seed: tuple[str | int, ...], settings: Search | None = None) -> PlanSession:
        """Return a session at the state of the plan; the future ends of jobs are unknown to it.

        `seed` is the key of the random numbers of its searches. The search settings are by default
        those of the plan.
        """
        planning = replace(self.settings, search=settings or self.settings.search)
        session = PlanSession(self.machine, planning, seed)
        session.kernel.restore(self.columns)
        return session

    def __len__(self) -> int:
        return int((~self.columns["is_running"]).sum())

    def starts(self) -> dict[int, int]:
        """Return the planned start of each planned job, by its handle."""
        waits = ~self.columns["is_running"]
        handles, starts = self.columns["handle"][waits], self.columns["start"][waits]
        return dict(zip(handles.tolist(), starts.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class FoundPlan:
    """Result of a search: the new plan.

    `moves` are the accepted moves, as in `PlanSession.schedule`; ``job`` is a row of the original
    plan. `before` and `after` are criteria of the plan: mean ``wait``, ``slowdown`` and
    ``response``, and ``fairness``. `evaluated` is the number of moves that had to be evaluated.
    """

    plan: Plan
    moves: pd.DataFrame
    before: dict[str, float]
    after: dict[str, float]
    evaluated: int

    @property
    def gain(self) -> float:
        """Gain of the search as a whole, computed as for one move: see `gain`."""
        return gain(self.before, self.after, self.plan.settings.search)


def gain(before: dict[str, float], after: dict[str, float], settings: Search) -> float:
    """Return the weighted sum of the relative changes of the criteria between two plans."""
    names = ("wait", "slowdown", "fairness", "response")
    return sum(
        weight * (before[name] - after[name]) / max(before[name], TINY)
        for name, weight in zip(names, settings.weights, strict=True)
    )


def search(
    plan: Plan, iterations: int, seed: tuple[str | int, ...], settings: Search | None = None
) -> FoundPlan:
    """Search a saved plan; return a new one and leave the original unchanged.

    `seed` is the key of the random numbers. The search settings are by default those of the plan;
    their budget is not used, only `iterations`.

    Examples
    --------
    A long job is planned before another user's short one; the search swaps them:

    >>> from schedlab.core.jobs import Jobs
    >>> jobs = Jobs([1, 2], [0, 0], [900, 10], [900, 10], [4, 4])
    >>> plan = Plan.in_order(Requests(jobs, [1, 2]), Machine.of_processors(4), Planning(), [0, 0])
    >>> found = search(plan, 20, ("example",))
    >>> plan.starts(), found.plan.starts(), len(found.moves)
    ({0: 0, 1: 900}, {1: 0, 0: 10}, 1)
    """
    session = _begun(plan, iterations, seed, settings)
    planner = session.kernel
    before = session.criteria()
    planner.search_on(iterations)
    planner.search_end()
    columns = planner.snapshot()
    columns["handle"] = plan.columns["handle"][columns["handle"]]
    return FoundPlan(
        Plan(plan.machine, session.settings, columns),
        pd.DataFrame(planner.moves()),
        before,
        session.criteria(),
        planner.counts()["evaluated"],
    )


def curve(
    plan: Plan, budgets: Sequence[int], seed: tuple[str | int, ...], settings: Search | None = None
) -> pd.DataFrame:
    """Return the results of searches of a plan with increasing budgets.

    It is one search with results read when each budget is used up. Only annealing, whose cooling
    depends on the budget, runs a separate search for each budget. Budgets are iterations; other
    parameters are as for `search`. A row for each budget: ``iterations``, the criteria ``wait``,
    ``slowdown``, ``fairness`` and ``response`` after a search with that many iterations, and its
    ``gain``. Raises ValueError if the budgets do not increase, or no job is planned.

    Examples
    --------
    >>> from schedlab.core.jobs import Jobs
    >>> jobs = Jobs([1, 2], [0, 0], [900, 10], [900, 10], [4, 4])
    >>> plan = Plan.in_order(Requests(jobs, [1, 2]), Machine.of_processors(4), Planning(), [0, 0])
    >>> curve(plan, [0, 20], ("example",))[["iterations", "wait", "gain"]].round(2)
       iterations   wait   gain
    0           0  450.0   0.00
    1          20    5.0  11.89
    """
    if any(b <= a for a, b in pairwise([-1, *budgets])):
        raise ValueError(f"budgets {', '.join(map(str, budgets))} must go up from at least 0")
    if not len(plan):
        raise ValueError(f"nothing is planned at {plan.columns['now']}: no search, and no curve")
    chosen = settings or plan.settings.search
    if chosen.rule == "annealing":
        searches = [search(plan, budget, seed, settings) for budget in budgets]
        before, after = searches[0].before, [criteria.after for criteria in searches]
    else:
        session = _begun(plan, budgets[-1], seed, settings)
        before, after = session.criteria(), []
        for budget in budgets:
            session.kernel.search_on(budget)
            after.append(name_criteria(session.kernel.found()))
    rows = [
        {"iterations": budget, **criteria, "gain": gain(before, criteria, chosen)}
        for budget, criteria in zip(budgets, after, strict=True)
    ]
    return pd.DataFrame(rows)


def _begun(
    plan: Plan, iterations: int, seed: tuple[str | int, ...], settings: Search | None
) -> PlanSession:
    """Return a session at the time of the saved plan, at the beginning of a search."""
    session = plan.session(seed, settings)
    session.kernel.search_begin(iterations, int(generator(*seed).integers(2**64, dtype=np.uint64)))
    return session


def save_plans(
    requests: Requests,
    machine: Machine,
    settings: Planning,
    seed: tuple[str | int, ...],
    times: Iterable[int],
) -> list[Plan]:
    """Save the plans of a run at given times, before any search there; one plan for each time.

    A search that is due at one of them is postponed to the next instant with an event.
    """
    session = PlanSession(machine, settings, seed)
    session.submit(requests)
    plans = []
    for time in times:
        if time > session.now:
            session.advance(until=time - 1)
        session.kernel.may_search = False
        session.advance(until=time)
        session.kernel.may_search = True
        plans.append(Plan.of(session))
    return plans


def instants(
    requests: Requests,
    machine: Machine,
    settings: Planning,
    seed: tuple[str | int, ...],
    count: int,
    least: int,
) -> list[int]:
    """Return times of a run with large plans, spread evenly over all such times.

    The submit times with at least `least` planned jobs are divided, in order, into `count` equal
    parts.
    """
    session = PlanSession(machine, settings, seed)
    session.submit(requests)
    times = []
    for time in np.unique(requests.jobs.submit).tolist():
        session.advance(until=time)
        if sum(map(len, session.planned_jobs())) >= least:
            times.append(time)
    if len(times) <= count:
        return times
    return [times[(2 * part + 1) * len(times) // (2 * count)] for part in range(count)]

"""Plans that are kept, and searched for better ones."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.planning.fitting import fitting, spreads
from schedlab.planning.machine import Machine
from schedlab.planning.requests import Requests, shares
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning, Search
from schedlab.workloads.streams import generator

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, eq=False)
class Plan:
    """Who ran and who was planned at a time, on which clusters, and what users had had by then.

    A search begins with an update. It moves nobody, but in a plan of ``orig-bf`` by node, where
    jobs of a lower queue are kept off nodes that others have from a later time on.

    Parameters
    ----------
    machine : Machine
        Its clusters.
    settings : Planning
        How it was planned.
    columns : dict
        As the kernel has it: ``now``; a row for each job that runs or is planned, those of one
        cluster in order (``handle``, ``is_running``, ``start``, ``estimate``, ``submit``, ``need``,
        ``user``, ``cluster``, ``allowed``, and ``spread`` and ``nodes`` where these are planned);
        of users ``known_wait`` and ``usage``, and how many have been ``seen``.
    """

    machine: Machine
    settings: Planning
    columns: dict = field(repr=False)

    @classmethod
    def of(cls, session: PlanSession) -> Plan:
        """Keep the present plan of a session."""
        return cls(session.machine, session.settings, session.planner.snapshot())

    @classmethod
    def in_order(
        cls, requests: Requests, machine: Machine, settings: Planning, cluster: ArrayLike
    ) -> Plan:
        """Plan jobs at time 0 on an empty machine, each as soon as those in front let it start.

        Parameters
        ----------
        requests : Requests
            n jobs, none of them submitted after time 0.
        machine : Machine
            Its clusters.
        settings : Planning
            How it plans.
        cluster : array_like of int, shape (n,)
            On which cluster each of them is planned.

        Raises
        ------
        ValueError
            A job cannot run on its cluster.
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
            words = -(-max(one.nodes for one in machine.clusters) // 64)
            columns["spread"] = spreads(requests, machine)
            columns["nodes"] = np.zeros((n, words), dtype=np.uint64)
        return search(cls(machine, settings, columns), 0, ("in order",)).plan

    def __len__(self) -> int:
        """How many jobs are planned."""
        return int((~self.columns["is_running"]).sum())

    def starts(self) -> dict[int, int]:
        """Planned start of each job that is planned, by its handle."""
        waits = ~self.columns["is_running"]
        handles, starts = self.columns["handle"][waits], self.columns["start"][waits]
        return dict(zip(handles.tolist(), starts.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Found:
    """What a search has come to.

    Parameters
    ----------
    plan : Plan
        The plan as it is now.
    moves : pandas.DataFrame
        The moves that were kept, as in `schedlab.planning.sessions.Result`; ``job`` is the row of
        the plan that was searched.
    before, after : dict of str to float
        Criteria of the plan: mean ``wait``, ``slowdown`` and ``response``, and ``fairness``.
    evaluated : int
        Moves that had to be evaluated.
    """

    plan: Plan
    moves: pd.DataFrame
    before: dict[str, float]
    after: dict[str, float]
    evaluated: int


def search(
    plan: Plan, iterations: int, seed: tuple[str | int, ...], settings: Search | None = None
) -> Found:
    """Search a plan that was kept; it stays as it is, and a new one is returned.

    Parameters
    ----------
    plan : Plan
        n planned jobs.
    iterations : int
        The budget.
    seed : tuple of str and int
        Key of the random numbers.
    settings : Search, optional
        What to search for; what the plan was made with by default. Its budget is not used.

    Returns
    -------
    Found

    Examples
    --------
    A long job of a user is planned before a short one of another; the search finds them:

    >>> from schedlab.jobs import Jobs
    >>> jobs = Jobs([1, 2], [0, 0], [900, 10], [900, 10], [4, 4])
    >>> plan = Plan.in_order(Requests(jobs, [1, 2]), Machine.plain(4), Planning(), [0, 0])
    >>> found = search(plan, 20, ("example",))
    >>> plan.starts(), found.plan.starts(), len(found.moves)
    ({0: 0, 1: 900}, {1: 0, 0: 10}, 1)
    """
    planning = replace(plan.settings, search=settings or plan.settings.search)
    session = PlanSession(plan.machine, planning, seed)
    planner = session.planner
    planner.restore(plan.columns)
    before = session.criteria()
    planner.search_begin(iterations, int(generator(*seed).integers(2**64, dtype=np.uint64)))
    planner.search_on(iterations)
    planner.search_end()
    columns = planner.snapshot()
    columns["handle"] = plan.columns["handle"][columns["handle"]]
    return Found(
        Plan(plan.machine, planning, columns),
        pd.DataFrame(planner.moves()),
        before,
        session.criteria(),
        planner.counts()["evaluated"],
    )

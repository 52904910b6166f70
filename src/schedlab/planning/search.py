"""Plans that are kept, and searched for better ones."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from schedlab.planning.machine import Machine
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning
from schedlab.workloads.streams import generator


@dataclass(frozen=True, eq=False)
class Plan:
    """Who ran and who was planned at a time, on which clusters, and what users had had by then.

    Parameters
    ----------
    machine : Machine
        Its clusters.
    settings : Planning
        How it was planned.
    columns : dict
        As the kernel has it: ``now``; a row for each job that runs or is planned, those of one
        cluster in order (``handle``, ``is_running``, ``start``, ``estimate``, ``submit``, ``need``,
        ``user``, ``cluster``, ``allowed``); of users ``known_wait`` and ``usage``.
    """

    machine: Machine
    settings: Planning
    columns: dict = field(repr=False)

    @classmethod
    def of(cls, session: PlanSession) -> Plan:
        """Keep the present plan of a session."""
        return cls(session.machine, session.settings, session.planner.snapshot())

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


def search(plan: Plan, iterations: int, seed: tuple[str | int, ...], settings=None) -> Found:
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
        What to search for; what the plan was made with by default.
    """
    settings = settings or plan.settings.search
    planning = Planning(plan.settings.scheduler, plan.settings.mode, settings, plan.settings.limits)
    session = PlanSession(plan.machine, planning, seed)
    planner = session.planner
    planner.restore(plan.columns)
    before = session.criteria()
    planner.search_plan(iterations, int(generator(*seed).integers(2**64, dtype=np.uint64)))
    columns = planner.snapshot()
    columns["handle"] = plan.columns["handle"][columns["handle"]]
    return Found(
        Plan(plan.machine, planning, columns),
        pd.DataFrame(planner.moves()),
        before,
        session.criteria(),
        planner.counts()["evaluated"],
    )

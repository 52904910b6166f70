"""A row of the sheet to results: every scheduler on every window of a log."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.arena.measures import METRICS, measure
from schedlab.arena.schedulers import SCHEDULERS, labels_of
from schedlab.arena.sheet import ARENA
from schedlab.arena.windows import learning_windows, windows_of
from schedlab.jobs import Jobs, Schedule
from schedlab.planning.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.settings import Planning
from schedlab.planning.simulation import simulate_plan
from schedlab.policies import get
from schedlab.policies.mixed import mixed
from schedlab.queue.predictions import simulate_predicted
from schedlab.queue.simulation import FULL, Run, simulate
from schedlab.queue.slurm import default_reservations, refusal
from schedlab.threads import over_threads
from schedlab.traces.splitting import DAY
from schedlab.tuning.mixed import evaluate, grid, scales_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from schedlab.arena.sheet import ContestSettings
    from schedlab.policies import Policy
    from schedlab.queue.dialects import Dialect

COLUMNS = {"experiment": "str", "scheduler": "str", "window": "int64", "jobs": "int64"}
COLUMNS |= dict.fromkeys(METRICS, "float64")
FACTS = {"experiment": "str", "jobs": "int64", "days": "float64", "windows": "int64"}
FACTS |= {"load": "float64", "users": "int64", "learning": "int64", "weights": "str"}
FACTS |= {"absent": "str"}
_NO_JOBS = Jobs([], [], [], [], [])
#: features that w_train weighs: processors, estimate, submission
WEIGHED = 3


@dataclass(frozen=True, eq=False)
class Case:
    """A window as it is simulated.

    Parameters
    ----------
    number : int
        Of the window.
    jobs : Jobs
        n jobs, from time 0 on.
    users : ndarray of int64, shape (n,)
        Whose they are.
    begin, end : int
        Jobs submitted between these are counted.
    """

    number: int
    jobs: Jobs
    users: np.ndarray
    begin: int
    end: int


def cases_of(frame: pd.DataFrame, windows: list) -> list[Case]:
    """Return the windows' jobs, each from its first job on; windows without jobs are left out."""
    found = []
    for window in windows:
        rows = window.of(frame)
        if len(rows):
            first = int(rows["submit"].iloc[0])
            jobs, users = Jobs.from_frame(rows).rebased(), rows["user"].to_numpy()
            found.append(Case(window.number, jobs, users, window.begin - first, window.end - first))
    return found


def run_contest(
    settings: ContestSettings,
    frame: pd.DataFrame,
    learned: Mapping[str, str],
    own: Mapping[str, str],
    points: int,
    threads: int = 1,
    advance: Callable[[], object] | None = None,
    dialect: Dialect = FULL,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run every scheduler of a row on every window.

    Parameters
    ----------
    settings : ContestSettings
        The row.
    frame : DataFrame
        Clean jobs of the log; without rows when it is not at hand.
    learned : mapping of str to str
        Expressions of learned policies by scheduler.
    own : mapping of str to str
        Expressions of a reader's own policies by name: EASY with each.
    points : int
        Weights a dimension that w_train is sought among.
    threads : int
        How many runs at a time; the result does not depend on it.
    advance : callable, optional
        Called after each run.
    dialect : Dialect
        Of all schedulers. Those that it cannot run are absent.

    Returns
    -------
    results : DataFrame
        `COLUMNS`, a row per scheduler and window.
    facts : DataFrame
        `FACTS`, a row: jobs and days of the log, windows, offered load in them, known users,
        windows that w_train was learned from and its weights, who could not run and why.
    """
    submit = frame["submit"].to_numpy()
    cases = cases_of(frame, windows_of(submit, settings.windows, settings.days, settings.warm_up))
    lessons = cases_of(frame, learning_windows(submit, settings.days)) if cases else []
    absent = absent_from(settings, frame, learned, lessons) if cases else {}
    orders = {name: get(expression, label=name) for name, expression in own.items()}
    if cases:
        absent |= refused_by(dialect, settings.schedulers, learned, orders, absent)
    weighed, weights = None, ""
    names = [name for name in settings.schedulers if name not in absent]
    if "w_train" in names and cases:
        weighed = learn_weights(lessons, settings.processors, points, settings.tau, threads)
        weights = weighed.expression
    runs = {}
    if cases:
        runs = {name: runner(settings, name, learned, weighed, dialect) for name in names}
    for name, order in orders.items() if cases else ():
        if name not in absent:
            runs[name] = partial(_easy, settings.processors, order, None, dialect)
    plan = [(name, case) for case in cases for name in runs]
    rows = over_threads(lambda one: _measured(settings, runs, *one), plan, threads, advance)
    facts = {
        "experiment": settings.experiment,
        "jobs": len(frame),
        "days": (submit.max() - submit.min()) / DAY if len(submit) else 0.0,
        "windows": len(cases),
        "load": offered(cases, settings.processors),
        "users": frame.loc[frame["user"] >= 0, "user"].nunique(),
        "learning": len(lessons),
        "weights": weights,
        "absent": "; ".join(
            f"{labels_of([name])[name]}: {why}" for name, why in absent.items() if cases
        ),
    }
    results = pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)
    return results, pd.DataFrame([facts]).astype(FACTS)


def absent_from(
    settings: ContestSettings, frame: pd.DataFrame, learned: Mapping, lessons: list[Case]
) -> dict[str, str]:
    """Say which schedulers of a row cannot run on its log, and why."""
    lacking = {}
    for name in settings.schedulers:
        one = SCHEDULERS[name]
        if one.users and not (frame["user"] >= 0).any():
            lacking[name] = "the log has no users"
        elif one.kind == "learned" and name not in learned:
            lacking[name] = "no such function was fitted"
        elif one.kind == "mixed" and not lessons:
            lacking[name] = "the log's first quarter is shorter than a window"
    return lacking


def refused_by(
    dialect: Dialect,
    schedulers: Sequence[str],
    learned: Mapping[str, str],
    own: Mapping[str, Policy],
    absent: Mapping[str, str],
) -> dict[str, str]:
    """Return which schedulers a dialect cannot run, and why; `absent` ones are not looked at."""
    found = {}
    if dialect == FULL:
        return found
    entries = {name: SCHEDULERS[name] for name in schedulers if name not in absent}
    orders = dict(own)
    for name, one in entries.items():
        if one.kind in ("plan", "predicted"):
            found[name] = "has a simulator of its own, without dialects"
        elif one.kind == "every" and dialect.slurm:
            found[name] = f"dialect {dialect.name} reserves for every job under EASY already"
        else:
            orders[name] = get(learned[name] if one.kind == "learned" else one.policy)
    for name, order in orders.items():
        one = entries.get(name)
        backfill = get(one.backfill) if one and one.backfill else None
        every = one is not None and one.kind == "every"
        try:
            if dialect.slurm and (why := refusal(order, backfill)):
                raise ValueError(f"dialect {dialect.name} {why}")
            reservations = "every" if every else default_reservations(dialect)
            Run(_NO_JOBS, 1, order, backfill, dialect, reservations=reservations)
        except ValueError as error:
            found[name] = str(error)
    return found


def learn_weights(
    lessons: list[Case], processors: int, points: int, tau: float, threads: int
) -> Policy:
    """Return the mixed policy of the least mean bounded slowdown over the learning windows."""
    pieces = [case.jobs for case in lessons]
    scales = scales_of(pieces, processors)[:WEIGHED]
    weights = grid(points)
    means = [
        evaluate(jobs, processors, weights, scales, None, threads, tau).mean for jobs in pieces
    ]
    best = weights[int(np.mean(means, axis=0).argmin())]
    return mixed(best.tolist(), scales.tolist(), "w_train")


def offered(cases: list[Case], processors: int) -> float:
    """Mean over windows of what counted jobs ask for, as a share of the machine's time."""
    loads = []
    for case in cases:
        counted = case.jobs.submit >= case.begin
        area = (case.jobs.runtime * case.jobs.procs)[counted].sum()
        loads.append(area / (processors * (case.end - case.begin)))
    return float(np.mean(loads)) if loads else np.nan


def runner(
    settings: ContestSettings,
    name: str,
    learned: Mapping[str, str],
    weighed: Policy | None,
    dialect: Dialect = FULL,
) -> Callable[[Case], Schedule]:
    """Return the function that runs a scheduler on a window."""
    one, processors = SCHEDULERS[name], settings.processors
    if one.kind == "predicted":
        return lambda case: simulate_predicted(case.jobs, case.users, processors)
    if one.kind == "every":
        order = get(one.policy)
        return lambda case: simulate(
            Run(case.jobs, processors, order, dialect=dialect, reservations="every")
        )
    if one.kind == "plan":
        return partial(_plan, settings, one.policy)
    policy = {"learned": lambda: get(learned[name]), "mixed": lambda: weighed}.get(
        one.kind, lambda: get(one.policy)
    )()
    return partial(_easy, processors, policy, get(one.backfill) if one.backfill else None, dialect)


def _easy(
    processors: int, policy: Policy, backfill: Policy | None, dialect: Dialect, case: Case
) -> Schedule:
    reservations = default_reservations(dialect)
    return simulate(
        Run(case.jobs, processors, policy, backfill, dialect, reservations=reservations)
    )


def _plan(settings: ContestSettings, scheduler: str, case: Case) -> Schedule:
    machine = Machine.plain(settings.processors)
    key = (ARENA, settings.experiment, settings.source, case.number, scheduler)
    requests = Requests(case.jobs, user=case.users)
    return simulate_plan(requests, machine, Planning(scheduler), key).schedule


def _measured(settings: ContestSettings, runs: Mapping, name: str, case: Case) -> tuple:
    schedule = runs[name](case)
    found = measure(
        *(case.jobs, case.users, schedule, settings.processors, case.begin, case.end),
        settings.tau,
    )
    counted = int((case.jobs.submit >= case.begin).sum())
    return (settings.experiment, name, case.number, counted, *(found[one] for one in METRICS))

"""Metric of every policy on every piece of an experiment."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from schedlab.core.jobs import Jobs, Schedule, jobs_by_piece
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.policies import Policy
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.reservations import Reservations
from schedlab.queue.simulation import Run, simulate, simulate_many

#: which jobs have a reservation, where the name of the backfilling in the sheets is another
RESERVATIONS: dict[str, Reservations] = {"easy": "head", "conservative": "every"}

COLUMNS: dict[str, type | str] = {"experiment": str, "dialect": str, "policy": str}
COLUMNS |= {"piece": "int64", "jobs": "int64", "avebsld": "float64"}


def run_of(jobs: Jobs, settings: Mapping[str, Any], policy: Policy) -> Run:
    """Return the run of a piece under a policy, with the settings of an experiment's row."""
    return Run(
        jobs,
        settings["processors"],
        policy,
        dialect=dialect_of(settings["dialect"]),
        head=settings["head"],
        reservations=RESERVATIONS.get(settings["backfill"], settings["backfill"]),
    )


def schedules_of(
    jobs: Jobs, settings: Mapping[str, Any], policies: Mapping[str, Policy]
) -> dict[str, Schedule]:
    """Return the schedule of a piece under each policy; arguments are as for `run_of`."""
    return {name: simulate(run_of(jobs, settings, policies[name])) for name in policies}


def run_policies(
    frame: pd.DataFrame,
    experiment: str,
    settings: Mapping[str, Any],
    policies: Mapping[str, Policy],
    threads: int = 1,
) -> pd.DataFrame:
    """Run every policy on every piece of an experiment.

    `frame` has jobs with the column piece, from `schedlab.core.splitting`, no rows if the log is
    not available. `settings` are columns of the experiment's row: processors, decisions, backfill,
    dialect, tau, head, and pieces (numbers of the pieces to run). `threads` are runs at a time; the
    result does not depend on it.

    Columns of the result: experiment, dialect, policy, piece, jobs (number), avebsld; a row per
    policy and piece, no rows if `frame` has none. Raises ValueError if a piece is not in `frame`.
    """
    frame = frame[frame["piece"].isin(settings["pieces"])]
    jobs = jobs_by_piece(frame, settings["decisions"] == "actual")
    if jobs and (absent := set(settings["pieces"]) - set(jobs)):
        raise ValueError(f"experiment {experiment}: there is no piece {min(absent)} of its jobs")
    plan = [(name, piece) for name in policies for piece in settings["pieces"] if jobs]
    runs = [run_of(jobs[piece], settings, policies[name]) for name, piece in plan]
    schedules = simulate_many(runs, threads)
    rows = [
        (
            *(experiment, run.dialect.name, name, piece, len(run.jobs)),
            average_bounded_slowdown(run.jobs, schedule, settings["tau"], run.head),
        )
        for (name, piece), run, schedule in zip(plan, runs, schedules, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)

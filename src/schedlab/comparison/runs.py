"""Results of a row of the sheet: every scheduler runs once over the log, scored by windows."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from schedlab.comparison.losers import LOSERS, find_losers
from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS, Scheduler, labels_of
from schedlab.comparison.settings import ARENA, ContestSettings
from schedlab.comparison.user_schedulers import run_user_policy, user_policies
from schedlab.core.jobs import ARRAYS, Jobs, Schedule, submit_order, submitted_in
from schedlab.core.machine import Machine
from schedlab.core.metrics import CONTEST, compute_metrics, shown_in
from schedlab.core.requests import COLUMNS
from schedlab.core.splitting import DAY
from schedlab.core.windows import Window, backlog, begin_of, is_overload, whole, windows_of
from schedlab.files.threads import over_threads
from schedlab.learning.weights.guarded import learn_weights
from schedlab.planning.requests import Requests
from schedlab.planning.settings import Planning
from schedlab.planning.settings import Scheduler as PlanScheduler
from schedlab.planning.simulation import simulate_plan
from schedlab.policies import Policy, get
from schedlab.policies.ageing import prefers_youth
from schedlab.policies.user_files import is_place
from schedlab.queue.dialects import Dialect
from schedlab.queue.predictions import simulate_predicted
from schedlab.queue.simulation import FULL, Run, check_settings, simulate
from schedlab.queue.site_dialect import AsConfigured, SiteSlurm
from schedlab.queue.site_run import simulate_policy
from schedlab.queue.slurm import default_reservations, refusal

logger = logging.getLogger(__name__)

FACTS = {"experiment": "str", "jobs": "int64", "days": "float64", "windows": "int64"}
FACTS |= {"load": "float64", "users": "int64", "learning": "int64", "weights": "str"}
FACTS |= {"backlog_before": "float64", "backlog_after": "float64", "overload": "bool"}
FACTS |= {"youth": "str", "absent": "str"}


def results_of(rows: Iterable[tuple[object, ...]]) -> pd.DataFrame:
    """Return the results of a comparison as a table, from its rows.

    Columns: experiment, scheduler, window, jobs (number counted in it), and one per metric.
    """
    types = {"experiment": "str", "scheduler": "str", "window": "int64", "jobs": "int64"}
    types |= dict.fromkeys(shown_in(CONTEST), "float64")
    return pd.DataFrame(rows, columns=list(types)).astype(types)


class ContestResults(NamedTuple):
    """Results of a row of the sheet.

    `results` are as from `results_of`, a row per scheduler and window. The window
    `schedlab.core.windows.WHOLE` covers all of them; metrics that depend on few jobs are taken from
    it. `facts` has one row of `FACTS`: jobs and days of the log, windows, offered load in them,
    known users, number of jobs that w_train was learned from and its weights. Backlog under EASY in
    days of the whole machine, when the first window begins and when the last one ends, and whether
    that is an overload. Schedulers that prefer younger jobs, and schedulers that could not run,
    with reasons. `losers` has a row of `schedlab.comparison.losers.LOSERS` per scheduler: jobs that
    wait longer than under EASY.
    """

    results: pd.DataFrame
    facts: pd.DataFrame
    losers: pd.DataFrame


def expressions_in(learned: str) -> dict[str, str]:
    """Return the expressions of learned policies in a table, by scheduler name."""
    table = pd.read_csv(learned)
    return dict(zip(table["name"].str.lower(), table["expression"], strict=True))


def columns_of(
    settings: ContestSettings, own: Mapping[str, str], present: Collection[str] = ()
) -> list[str] | None:
    """Return the columns of clean jobs that `compare_schedulers` reads; None: all of them.

    Requests are among them, where they are `present`.

    Functions of users may read any.
    """
    if any(map(is_place, [*settings.schedulers, *own.values()])):
        return None
    return [*ARRAYS, "user", *(name for name in COLUMNS if name in present)]


def compare_schedulers(
    settings: ContestSettings,
    frame: pd.DataFrame,
    learned: Mapping[str, str],
    own: Mapping[str, str],
    points: int,
    advice: Mapping[str, float],
    threads: int = 1,
    advance: Callable[[], object] | None = None,
    dialect: Dialect = FULL,
) -> ContestResults:
    """Run every scheduler of a row once over its log.

    `frame` has the clean jobs of the log; no rows if the log is not available. `learned` are
    expressions of learned policies by scheduler. `own` are user-defined policies by name: an
    expression (run as EASY), or ``file.py:function``. The search for the weights of w_train has
    `points` grid points per dimension. `advice` is that key of the configuration. `threads` are
    runs at a time; the result does not depend on it. `advance` is called after each run. Schedulers
    that the dialect cannot run are absent. In a site's Slurm, jobs that never start are left out.
    """
    if dialect.site and len(frame):
        frame = _started(dialect.site, frame)
    jobs, users, windows = jobs_and_windows(settings, frame)
    if not windows:
        return _without_results(settings, frame)
    early = jobs.take(submitted_in(jobs, 0, windows[0].begin))
    custom_policies = user_policies(settings.schedulers, own, frame)
    absent = absent_from(settings, frame, learned, early, custom_policies)
    absent |= refused_by(dialect, settings.schedulers, learned, custom_policies, absent)
    custom_policies = {
        name: policy for name, policy in custom_policies.items() if name not in absent
    }
    names = [name for name in settings.schedulers if name not in {*absent, *custom_policies}]
    mixed_policy = None
    if "w_train" in names:
        mixed_policy = learn_weights(
            *(early, settings.processors, points, settings.tau, advice, threads, dialect)
        )
    policies = policies_of(names, learned, mixed_policy)
    runs = runs_of(settings, names, policies, custom_policies, dialect)
    policies |= {
        name: order
        for name, order in custom_policies.items()
        if order.order not in ("function", "neural")
    }
    results = over_threads(lambda run: run(jobs, users), runs.values(), threads, advance)
    schedules = dict(zip(runs, results, strict=True))
    late = int(advice["late_days"] * DAY)
    rows = [
        row
        for name, schedule in schedules.items()
        for row in _metrics_rows(settings, name, windows, jobs, users, schedule, late)
    ]
    reference, span = schedules[REFERENCE], whole(windows)
    before, after = (
        backlog(jobs, reference, settings.processors, at) for at in (span.begin, span.end)
    )
    facts = _facts_of_log(settings, frame) | {
        "windows": len(windows),
        "load": offered_load(jobs, windows, settings.processors),
        "learning": len(early),
        "weights": mixed_policy.expression if mixed_policy else "",
        "backlog_before": before / DAY,
        "backlog_after": after / DAY,
        "overload": is_overload(before, after, span.end - span.begin),
        "youth": " ".join(name for name, order in policies.items() if prefers_youth(order, jobs)),
        "absent": "; ".join(f"{labels_of([name])[name]}: {why}" for name, why in absent.items()),
    }
    inside = submitted_in(jobs, span.begin, span.end)
    lost = find_losers(settings.experiment, jobs, users, schedules, inside, REFERENCE)
    return ContestResults(results_of(rows), pd.DataFrame([facts])[list(FACTS)].astype(FACTS), lost)


def _started(slurm: SiteSlurm, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the jobs that start in a site's own order, by submission."""
    order = submit_order(frame)
    ordered = frame if order is None else frame.iloc[order]
    jobs = Jobs.from_frame(ordered).rebased()
    schedule = simulate_policy(slurm, jobs, AsConfigured.of(slurm.site))
    if (never := np.flatnonzero(schedule.start < 0)).size:
        why = schedule.extras["jobs"]["why"][never[0]]
        logger.warning(
            "%d jobs never start and are left out; job %d: %s",
            *(len(never), jobs.number[never[0]], why),
        )
    return ordered[schedule.start >= 0]


def jobs_and_windows(
    settings: ContestSettings, frame: pd.DataFrame
) -> tuple[Jobs, np.ndarray, list[Window]]:
    """Return a log's jobs, their users, and the windows that are counted.

    `frame` has the clean jobs of the log. Submit times are from 0 on; users (int64, shape (n,)) are
    negative if unknown. Windows are those after the warm-up; windows without submissions are left
    out, the others keep their numbers.
    """
    order = submit_order(frame)
    ordered = frame if order is None else frame.iloc[order]
    jobs, users = Jobs.from_frame(ordered).rebased(), ordered["user"].to_numpy()
    if not len(jobs):
        return jobs, users, []
    windows = windows_of(jobs.submit, settings.days, begin_of(jobs.submit))
    return jobs, users, windows


def _facts_of_log(settings: ContestSettings, frame: pd.DataFrame) -> dict[str, object]:
    submit = frame["submit"].to_numpy()
    return {
        "experiment": settings.experiment,
        "jobs": len(frame),
        "days": (submit.max() - submit.min()) / DAY if len(submit) else 0.0,
        "users": frame.loc[frame["user"] >= 0, "user"].nunique(),
    }


def _without_results(settings: ContestSettings, frame: pd.DataFrame) -> ContestResults:
    """Return the results of a log that is not available, or too short for a window."""
    nothing = {"windows": 0, "load": np.nan, "learning": 0, "weights": "", "absent": ""}
    nothing |= {"backlog_before": np.nan, "backlog_after": np.nan, "overload": False, "youth": ""}
    return ContestResults(
        results_of([]),
        pd.DataFrame([_facts_of_log(settings, frame) | nothing])[list(FACTS)].astype(FACTS),
        pd.DataFrame(columns=list(LOSERS)).astype(LOSERS),
    )


def absent_from(
    settings: ContestSettings,
    frame: pd.DataFrame,
    learned: Mapping[str, str],
    early: Jobs,
    networks: Collection[str] = (),
) -> dict[str, str]:
    """Return which schedulers of a row cannot run on its log, and why; `networks` can."""
    lacking = {}
    for name in filter(SCHEDULERS.get, settings.schedulers):
        scheduler = SCHEDULERS[name]
        if scheduler.users and not (frame["user"] >= 0).any():
            lacking[name] = "the log has no users"
        elif scheduler.kind == "learned" and name not in learned:
            lacking[name] = "no such function was fitted"
        elif scheduler.kind == "neural" and name not in networks:
            lacking[name] = "its published weights are not available"
        elif scheduler.kind == "mixed" and not len(early):
            lacking[name] = "no job is submitted in the log's first quarter"
    return lacking


def refused_by(
    dialect: Dialect,
    schedulers: Sequence[str],
    learned: Mapping[str, str],
    custom: Mapping[str, Policy],
    absent: Mapping[str, str],
) -> dict[str, str]:
    """Return which schedulers a dialect cannot run, and why; `absent` ones are skipped."""
    refusals: dict[str, str] = {}
    if dialect == FULL:
        return refusals
    entries = {
        name: SCHEDULERS[name] for name in schedulers if name in SCHEDULERS and name not in absent
    }
    orders = dict(custom)
    for name, scheduler in entries.items():
        if name in custom:  # a published network
            continue
        if scheduler.kind in ("plan", "predicted"):
            refusals[name] = "has a simulator of its own, without dialects"
        elif scheduler.kind == "every" and dialect.is_slurm:
            refusals[name] = f"dialect {dialect.name} reserves for every job under EASY already"
        else:
            orders[name] = get(learned[name] if scheduler.kind == "learned" else scheduler.policy)
    for name, order in orders.items():
        # a user-defined policy runs as the reference does, with another order
        options = _options_of(entries.get(name, SCHEDULERS[REFERENCE]), order, dialect)
        try:
            if dialect.slurm and (why := refusal(order, options["backfill"])):
                raise ValueError(f"dialect {dialect.name} {why}")
            check_settings(**options)
        except ValueError as error:
            refusals[name] = str(error)
    return refusals


def offered_load(jobs: Jobs, windows: list[Window], processors: int) -> float:
    """Return the offered load of counted jobs: their area as a share of the machine's time."""
    span = whole(windows)
    inside = submitted_in(jobs, span.begin, span.end)
    area = (jobs.runtime * jobs.procs)[inside].sum()
    return float(area / (processors * (span.end - span.begin)))


def policies_of(
    names: list[str], learned: Mapping[str, str], mixed_policy: Policy | None
) -> dict[str, Policy]:
    """Return the queue order of each scheduler that is EASY with an order, by name."""
    policies = {}
    for name in names:
        scheduler = SCHEDULERS[name]
        if scheduler.kind == "order":
            policies[name] = get(scheduler.policy)
        elif scheduler.kind == "learned":
            policies[name] = get(learned[name])
        elif scheduler.kind == "mixed" and mixed_policy is not None:
            policies[name] = mixed_policy
    return policies


def runs_of(
    settings: ContestSettings,
    names: Iterable[str],
    policies: Mapping[str, Policy],
    custom: Mapping[str, Policy],
    dialect: Dialect = FULL,
) -> dict[str, Callable[[Jobs, np.ndarray], Schedule]]:
    """Return the functions that run schedulers over jobs and their users, by name."""
    runs = {name: runner(settings, SCHEDULERS[name], policies.get(name), dialect) for name in names}
    return runs | {
        name: partial(run_user_policy, settings.processors, policy, dialect)
        for name, policy in custom.items()
    }


def runner(
    settings: ContestSettings,
    scheduler: Scheduler,
    policy: Policy | None = None,
    dialect: Dialect = FULL,
) -> Callable[[Jobs, np.ndarray], Schedule]:
    """Return the function that runs a scheduler over jobs and their users.

    `dialect` can run the scheduler, by `refused_by`. `policy` is from `policies_of`; None for
    schedulers that are not EASY with an order.
    """
    processors = settings.processors
    if scheduler.kind == "predicted":
        return lambda jobs, users: simulate_predicted(jobs, users, processors)
    if scheduler.kind == "plan":
        return partial(_plan, settings, scheduler.policy)
    options = _options_of(scheduler, policy or get(scheduler.policy), dialect)
    return lambda jobs, users: simulate(Run(jobs, processors, **options))


def _options_of(scheduler: Scheduler, policy: Policy, dialect: Dialect) -> dict[str, Any]:
    """Return the options of a run of one queue by a scheduler, with `policy` as its order."""
    # in Slurm a mixed policy's order of backfilling is its queue order
    same = scheduler.kind == "mixed" and dialect.is_slurm
    return {
        "policy": policy,
        "backfill": get(scheduler.backfill) if scheduler.backfill and not same else None,
        "dialect": dialect,
        "threshold": scheduler.threshold,
        "reservations": "every" if scheduler.kind == "every" else default_reservations(dialect),
    }


def _plan(settings: ContestSettings, scheduler: str, jobs: Jobs, users: np.ndarray) -> Schedule:
    machine = Machine.of_processors(settings.processors)
    key = (ARENA, settings.experiment, settings.source, scheduler)
    planning = Planning(cast("PlanScheduler", scheduler))
    return simulate_plan(Requests(jobs, user=users), machine, planning, key)


def _metrics_rows(
    settings: ContestSettings,
    name: str,
    windows: list[Window],
    jobs: Jobs,
    users: np.ndarray,
    schedule: Schedule,
    late: int,
) -> Iterator[tuple[object, ...]]:
    # what the metrics keep with a schedule is freed with this copy
    schedule = Schedule(schedule.start, schedule.end)
    for window in (whole(windows), *windows):
        values = compute_metrics(
            *(jobs, users, schedule, settings.processors, window.begin, window.end),
            *(settings.tau, late),
        )
        counted = len(jobs.submit[submitted_in(jobs, window.begin, window.end)])
        yield (settings.experiment, name, window.number, counted, *values.values())

"""Guards against indefinite waits: how much gain they preserve, and the longest wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.comparison.runs import jobs_and_windows
from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS, labels_of
from schedlab.core.metrics import compute_metrics
from schedlab.core.splitting import DAY
from schedlab.core.windows import whole
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate_many

if TYPE_CHECKING:
    from schedlab.comparison.settings import ContestSettings
    from schedlab.policies import Policy

NONE, THRESHOLD, AGE = "none", "threshold", "age"
#: days after which a job goes first; days of waiting that weigh as much as a factor e in size
DAYS = {
    THRESHOLD: (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0),
    AGE: (0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0),
}
#: schedulers that get guards; a threshold has no effect on the queue of EASY-SJBF, which is in
#: order of submission
GUARDED = ("spf", "saf", "lpf", "f1", "f2", "f3", "f4", "easy_sjbf")
_SAME_SIZE = {"f3": "saf"}
COLUMNS = {"experiment": "str", "scheduler": "str", "guard": "str", "days": "float64"}
COLUMNS |= dict.fromkeys(("wait", "bsld", "p999_wait", "max_wait"), "float64")
MEASURED = list(COLUMNS)[4:]


def run_guards(settings: ContestSettings, frame: pd.DataFrame, threads: int = 1) -> pd.DataFrame:
    """Run each guarded scheduler with guards of several strengths over a log.

    `frame` has clean jobs of the log; no rows if the log is not available. `threads` runs execute
    at a time. Returns `COLUMNS`: metrics over all counted jobs; the first row is EASY, guard
    `NONE`.
    """
    jobs, users, windows = jobs_and_windows(settings, frame)
    if not windows:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    span = whole(windows)
    keys, runs = [(REFERENCE, NONE, np.nan)], [_run(jobs, settings, get(REFERENCE))]
    for name in GUARDED:
        scheduler = SCHEDULERS[name]
        order, backfill = (
            get(scheduler.policy),
            get(scheduler.backfill) if scheduler.backfill else None,
        )
        keys.append((name, NONE, np.nan))
        runs.append(_run(jobs, settings, order, backfill))
        for days in DAYS[THRESHOLD]:
            keys.append((name, THRESHOLD, days))
            runs.append(_run(jobs, settings, order, backfill, int(days * DAY)))
        for days in DAYS[AGE]:
            keys.append((name, AGE, days))
            if backfill:
                runs.append(_run(jobs, settings, order, aging_variant(scheduler.backfill, days)))
            else:
                runs.append(_run(jobs, settings, aging_variant(name, days)))
    rows = []
    for key, schedule in zip(keys, simulate_many(runs, threads), strict=True):
        metrics = compute_metrics(
            *(jobs, users, schedule, settings.processors, span.begin, span.end), settings.tau
        )
        rows.append((settings.experiment, *key, *(metrics[one] for one in MEASURED)))
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def aging_variant(name: str, days: float) -> Policy:
    """Return the aging variant of a policy, with other days than the registered one.

    The policy has a registered variant ``<name>_age``, or is F3, whose size is that of SAF. `days`
    of waiting weigh as much as a size smaller by the factor e.
    """
    name = get(_SAME_SIZE.get(name, name)).name
    size, _, _ = get(f"{name}_age").expression.rpartition(" + s / ")
    return get(f"{size} + s / {days * DAY}")


def _run(jobs, settings: ContestSettings, order: Policy, backfill=None, threshold=None) -> Run:
    return Run(jobs, settings.processors, order, backfill, threshold=threshold, reservations="head")


def guards_table(results: pd.DataFrame) -> pd.DataFrame:
    """Return the benefit and cost of each guard over all logs; rows are from `run_guards`.

    Columns: scheduler (label); guard, days; ratios to EASY, geometric means over logs: wait, bsld,
    p999_wait, max_wait; worst_max_wait: the largest ratio of the longest wait on any log. Values
    below one second, or below one for the slowdown, count as one.
    """
    easy = results[results["scheduler"] == REFERENCE].set_index("experiment")
    rows = results[results["scheduler"] != REFERENCE]
    ratios = rows.copy()
    for column in MEASURED:
        base = rows["experiment"].map(easy[column]).clip(lower=1.0)
        ratios[column] = np.log(rows[column].clip(lower=1.0) / base)
    grouped = ratios.groupby(["scheduler", "guard", "days"], sort=False, dropna=False)
    table = np.exp(grouped[MEASURED].mean())
    table["worst_max_wait"] = np.exp(grouped["max_wait"].max())
    table = table.reset_index()
    table["scheduler"] = table["scheduler"].map(labels_of(list(GUARDED)))
    return table

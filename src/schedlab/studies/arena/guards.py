"""Guards against indefinite waits: how much gain they preserve, and the longest wait."""

from dataclasses import replace

import numpy as np
import pandas as pd

from schedlab.comparison.runs import jobs_and_windows, runner
from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS, labels_of
from schedlab.comparison.settings import ContestSettings
from schedlab.core.metrics import compute_metrics
from schedlab.core.splitting import DAY
from schedlab.core.windows import whole
from schedlab.files.threads import over_threads
from schedlab.policies import Policy, get
from schedlab.queue.simulation import FULL

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

    Returns `COLUMNS`: metrics over all counted jobs; the first row is EASY, guard `NONE`. Without a
    window, or in another dialect than EASY's, there are no rows.
    """
    jobs, users, windows = jobs_and_windows(settings, frame)
    if not windows or settings.dialect != FULL.name:
        return pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    span = whole(windows)
    guarded = {(REFERENCE, NONE, np.nan): SCHEDULERS[REFERENCE]}
    for name in GUARDED:
        scheduler = SCHEDULERS[name]
        guarded[name, NONE, np.nan] = scheduler
        for days in DAYS[THRESHOLD]:
            guarded[name, THRESHOLD, days] = replace(scheduler, threshold=int(days * DAY))
        aged = "backfill" if scheduler.backfill else "policy"
        for days in DAYS[AGE]:
            order = aging_variant(scheduler.backfill or name, days)
            guarded[name, AGE, days] = replace(scheduler, **{aged: order.expression})
    runs = [runner(settings, scheduler) for scheduler in guarded.values()]
    schedules = over_threads(lambda run: run(jobs, users), runs, threads)
    rows = []
    for key, schedule in zip(guarded, schedules, strict=True):
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
        base = rows["experiment"].map(easy[column]).astype(float).clip(lower=1.0)
        ratios[column] = np.log(rows[column].clip(lower=1.0) / base)
    grouped = ratios.groupby(["scheduler", "guard", "days"], sort=False, dropna=False)
    table = np.exp(grouped[MEASURED].mean())
    table["worst_max_wait"] = np.exp(grouped["max_wait"].max())
    table = table.reset_index()
    table["scheduler"] = table["scheduler"].map(labels_of(list(GUARDED)))
    return table

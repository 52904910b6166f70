"""A log's schedules job by job, as a page: under EASY, the recommended and the best schedulers."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from schedlab.comparison.runs import jobs_and_windows, policies_of, runs_of
from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS, labels_of
from schedlab.comparison.settings import ContestSettings
from schedlab.comparison.user_schedulers import user_policies
from schedlab.core.markers import NOT_AVAILABLE
from schedlab.core.metrics import METRICS
from schedlab.core.windows import WHOLE
from schedlab.files.stand_ins import NOTE, is_stand_in
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.report.words import joined
from schedlab.workbench.explorer import write_explorer, write_notice

#: metrics by which the best scheduler of the log is shown
BEST_BY = ("wait", "bsld")
#: kind of the schedulers that are too slow for a page
PLAN = "plan"


def schedulers_shown(
    results: pd.DataFrame, recommended: str, is_model: bool = False
) -> dict[str, str]:
    """Return the schedulers that a log's page shows, with the reason for each.

    `results` are the rows of the log, from `schedlab.comparison.runs.compare_schedulers`.
    `recommended` is the arena's choice; empty if it has none. `is_model`: a model replaces the log,
    so nothing is recommended. Plan-based schedulers are left out,
    because a run of them takes minutes; a reason names those that are better.

    >>> rows = [("fcfs", 0, 9.0, 5.0), ("saf", 0, 4.0, 3.0), ("f1", 0, 6.0, 2.0)]
    >>> results = pd.DataFrame(rows, columns=["scheduler", "window", "wait", "bsld"])
    >>> list(schedulers_shown(results, "saf"))
    ['fcfs', 'saf', 'f1']
    """
    over_all = results[results["window"] == WHOLE].set_index("scheduler")
    plans = [
        name for name in over_all.index if name in SCHEDULERS and SCHEDULERS[name].kind == PLAN
    ]
    others = over_all.drop(index=plans)
    reasons: dict[str, list[str]] = {REFERENCE: []}
    if recommended in others.index:
        why = "first in the arena's demonstration" if is_model else "recommended for all logs"
        reasons.setdefault(recommended, []).append(why)
    for metric in BEST_BY:
        best = str(others[metric].idxmin())
        ahead = labels_of([name for name in plans if over_all[metric][name] < others[metric][best]])
        beyond = f" except {joined(list(ahead.values()))}" if ahead else ""
        why = f"smallest {METRICS[metric].label} of this {'model' if is_model else 'log'}{beyond}"
        reasons.setdefault(best, []).append(why)
    return {name: " and ".join(why) for name, why in reasons.items()}


def write_schedules(
    path: str | Path,
    settings: ContestSettings,
    frame: pd.DataFrame,
    results: pd.DataFrame,
    *,
    recommended: str,
    learned: Mapping[str, str],
    weights: str,
    own: Mapping[str, str],
    label: str,
) -> list[str]:
    """Run the schedulers of `schedulers_shown` over a log again, and write the page; return labels.

    `weights` is the expression of w_train. Without a window, the page states that the log is too
    short, or not available.
    """
    back = (f"../explore.html#log={quote(label)}", "Explore")
    if results.empty:
        short = f"no window of {settings.days} days after the first quarter"
        write_notice(path, f"{label}: {NOT_AVAILABLE if frame.empty else short}", back)
        return []
    jobs, users, windows = jobs_and_windows(settings, frame)
    shown = schedulers_shown(results, recommended, is_stand_in(label))
    custom = user_policies(settings.schedulers, own, frame)
    names = [name for name in shown if name in SCHEDULERS]
    policies = policies_of(names, learned, get(weights) if weights else None)
    runs = runs_of(
        *(settings, names, policies, {n: custom[n] for n in shown if n in custom}),
        dialect_of(settings.dialect),
    )
    labels = labels_of(list(shown))
    reasons = "; ".join(f"{labels[name]}: {why}" for name, why in shown.items() if why)
    write_explorer(
        path,
        jobs,
        {labels[name]: runs[name](jobs, users) for name in shown},
        settings.processors,
        title=f"{label}: {' · '.join(labels.values())}",
        note=(
            f"{NOTE * is_stand_in(label)}{reasons}. Each is one run over the whole "
            f"{'model workload' if is_stand_in(label) else 'log'} with the users' estimates. Means "
            "here are over all jobs, in the arena over those of its windows"
        ),
        users=users,
        back=back,
        windows={str(window.number): (window.begin, window.end) for window in windows},
    )
    return list(labels.values())

"""Runs of a log on a site's own Slurm with changed settings, measured window by window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Schedule, submitted_in
from schedlab.core.metrics import compute_metrics
from schedlab.core.splitting import DAY
from schedlab.core.windows import WHOLE, Window, begin_of, whole, windows_of
from schedlab.files.threads import over_threads
from schedlab.learning.weights.guarded import too_long
from schedlab.queue.site_dialect import AsConfigured, SiteSlurm
from schedlab.queue.site_run import simulate_policy
from schedlab.studies.site.settings import SITE
from schedlab.workbench.results import policy_of, size_classes

if TYPE_CHECKING:
    from schedlab.core.slurm_site import Site
    from schedlab.studies.site.changes import Change
    from schedlab.workbench.log import Log
    from schedlab.workbench.site_results import SiteResult

#: name of the site's settings of today among trials
TODAY = "today"
#: properties by which jobs gain or lose, and the smallest number of jobs of a group that is named
KINDS, FEWEST = ("partition", "qos", "account", "size"), 10
#: metrics by which settings are chosen
RANKED_BY = ("wait", "bsld")
#: windows that a log should have; shorter ones are used if it has fewer of a week
WINDOWS = 12
#: seconds of the log that have six windows of a day for each half, after the warm-up
SHORTEST = 18 * DAY
RESULTS = ("experiment", "scheduler", "window", "wait", "bsld", "max_wait")
REFUSED = ("scheduler", "jobs")
GROUPS = ("scheduler", "kind", "group", "jobs", "today", "wait")


@dataclass(frozen=True, eq=False)
class Course:
    """A log on which settings are tried.

    Parameters
    ----------
    log : Log
        Jobs that start under today's settings.
    slurm : SiteSlurm
        Today's settings, and when the controller's periodic work begins.
    read : callable
        Returns the site with further settings, as of ``--slurm-set``.
    names : DataFrame
        A row per job: partition, qos and account.
    windows : list of Window
        Counted windows, the first half for training.
    today : ndarray of int64 or None
        Starts of the jobs under today's settings, if they are known.
    """

    log: Log
    slurm: SiteSlurm
    read: Callable[[Sequence[str]], Site]
    names: pd.DataFrame
    windows: list[Window]
    today: np.ndarray | None = None

    @property
    def training(self) -> list[Window]:
        """Windows in which settings are chosen."""
        return self.windows[: len(self.windows) // 2]

    @property
    def held_out(self) -> list[Window]:
        """Windows in which the chosen settings are judged."""
        return self.windows[len(self.windows) // 2 :]

    def before(self, second: int) -> Course:
        """Return the course with the jobs that are submitted before a second."""
        windows = [window for window in self.windows if window.end <= second]
        return replace(self._part(self.log.jobs.submit < second), windows=windows)

    def latest(self, most: int, days: int) -> Course:
        """Return the course with so many of the last jobs, and windows for them.

        It has more jobs if these came in less than `SHORTEST` seconds, which have too few windows.
        """
        submit = self.log.jobs.submit
        is_last = np.arange(len(self.log)) >= len(self.log) - most
        part = self._part(is_last | (submit > submit[-1] - SHORTEST))
        return replace(part, windows=windows_for(part.log.jobs.submit, days))

    def _part(self, chosen: np.ndarray) -> Course:
        if chosen.all():
            return self
        names = self.names[chosen].reset_index(drop=True)
        # fewer jobs have other starts
        return replace(self, log=self.log.take(chosen), names=names, today=None)

    def starts(self, change: Change | None) -> np.ndarray:
        """Return the start of each job under a change, -1 if it never starts."""
        if change is None and self.today is not None:
            return self.today
        site, jobs = self.slurm.site, self.log.jobs
        if change and change.texts:
            site = self.read(change.texts)
        if change and change.limit:
            jobs = replace(jobs, estimate=self._limits(change))
        slurm = SiteSlurm(site, self.slurm.phases, self.slurm.most)
        policy = policy_of(change.policy) if change and change.policy else AsConfigured.of(site)
        return simulate_policy(slurm, jobs, policy).start

    def _limits(self, change: Change) -> np.ndarray:
        """Return the limits of jobs if those with the default one get another, or run longer."""
        limit, jobs = change.limit, self.log.jobs
        assert limit is not None
        has_default = (jobs.estimate == limit.before) & (self.names["partition"] == limit.partition)
        return np.where(has_default, np.maximum(limit.after, jobs.runtime), jobs.estimate)


def ratios_on(course: Course, change: Change, longest_wait: float) -> tuple[float, float]:
    """Return the ratios of mean wait and mean bounded slowdown to today, over all windows.

    Infinite if a job never starts, or waits more than `longest_wait` times today's longest wait.
    """
    starts = [course.starts(None), course.starts(change)]
    if (starts[1] < 0).any():
        return np.inf, np.inf
    today, changed = (rows_of(course, "", start)[0] for start in starts)
    if too_long(*(float(str(row["max_wait"])) for row in (changed, today)), longest_wait):
        return np.inf, np.inf
    wait, slowdown = (float(str(changed[name])) / float(str(today[name])) for name in RANKED_BY)
    return wait, slowdown


def schedule_of(result: SiteResult) -> pd.DataFrame:
    """Return the simulated schedule of a whole log as `course_of` takes it: a row per start."""
    names = result.schedule.extras["jobs"][["partition", "qos", "account"]]
    return names.assign(number=result.log.jobs.number, start=result.schedule.start)


def course_of(
    log: Log, slurm: SiteSlurm, read: Callable[[Sequence[str]], Site], schedule: pd.DataFrame
) -> Course:
    """Return the course of a log: the jobs that start under today's settings.

    `schedule` is that of today's settings on the whole log, from `schedule_of`.
    """
    starts = np.isin(log.jobs.number, schedule["number"])
    names = schedule[["partition", "qos", "account"]]
    # jobs that never start hold others up, which then start earlier without them
    today = schedule["start"].to_numpy() if starts.all() else None
    return Course(log if starts.all() else log.take(starts), slurm, read, names, [], today)


def windows_for(submit: np.ndarray, days: int) -> list[Window]:
    """Return the windows after the warm-up, of `days` days, or of one if there are few."""
    begin = begin_of(submit)
    long = windows_of(submit, days, begin)
    return long if len(long) >= WINDOWS else windows_of(submit, 1, begin) or long


@dataclass(frozen=True, eq=False)
class Trials:
    """Results of changes.

    Parameters
    ----------
    results : DataFrame
        A row per change and window (`WHOLE` for all of them): experiment, scheduler (the label),
        window and `schedlab.core.metrics.window_metrics`; `TODAY` is the first.
    groups : DataFrame
        Mean waits (s) of the jobs of each partition, QOS, account and size in all windows, today
        and under each change: `GROUPS`.
    refused : DataFrame
        Changes under which jobs never start: label and number of jobs.
    """

    results: pd.DataFrame
    groups: pd.DataFrame
    refused: pd.DataFrame

    @staticmethod
    def joined(*parts: Trials) -> Trials:
        """Return the trials of several parts."""
        frames = ("results", "groups", "refused")
        each = [pd.concat([getattr(part, name) for part in parts]) for name in frames]
        return Trials(*(frame.reset_index(drop=True) for frame in each))


def try_changes(
    course: Course,
    changes: Sequence[Change],
    threads: int = 1,
    advance: Callable[[], object] | None = None,
    today: np.ndarray | None = None,
) -> Trials:
    """Simulate a log under today's settings and under each change.

    `today` has the starts under today's settings, if they are known; then they have no rows.
    Without windows nothing is simulated, and there are no rows.
    """
    if not course.windows:
        return Trials(*(pd.DataFrame(columns=list(each)) for each in (RESULTS, GROUPS, REFUSED)))
    tried: list[Change | None] = [*([None] if today is None else []), *changes]
    starts = over_threads(course.starts, tried, threads, advance)
    reference = starts[0] if today is None else today
    labels = [change.label if change else TODAY for change in tried]
    rows, groups, refused = [], [], []
    for label, start in zip(labels, starts, strict=True):
        if never := int((start < 0).sum()):
            refused.append((label, never))
            continue
        rows += rows_of(course, label, start)
        groups.append(groups_of(course, label, start, reference))
    return Trials(
        pd.DataFrame(rows),
        pd.concat(groups, ignore_index=True) if groups else pd.DataFrame(columns=list(GROUPS)),
        pd.DataFrame(refused, columns=list(REFUSED)),
    )


def rows_of(course: Course, label: str, start: np.ndarray) -> list[dict[str, object]]:
    """Return the metrics of starts in each window and in all of them."""
    log, schedule = course.log, Schedule(start, start + course.log.jobs.runtime)
    users = log.frame["user"].to_numpy()
    windows = [whole(course.windows), *course.windows]
    assert all(window.number != WHOLE for window in windows[1:])
    return [
        {"experiment": SITE, "scheduler": label, "window": window.number}
        | compute_metrics(log.jobs, users, schedule, log.processors, window.begin, window.end)
        for window in windows
    ]


def groups_of(course: Course, label: str, start: np.ndarray, reference: np.ndarray) -> pd.DataFrame:
    """Return the mean waits of groups of jobs in all windows, under a change and today."""
    span, jobs = whole(course.windows), course.log.jobs
    inside = submitted_in(jobs, span.begin, span.end)
    keys = course.names.assign(size=size_classes(jobs.procs))
    frame = keys.assign(wait=start - jobs.submit, today=reference - jobs.submit)[inside]
    parts = []
    for kind in KINDS:
        table = frame.groupby(kind, observed=True).agg(
            jobs=("wait", "size"), today=("today", "mean"), wait=("wait", "mean")
        )
        parts.append(table.rename_axis("group").reset_index().assign(scheduler=label, kind=kind))
    return pd.concat(parts, ignore_index=True)[list(GROUPS)]


def extremes(groups: pd.DataFrame) -> pd.DataFrame:
    """Return, by change, the groups whose mean wait falls and grows most: gains and loses.

    Groups have at least `FEWEST` jobs. A text is "" if no group gains or loses.
    """
    rows = {}
    large = groups[groups["jobs"] >= FEWEST]
    for label, part in large.groupby("scheduler", sort=False):
        difference = (part["wait"] - part["today"]).to_numpy()
        ends = {"gains": int(difference.argmin()), "loses": int(difference.argmax())}
        rows[label] = {
            name: said_of(part.iloc[place]) if sign * difference[place] > 0 else ""
            for (name, place), sign in zip(ends.items(), (-1, 1), strict=True)
        }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["gains", "loses"])


def said_of(row: pd.Series) -> str:
    """Return a group with its mean waits in hours.

    >>> said_of(pd.Series({"kind": "qos", "group": "high", "today": 3600.0, "wait": 5400.0}))
    'QOS high: 1.0 to 1.5 h'
    """
    kind = {"qos": "QOS", "size": "processors"}.get(row["kind"], row["kind"])
    return f"{kind} {row['group']}: {row['today'] / 3600:.1f} to {row['wait'] / 3600:.1f} h"

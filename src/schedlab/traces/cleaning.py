"""Cleaning of logs: named rule sets, and a ledger of every job that they drop or change.

A rule set first defines which fields of the log it reads and the clock (the reading). Then it
applies its rules in order and records their actions in the ledger. The ledger can be replayed on
the raw log under the same reading and gives the same jobs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from schedlab.core.splitting import MONTH, WEEK
from schedlab.files.progress import counted_and_logged
from schedlab.traces.parts import Columns

if TYPE_CHECKING:
    from schedlab.traces.parts import Parts

COLUMNS = ("number", "submit", "runtime", "estimate", "procs", "user", "group", "queue")
#: Further columns that a rule set may keep: numbers, which are fields of the log (-1 if it lacks
#: them), and texts, with the log's field past the 18th for each (empty if the log lacks it).
NUMBERS = ("wait", "requested_time", "requested_memory")
TEXTS = {"queue_name": "field20", "node_spec": "field21"}
LEDGER_DTYPES = {
    "log": "str",
    "rule": "str",
    "number": "int64",
    "field": "str",
    "before": "Int64",
    "after": "Int64",
}


@dataclass(frozen=True)
class Rule:
    """Rule that drops or changes jobs, with its name in the ledger, description and source.

    `field` is the column that it checks and changes. ``applies(jobs)`` returns a mask of the
    affected jobs; ``value(jobs)`` the field's new values for those jobs, None to drop them.
    `of_log`: whether jobs are affected because of others, so that it applies to a log as a whole.
    """

    name: str
    description: str
    source: str
    field: str
    applies: Callable[[pd.DataFrame], pd.Series]
    value: Callable[[pd.DataFrame], pd.Series] | None = None
    of_log: bool = False


@dataclass(frozen=True)
class RuleSet:
    """Rule set for a log: a reading, then rules in order.

    Parameters
    ----------
    name, description : str
        Name in the experiment sheet, and description in one line.
    estimate : str
        The log's column that is read as the estimate: ``requested_time`` (field 9), or ``runtime``
        (field 4) if decisions use actual run times.
    rules : tuple of str
        Names of `RULES`, in order of application.
    clock : {"log", "unix", "unix_week"}
        Zero of submit times: the log's own, that of Unix time, or the beginning of the week of
        Unix time in which the log begins.
    procs : {"used", "requested"}
        Processors that the job used (field 5), or that it requested (field 8) if known.
    keeps : tuple of str
        Names of `NUMBERS` and `TEXTS`: further columns of clean jobs besides `COLUMNS`.
    varies : str
        The set from which it differs in one rule, to show its effect; not for your logs.
    """

    name: str
    description: str
    estimate: str
    rules: tuple[str, ...]
    clock: Literal["log", "unix", "unix_week"] = "log"
    procs: Literal["used", "requested"] = "used"
    keeps: tuple[str, ...] = ()
    varies: str = ""


def _is_outer(period: int, jobs: pd.DataFrame) -> pd.Series:
    """Return which jobs were submitted in the first or last period of the log."""
    number = jobs["submit"] // period
    return (number == number.min()) | (number == number.max())


def _crosses(period: int, jobs: pd.DataFrame) -> pd.Series:
    """Return which jobs ended, in the log, in another period than that of submission."""
    return jobs["end"] // period != jobs["submit"] // period


RULES = {
    rule.name: rule
    for rule in (
        Rule(
            "submit_known",
            "drop jobs with an unknown submit time (-1): their arrival is unknown",
            "the format's definition",
            "submit",
            lambda jobs: jobs["submit"] < 0,
        ),
        Rule(
            "runtime_positive",
            "drop jobs with a run time of 0 or less, or unknown: they never ran",
            "carastan2017, its public scripts",
            "runtime",
            lambda jobs: jobs["runtime"] <= 0,
        ),
        Rule(
            "procs_positive",
            "drop jobs with 0 processors or an unknown number",
            "carastan2017, its public scripts",
            "procs",
            lambda jobs: jobs["procs"] <= 0,
        ),
        Rule(
            "estimate_positive",
            "drop jobs without a requested time (field 9)",
            "carastan2017, its public scripts for the estimate and backfilling regimes",
            "estimate",
            lambda jobs: jobs["estimate"] <= 0,
        ),
        Rule(
            "estimate_covers_runtime",
            "raise estimates below the run time to it: a job past its estimate has no defined end",
            "legrand2018 and the field's simulators of backfilling",
            "estimate",
            lambda jobs: jobs["estimate"] < jobs["runtime"],
            lambda jobs: jobs["runtime"],
        ),
        Rule(
            "runtime_within_estimate",
            "drop jobs that ran longer than their requested time, and those without one",
            "legrand2018: its simulator refuses them",
            "runtime",
            lambda jobs: jobs["runtime"] > jobs["estimate"],
        ),
        Rule(
            "estimate_is_runtime",
            "set estimates to the run time, as if users knew it",
            "the effect of inaccurate estimates",
            "estimate",
            lambda jobs: jobs["estimate"] != jobs["runtime"],
            lambda jobs: jobs["runtime"],
        ),
        Rule(
            "user_known",
            "drop jobs without a user (-1): no user reacts or is treated fairly",
            "klusacek2016, section 4.3: jobs are submitted by their users",
            "user",
            lambda jobs: jobs["user"] < 0,
        ),
        *(
            rule
            for name, period in (("week", WEEK), ("month", MONTH))
            for rule in (
                Rule(
                    f"{name}_whole",
                    f"drop jobs submitted in the log's first or last {name}, which it cuts short",
                    "legrand2018, section 5.1, and the simulator behind it",
                    "submit",
                    partial(_is_outer, period),
                    of_log=True,
                ),
                Rule(
                    f"{name}_crossed",
                    f"drop jobs that the log ends in another {name} than they were submitted in",
                    "legrand2018, section 5.1",
                    "end",
                    partial(_crosses, period),
                ),
            )
        ),
    )
}

_RAN = ("submit_known", "runtime_positive", "procs_positive")
_REQUESTED = (*_RAN, "estimate_positive")

#: every set begins with the rules of `_RAN`
RULE_SETS = {
    rules.name: rules
    for rules in (
        RuleSet(
            "sc17_actual",
            "jobs that ran on at least a processor; decisions on actual run times",
            "runtime",
            _RAN,
        ),
        RuleSet(
            "sc17_estimate",
            "jobs that ran and have a requested time, which stands as it is",
            "requested_time",
            _REQUESTED,
        ),
        RuleSet(
            "full_actual",
            "as sc17_actual, no estimate below the run time",
            "runtime",
            (*_RAN, "estimate_covers_runtime"),
        ),
        RuleSet(
            "full_estimate",
            "as sc17_estimate, no estimate below the run time",
            "requested_time",
            (*_REQUESTED, "estimate_covers_runtime"),
        ),
        RuleSet(
            "full_estimate_waits",
            "as full_estimate; the wait that the log has is kept",
            "requested_time",
            (*_REQUESTED, "estimate_covers_runtime"),
            keeps=("wait",),
        ),
        RuleSet(
            "rr9212",
            "jobs that ran no longer than their requested time on the processors they requested",
            "requested_time",
            (*_RAN, "runtime_within_estimate"),
            procs="requested",
        ),
        # variants with one change each, to show its effect on the published numbers
        RuleSet(
            "rr9212_raised",
            "as rr9212, but those that ran longer stay and their estimates are raised",
            "requested_time",
            (*_RAN, "estimate_covers_runtime"),
            procs="requested",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_used",
            "as rr9212, on the processors they had",
            "requested_time",
            (*_RAN, "runtime_within_estimate"),
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_uncrossed",
            "as rr9212, within one week of the log's own clock",
            "requested_time",
            (*_RAN, "runtime_within_estimate", "week_crossed"),
            procs="requested",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_thursdays",
            "as rr9212, on a clock whose weeks are those of Unix time, Thursday to Wednesday",
            "requested_time",
            (*_RAN, "runtime_within_estimate"),
            "unix_week",
            procs="requested",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_known",
            "as rr9212, with the run times as estimates",
            "requested_time",
            (*_RAN, "runtime_within_estimate", "estimate_is_runtime"),
            procs="requested",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_ran",
            "jobs that ran on at least a processor, no estimate below the run time",
            "requested_time",
            (*_RAN, "estimate_covers_runtime"),
        ),
        *(
            RuleSet(
                f"rr9212_{name}s",
                f"as rr9212_ran, within one whole {name} of Unix time",
                "requested_time",
                (*_RAN, "estimate_covers_runtime", f"{name}_whole", f"{name}_crossed"),
                "unix",
            )
            for name in ("week", "month")
        ),
        # A run time above the requested time is the limit plus the time to end the job (median 35
        # s in wagap-2013). As in Alea, the paper's simulator, the job keeps its run time, and its
        # estimate is raised to it. Queues and the user behavior model use requested_time, the
        # limit.
        RuleSet(
            "klusacek2016",
            "as full_estimate, of known users; their requests are kept",
            "requested_time",
            (*_RAN, "estimate_positive", "user_known", "estimate_covers_runtime"),
            keeps=(*NUMBERS, *TEXTS),
        ),
    )
}

#: rule sets for your logs
CHOICES = tuple(name for name, rules in RULE_SETS.items() if not rules.varies)


def clean(
    frame: pd.DataFrame,
    rules: str,
    log: str,
    unix_start: int | None = None,
    limit: Rule | None = None,
    fits: Rule | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Apply a rule set to the jobs of a log; return the clean jobs and the ledger.

    Jobs are from `schedlab.traces.swf.read_swf`; with the columns past the 18th
    (`SwfLog.all_fields`) for rule sets that keep them. `rules` is a name of `RULE_SETS`; `log` is
    the log's name, for the ledger. `unix_start` is UnixStartTime of the log's header, in seconds;
    rule sets on Unix time add it to times. `limit` is a site rule on the estimates of jobs that
    ran, applied before those of the rule set; see `schedlab.traces.site_rules.default_limit`.
    `fits` is a site rule on the remaining jobs; see `schedlab.traces.site_rules.fits_machine`.

    Returns
    -------
    jobs : pandas.DataFrame
        The columns `COLUMNS`, all int64, in the order of `frame`, then the further columns that
        the rule set keeps. Seconds and processors; user, group and queue are -1 if unknown.
    ledger : pandas.DataFrame
        The columns log, rule, number, field, before, after: a row for each job and rule that
        dropped it (after is missing) or changed one of its fields, in the order of the rules.

    Raises
    ------
    ValueError
        The rule set is unknown, the log lacks a field, or its header lacks the start time that the
        rule set's clock needs.
    """
    cleaning = Cleaning(rules, log, unix_start, limit, fits)
    cleaning.add(frame)
    return cleaning.finish()


class Cleaning:
    """Cleaning of a log part by part, so that only its clean jobs are in memory.

    The parameters are those of `clean`; `more` names columns of the log to keep, besides those of
    the rule set, if it has them. Rules that need the log as a whole are applied after the last
    part.

    Attributes
    ----------
    jobs : int
        Number of jobs before cleaning.
    area : float
        Processors times run time of these jobs, in seconds; an unknown value counts as 0.
    """

    def __init__(
        self,
        rules: str,
        log: str,
        unix_start: int | None = None,
        limit: Rule | None = None,
        fits: Rule | None = None,
        more: tuple[str, ...] = (),
    ) -> None:
        self._rule_set = _rule_set(rules)
        self._log, self._unix_start, self._more = log, unix_start, more
        first_rules = self._rule_set.rules[: len(_RAN)]
        later_rules = self._rule_set.rules[len(_RAN) :]
        steps = (*map(RULES.get, first_rules), limit, *map(RULES.get, later_rules), fits)
        self._steps = [rule for rule in steps if rule]
        of_log = [rule.of_log for rule in self._steps]
        #: number of rules that are applied to each part
        self._by_part = of_log.index(True) if any(of_log) else len(of_log)
        self._pages: list[list[pd.DataFrame]] = [[] for _ in self._steps]
        self._columns = Columns()
        self.jobs, self.area = 0, 0.0
        self._dropped = {rule.name: (0, 0.0) for rule in self._steps}

    @property
    def dropped(self) -> dict[str, tuple[int, float]]:
        """Number and area of the jobs that each rule dropped, in the rules' order."""
        return {name: lost for name, lost in self._dropped.items() if lost[0]}

    def add(self, part: pd.DataFrame) -> None:
        """Clean the next jobs of the log; raise `ValueError` as `clean` does."""
        jobs = _read_as(part, self._rule_set, self._log, self._unix_start)
        kept = [name for name in self._more if name in part and name not in jobs]
        jobs = jobs.assign(**{name: part[name] for name in kept}, area=areas(part))
        self.jobs += len(jobs)
        self.area += float(jobs["area"].sum())
        jobs = self._apply(range(self._by_part), jobs)
        if self._by_part == len(self._steps):
            jobs = jobs.drop(columns=["end", "area"])
        self._columns.add(jobs)

    def all_of(self, parts: Parts) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the clean jobs of a log in parts, and the ledger, as `clean` does."""
        label = f"jobs of {self._log} cleaned"
        with counted_and_logged(label, None) as advance:
            for part in parts:
                self.add(part)
                advance(len(part))
        return self.finish(parts.in_order)

    def finish(self, in_order: bool = True) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the clean jobs and the ledger of `clean`.

        If the parts are not `in_order`, jobs are sorted by submit time, then number.
        """
        jobs = pd.DataFrame(self._columns.taken(), copy=False)
        jobs = self._apply(range(self._by_part, len(self._steps)), jobs)
        more = [name for name in self._more if name in jobs and name not in self._rule_set.keeps]
        jobs = jobs[[*COLUMNS, *self._rule_set.keeps, *more]]
        if not in_order:
            jobs = jobs.iloc[np.lexsort((jobs["number"], jobs["submit"]))]
        pages = [page for pages in self._pages for page in pages]
        return jobs.reset_index(drop=True), pd.concat(pages, ignore_index=True)

    def _apply(self, places: range, jobs: pd.DataFrame) -> pd.DataFrame:
        """Apply some of the rules, and record what they do."""
        for place in places:
            rule = self._steps[place]
            concerned = rule.applies(jobs).to_numpy()
            rows = jobs[concerned]
            after = None if rule.value is None else rule.value(rows)
            self._pages[place].append(_page(self._log, rule, rows, after))
            if not concerned.any():
                continue
            if after is None:
                jobs = jobs[~concerned]
                count, area = self._dropped[rule.name]
                self._dropped[rule.name] = count + len(rows), area + float(rows["area"].sum())
            else:
                values = jobs[rule.field].to_numpy(copy=True)
                values[concerned] = after
                jobs = jobs.assign(**{rule.field: values})
        return jobs


def areas(jobs: pd.DataFrame) -> pd.Series:
    """Return processors times run time of each job; sums of whole numbers have no rounding."""
    return jobs["runtime"].clip(lower=0).astype("float64") * jobs["procs"].clip(lower=0)


def as_log(jobs: pd.DataFrame, estimated: bool) -> pd.DataFrame:
    """Return a model's jobs with the fields of a log, for cleaning.

    `jobs` has the columns `COLUMNS`. If the model draws no estimates (`estimated`), there are no
    requested times.
    """
    requested = {"requested_procs": jobs["procs"], "requested_time": jobs["estimate"]}
    return jobs.assign(wait=-1, **requested if estimated else requested | {"requested_time": -1})


def replay(
    frame: pd.DataFrame, ledger: pd.DataFrame, rules: str, unix_start: int | None = None
) -> pd.DataFrame:
    """Apply a ledger from `clean` to a raw log without evaluating the rules.

    Parameters are as for `clean`, and the result is the same jobs. The rule set gives the reading:
    the column of the estimate and the zero of times. Raises ValueError if the ledger is of another
    log: a job is missing, or its value is not the recorded one.
    """
    rule_set = _rule_set(rules)
    jobs = _read_as(frame, rule_set, "the log", unix_start)
    jobs = jobs.set_index("number", drop=False)
    for (rule, field), page in ledger.groupby(["rule", "field"], sort=False):
        numbers = page["number"].to_numpy()
        values = jobs[field].reindex(numbers).to_numpy()
        differs = np.flatnonzero(values != page["before"].to_numpy(dtype=np.int64))
        if differs.size:
            place = differs[0]
            raise ValueError(
                f"ledger: rule {rule}: job {numbers[place]}: field '{field}' should be "
                f"{page['before'].iloc[place]}, the log has {values[place]}"
            )
        if page["after"].isna().all():
            jobs = jobs.drop(index=numbers)
        else:
            jobs.loc[numbers, field] = page["after"].to_numpy(dtype=np.int64)
    return _columns_of(jobs, rule_set)


def _rule_set(name: str) -> RuleSet:
    """Return the rule set of that name."""
    if name not in RULE_SETS:
        raise ValueError(f"no cleaning rules '{name}'; there are {', '.join(RULE_SETS)}")
    return RULE_SETS[name]


def _read_as(
    frame: pd.DataFrame, rule_set: RuleSet, log: str, unix_start: int | None
) -> pd.DataFrame:
    """Return the columns of clean jobs and their end, as the rule set reads them from the log.

    The end is from the log; an unknown wait or run time counts as 0. Unknown submit times stay
    unchanged on every clock.
    """
    reading = {name: rule_set.estimate if name == "estimate" else name for name in COLUMNS}
    further = ("wait", "requested_procs") if rule_set.procs == "requested" else ("wait",)
    if missing := [field for field in (*reading.values(), *further) if field not in frame]:
        raise ValueError(f"{log}: field '{missing[0]}' is missing")
    jobs = pd.DataFrame({name: frame[field].astype("int64") for name, field in reading.items()})
    if rule_set.procs == "requested":
        requested = frame["requested_procs"].astype("int64")
        jobs["procs"] = requested.where(requested > 0, jobs["procs"])
    if rule_set.clock != "log" and len(jobs):
        if unix_start is None:
            raise ValueError(f"{log}: the header has no UnixStartTime; {rule_set.name} needs it")
        zero = unix_start if rule_set.clock == "unix" else unix_start % WEEK
        jobs["submit"] += zero * (jobs["submit"] >= 0)
    stay = frame["wait"].astype("int64").clip(lower=0) + jobs["runtime"].clip(lower=0)
    for name in rule_set.keeps:
        if name in NUMBERS:
            jobs[name] = frame[name].astype("int64") if name in frame else -1
        else:
            text = frame[TEXTS[name]] if TEXTS[name] in frame else pd.Series("", frame.index)
            jobs[name] = text.astype("str")
    return jobs.assign(end=jobs["submit"] + stay)


def _columns_of(jobs: pd.DataFrame, rule_set: RuleSet) -> pd.DataFrame:
    """Return the columns of clean jobs."""
    return jobs[[*COLUMNS, *rule_set.keeps]].reset_index(drop=True)


def _page(log: str, rule: Rule, rows: pd.DataFrame, after: pd.Series | None) -> pd.DataFrame:
    """Return the ledger's rows of one rule."""
    columns = {
        "log": log,
        "rule": rule.name,
        "number": rows["number"],
        "field": rule.field,
        "before": rows[rule.field],
        "after": pd.NA if after is None else after,
    }
    return pd.DataFrame(columns, index=rows.index).astype(LEDGER_DTYPES)

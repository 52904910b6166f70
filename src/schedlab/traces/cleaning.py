"""Cleaning of logs by a rule set, and a ledger of every job that is dropped or changed.

The reading of a rule set comes first, then its rules in order, which record their actions in the
ledger. The ledger can be replayed on the raw log under the same reading and gives the same jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.requests import PREFIX
from schedlab.core.splitting import WEEK
from schedlab.files.progress import counted_and_logged
from schedlab.traces.cleaning_rules import (
    COLUMNS,
    NUMBERS,
    PARTIAL_EXECUTION,
    RAN,
    RULES,
    TEXTS,
    Rule,
    RuleSet,
    rule_set_of,
)
from schedlab.traces.parts import Columns

if TYPE_CHECKING:
    from schedlab.traces.parts import Parts

BEGIN = PREFIX + "begin"
LEDGER_DTYPES = {
    "log": "str",
    "rule": "str",
    "number": "int64",
    "field": "str",
    "before": "Int64",
    "after": "Int64",
}


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
    limited, past_limit : int
        Number of these jobs that ran and have a time limit, and of those that ran longer.
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
        self._rule_set = rule_set_of(rules)
        self._log, self._unix_start, self._more = log, unix_start, more
        behind = self._rule_set.rules.index(RAN[-1]) + 1
        first_rules, later_rules = self._rule_set.rules[:behind], self._rule_set.rules[behind:]
        steps = (*map(RULES.get, first_rules), limit, *map(RULES.get, later_rules), fits)
        self._steps = [rule for rule in steps if rule]
        of_log = [rule.of_log for rule in self._steps]
        #: number of rules that are applied to each part
        self._by_part = of_log.index(True) if any(of_log) else len(of_log)
        self._pages: list[list[pd.DataFrame]] = [[] for _ in self._steps]
        self._columns = Columns()
        self.jobs, self.area = 0, 0.0
        self.limited = self.past_limit = 0
        self._dropped = {rule.name: (0, 0.0) for rule in self._steps}

    @property
    def dropped(self) -> dict[str, tuple[int, float]]:
        """Number and area of the jobs that each rule dropped, in the rules' order."""
        return {name: lost for name, lost in self._dropped.items() if lost[0]}

    def add(self, part: pd.DataFrame) -> None:
        """Clean the next jobs of the log; raise `ValueError` as `clean` does."""
        jobs = _read_as(part, self._rule_set, self._log, self._unix_start)
        kept = [name for name in self._more if name in part and name not in jobs]
        further = {name: part[name] for name in kept}
        if BEGIN in further:  # on the clock of the rule set
            shift = jobs["submit"] - part["submit"]
            further[BEGIN] = further[BEGIN] + shift.where(further[BEGIN] >= 0, 0)
        jobs = jobs.assign(**further, area=areas(part))
        self.jobs += len(jobs)
        self.area += float(jobs["area"].sum())
        limits = part["requested_time"].where(part["runtime"] > 0, 0)
        self.limited += int((limits > 0).sum())
        self.past_limit += int(((limits > 0) & (part["runtime"] > limits)).sum())
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
        jobs, ledger = self.finish(parts.in_order)
        pieces = getattr(parts, "pieces", ())  # of a log in SWF; its jobs are known at the end
        if len(pieces):
            page = _page(self._log, PARTIAL_EXECUTION, pieces, None)
            ledger = pd.concat([page, ledger], ignore_index=True)
        return jobs, ledger

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
    """Return processors times run time of each job; sums of whole numbers have no rounding.

    If the processors that a job used are unknown, those that it requested count.
    """
    procs = jobs["procs"].clip(lower=0)
    if (procs == 0).any() and "requested_procs" in jobs:
        procs = procs.where(procs > 0, jobs["requested_procs"].clip(lower=0))
    return jobs["runtime"].clip(lower=0).astype("float64") * procs


def as_log(jobs: pd.DataFrame, estimated: bool) -> pd.DataFrame:
    """Return a model's jobs with the fields of a log, for cleaning.

    If the model draws no estimates (`estimated`), there are no requested times.
    """
    requested = {"requested_procs": jobs["procs"], "requested_time": jobs["estimate"]}
    return jobs.assign(wait=-1, **requested if estimated else requested | {"requested_time": -1})


def replay(
    frame: pd.DataFrame, ledger: pd.DataFrame, rules: str, unix_start: int | None = None
) -> pd.DataFrame:
    """Apply a ledger from `clean` to a raw log without evaluating the rules."""
    rule_set = rule_set_of(rules)
    jobs = _read_as(frame, rule_set, "the log", unix_start)
    jobs = jobs.set_index("number", drop=False)
    # partial executions are no jobs of the log
    of_jobs = ledger[ledger["rule"] != PARTIAL_EXECUTION.name]
    for (rule, field), page in of_jobs.groupby(["rule", "field"], sort=False):
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


def _read_as(
    frame: pd.DataFrame, rule_set: RuleSet, log: str, unix_start: int | None
) -> pd.DataFrame:
    """Return the columns of clean jobs and the log's end, as the rule set reads them."""
    reading = {name: rule_set.estimate if name == "estimate" else name for name in COLUMNS}
    further = ("wait",) if rule_set.procs == "used" else ("wait", "requested_procs")
    if missing := [field for field in (*reading.values(), *further) if field not in frame]:
        raise ValueError(f"{log}: field '{missing[0]}' is missing")
    jobs = pd.DataFrame({name: frame[field].astype("int64") for name, field in reading.items()})
    if rule_set.procs == "requested":
        requested = frame["requested_procs"].astype("int64")
        jobs["procs"] = requested.where(requested > 0, jobs["procs"])
    if rule_set.procs == "larger":
        jobs["procs"] = np.maximum(jobs["procs"], frame["requested_procs"].astype("int64"))
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
    return jobs[[*COLUMNS, *rule_set.keeps]].reset_index(drop=True)


def _page(log: str, rule: Rule, rows: pd.DataFrame, after: pd.Series | None) -> pd.DataFrame:
    columns = {
        "log": log,
        "rule": rule.name,
        "number": rows["number"],
        "field": rule.field,
        "before": rows[rule.field],
        "after": pd.NA if after is None else after,
    }
    return pd.DataFrame(columns, index=rows.index).astype(LEDGER_DTYPES)

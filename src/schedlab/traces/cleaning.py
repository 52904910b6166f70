"""Cleaning: named, replayable rule sets, and the ledger of every job they drop or change.

A rule set first says which fields of the log it reads and on which clock (the reading), then
applies its rules one after the other. What the rules do is in the ledger, and the ledger alone,
replayed on the raw log under the same reading, gives the same jobs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from schedlab.core.splitting import MONTH, WEEK

COLUMNS = ("number", "submit", "runtime", "estimate", "procs", "user", "group", "queue")
#: what a rule set may keep beside `COLUMNS`, and the field of the log it is read from: numbers
#: where a log has the field (else -1), texts where it has columns past the 18th (else empty)
NUMBERS = {
    "wait": "wait",
    "requested_time": "requested_time",
    "requested_memory": "requested_memory",
}
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
    """One thing done to jobs, for a reason.

    Parameters
    ----------
    name : str
        How the ledger calls it.
    description : str
        What it does, in a line.
    source : str
        Who says so.
    field : str
        The column it looks at and changes.
    applies : callable
        ``applies(jobs) -> mask`` of the jobs it concerns.
    value : callable or None
        ``value(jobs) -> field's new values`` for those jobs; None drops them.
    """

    name: str
    description: str
    source: str
    field: str
    applies: Callable[[pd.DataFrame], pd.Series]
    value: Callable[[pd.DataFrame], pd.Series] | None = None


@dataclass(frozen=True)
class RuleSet:
    """What an experiment does to a log: a reading, then rules in order.

    Parameters
    ----------
    name, description : str
        Its name in the experiment sheet, and what it does in a line.
    estimate : str
        The column of the log that is read as the estimate: ``requested_time`` (field 9), or
        ``runtime`` (field 4) where decisions are taken on actual run times.
    rules : tuple of str
        Names of `RULES`, in the order they are applied.
    clock : {"log", "unix", "unix_week"}
        What submit times count from: the log's own zero, that of Unix time, or the beginning of the
        week of Unix time that the log begins in.
    procs : {"used", "asked"}
        Processors: those that the job had (field 5), or those that it asked for (field 8), where
        that is known.
    keeps : tuple of str
        Names of `NUMBERS` and `TEXTS`: columns that clean jobs have beside `COLUMNS`.
    varies : str
        The set that it changes one thing of, to show what that does; no choice for a site's log.
    """

    name: str
    description: str
    estimate: str
    rules: tuple[str, ...]
    clock: Literal["log", "unix", "unix_week"] = "log"
    procs: Literal["used", "asked"] = "used"
    keeps: tuple[str, ...] = ()
    varies: str = ""


def _outer(period: int) -> Callable[[pd.DataFrame], pd.Series]:
    """Say which jobs are submitted in the first or the last period of the log."""

    def applies(jobs: pd.DataFrame) -> pd.Series:
        number = jobs["submit"] // period
        return (number == number.min()) | (number == number.max())

    return applies


def _crossing(period: int) -> Callable[[pd.DataFrame], pd.Series]:
    """Say which jobs ended, in the log, in another period than they were submitted in."""
    return lambda jobs: jobs["end"] // period != jobs["submit"] // period


RULES = {
    rule.name: rule
    for rule in (
        Rule(
            "submit_known",
            "drop jobs with an unknown submit time (-1): nobody knows when they came",
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
            "what hangs on estimates being estimates",
            "estimate",
            lambda jobs: jobs["estimate"] != jobs["runtime"],
            lambda jobs: jobs["runtime"],
        ),
        Rule(
            "user_known",
            "drop jobs without a user (-1): nobody is there to react, or to be treated fairly",
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
                    _outer(period),
                ),
                Rule(
                    f"{name}_crossed",
                    f"drop jobs that the log ends in another {name} than they were submitted in",
                    "legrand2018, section 5.1",
                    "end",
                    _crossing(period),
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
            "jobs that ran no longer than their requested time on the processors they asked for",
            "requested_time",
            (*_RAN, "runtime_within_estimate"),
            procs="asked",
        ),
        # with one thing of it changed: what each of them does to the published numbers
        RuleSet(
            "rr9212_raised",
            "as rr9212, but those that ran longer stay and their estimates are raised",
            "requested_time",
            (*_RAN, "estimate_covers_runtime"),
            procs="asked",
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
            procs="asked",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_thursdays",
            "as rr9212, on a clock whose weeks are those of Unix time, Thursday to Wednesday",
            "requested_time",
            (*_RAN, "runtime_within_estimate"),
            "unix_week",
            procs="asked",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_known",
            "as rr9212, with the run times as estimates",
            "requested_time",
            (*_RAN, "runtime_within_estimate", "estimate_is_runtime"),
            procs="asked",
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
        # A run time over the requested time is the limit and what ending the job took (35 s in the
        # middle in wagap-2013): as in Alea, the paper's simulator, the job keeps its run time and
        # the estimate is raised to it. Queues and patience go by requested_time, the limit.
        RuleSet(
            "klusacek2016",
            "as full_estimate, of known users; what they asked for is kept",
            "requested_time",
            (*_RAN, "estimate_positive", "user_known", "estimate_covers_runtime"),
            keeps=(*NUMBERS, *TEXTS),
        ),
    )
}

#: the sets to choose from for a log of one's own
CHOICES = tuple(name for name, rules in RULE_SETS.items() if not rules.varies)


def clean(
    frame: pd.DataFrame,
    rules: str,
    log: str,
    unix_start: int | None = None,
    limit: Rule | None = None,
    fits: Rule | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Apply a rule set to the jobs of a log.

    Parameters
    ----------
    frame : pandas.DataFrame
        The jobs as `schedlab.traces.swf.read_swf` gives them; with the columns past the 18th
        (`SwfLog.all_fields`) for rule sets that keep these.
    rules : str
        A name of `RULE_SETS`.
    log : str
        The log's name, for the ledger.
    unix_start : int, optional
        UnixStartTime of the log's header, in seconds: what rule sets on Unix time add to its times.
    limit : Rule, optional
        A site's own rule on the estimates of jobs that ran, in front of those of the rule set; see
        `schedlab.traces.site_rules.default_limit`.
    fits : Rule, optional
        A site's own rule on the jobs that are left; see `schedlab.traces.site_rules.fits_machine`.

    Returns
    -------
    jobs : pandas.DataFrame
        The columns `COLUMNS`, all int64, in the order of `frame`. Seconds and processors; user,
        group and queue are -1 where unknown. Behind them what the rule set keeps beside them.
    ledger : pandas.DataFrame
        The columns log, rule, number, field, before, after: a row for each job and rule that
        dropped it (after is missing) or changed a field of it, in the order of the rules.

    Raises
    ------
    ValueError
        No such rule set, the log lacks a field, or the rule set wants a clock that the log's header
        does not tell.
    """
    rule_set = _rule_set(rules)
    jobs = _read_as(frame, rule_set, log, unix_start)
    pages = []
    ran, rest = rule_set.rules[: len(_RAN)], rule_set.rules[len(_RAN) :]
    steps = (*map(RULES.get, ran), limit, *map(RULES.get, rest), fits)
    for rule in filter(None, steps):
        concerned = rule.applies(jobs).to_numpy()
        rows = jobs[concerned]
        after = None if rule.value is None else rule.value(rows)
        pages.append(_page(log, rule, rows, after))
        if after is None:
            jobs = jobs[~concerned]
        else:
            values = jobs[rule.field].to_numpy(copy=True)
            values[concerned] = after
            jobs = jobs.assign(**{rule.field: values})
    return _columns_of(jobs, rule_set), pd.concat(pages, ignore_index=True)


def as_log(drawn: pd.DataFrame, estimated: bool) -> pd.DataFrame:
    """Return a model's jobs in the fields of a log, to be cleaned like one.

    Parameters
    ----------
    drawn : pandas.DataFrame
        The columns `COLUMNS`, as a model draws them.
    estimated : bool
        Whether the model draws estimates; the log of one that does not has no requested times.
    """
    asked = {"requested_procs": drawn["procs"], "requested_time": drawn["estimate"]}
    return drawn.assign(wait=-1, **asked if estimated else asked | {"requested_time": -1})


def replay(
    frame: pd.DataFrame, ledger: pd.DataFrame, rules: str, unix_start: int | None = None
) -> pd.DataFrame:
    """Do to a raw log what its ledger says, without looking at the rules.

    Parameters
    ----------
    frame : pandas.DataFrame
        The jobs as `schedlab.traces.swf.read_swf` gives them.
    ledger : pandas.DataFrame
        A ledger made by `clean`.
    rules : str
        The rule set it was made with: gives the reading, that is which column is the estimate and
        what times count from.
    unix_start : int, optional
        As for `clean`.

    Returns
    -------
    pandas.DataFrame
        The same jobs that `clean` returned.

    Raises
    ------
    ValueError
        The ledger is of another log: a job is not there, or its value is not the one noted.
    """
    rule_set = _rule_set(rules)
    jobs = _read_as(frame, rule_set, "the log", unix_start)
    jobs = jobs.set_index("number", drop=False)
    for (rule, field), page in ledger.groupby(["rule", "field"], sort=False):
        numbers = page["number"].to_numpy()
        found = jobs[field].reindex(numbers).to_numpy()
        differs = np.flatnonzero(found != page["before"].to_numpy(dtype=np.int64))
        if differs.size:
            place = differs[0]
            raise ValueError(
                f"ledger: rule {rule}: job {numbers[place]}: field '{field}' should be "
                f"{page['before'].iloc[place]}, the log has {found[place]}"
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
    """Return the columns of the clean jobs and their end, as the rule set reads them from the log.

    The end is the log's own; an unknown wait or run time counts as none. Unknown submit times stay
    as they are on every clock.
    """
    reading = {name: rule_set.estimate if name == "estimate" else name for name in COLUMNS}
    further = ("wait", "requested_procs") if rule_set.procs == "asked" else ("wait",)
    if missing := [field for field in (*reading.values(), *further) if field not in frame]:
        raise ValueError(f"{log}: field '{missing[0]}' is missing")
    jobs = pd.DataFrame({name: frame[field].astype("int64") for name, field in reading.items()})
    if rule_set.procs == "asked":
        asked = frame["requested_procs"].astype("int64")
        jobs["procs"] = asked.where(asked > 0, jobs["procs"])
    if rule_set.clock != "log" and len(jobs):
        if unix_start is None:
            raise ValueError(f"{log}: the header has no UnixStartTime; {rule_set.name} needs it")
        zero = unix_start if rule_set.clock == "unix" else unix_start % WEEK
        jobs["submit"] += zero * (jobs["submit"] >= 0)
    spent = frame["wait"].astype("int64").clip(lower=0) + jobs["runtime"].clip(lower=0)
    for name in rule_set.keeps:
        if name in NUMBERS:
            jobs[name] = frame[NUMBERS[name]].astype("int64") if NUMBERS[name] in frame else -1
        else:
            text = frame[TEXTS[name]] if TEXTS[name] in frame else pd.Series("", frame.index)
            jobs[name] = text.astype("str")
    return jobs.assign(end=jobs["submit"] + spent)


def _columns_of(jobs: pd.DataFrame, rule_set: RuleSet) -> pd.DataFrame:
    """Return what clean jobs have, in the order they are in."""
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

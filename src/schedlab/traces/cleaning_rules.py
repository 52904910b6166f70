"""The rules and rule sets by which logs are cleaned, with their sources.

A rule set defines which fields of the log it reads and the clock (the reading), and which rules it
applies, in order; `schedlab.traces.cleaning` applies them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import pandas as pd

from schedlab.core.splitting import MONTH, WEEK

COLUMNS = ("number", "submit", "runtime", "estimate", "procs", "user", "group", "queue")
#: Further columns that a rule set may keep: numbers, which are fields of the log (-1 if it lacks
#: them), and texts, with the log's field past the 18th for each (empty if the log lacks it).
NUMBERS = ("wait", "requested_time", "requested_memory", "executable")
TEXTS = {"queue_name": "field20", "node_spec": "field21"}


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
    """Rule set for a log: a reading, then rules in order."""

    name: str
    description: str
    #: the column read as the estimate: ``requested_time``, or ``runtime`` if actual ones decide
    estimate: str
    rules: tuple[str, ...]
    #: zero of submit times; the week is that of Unix time in which the log begins
    clock: Literal["log", "unix", "unix_week"] = "log"
    #: requested processors count only if known; larger: than those that the job had
    procs: Literal["used", "requested", "larger"] = "used"
    keeps: tuple[str, ...] = ()  # further columns of clean jobs besides `COLUMNS`
    #: the set from which it differs, to show the effect of a rule; not for your logs
    varies: str = ""


def _is_outer(period: int, jobs: pd.DataFrame) -> pd.Series:
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
            "phantom_job",
            "let jobs with an unknown run time (-1) run 10 s: most were canceled before they ran",
            "zhang2020, its public program",
            "runtime",
            lambda jobs: jobs["runtime"] == -1,
            lambda jobs: pd.Series(10, jobs.index),
        ),
        Rule(
            "estimate_known",
            "set an unknown requested time (-1) to the run time",
            "zhang2020, its public program",
            "estimate",
            lambda jobs: jobs["estimate"] == -1,
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

#: the rule of the reader of SWF, which is in every ledger
PARTIAL_EXECUTION = Rule(
    "partial_execution",
    "leave out lines of parts of a job (status 2 to 4) that also has a line as a whole",
    "the format's definition",
    "status",
    lambda jobs: jobs["status"].between(2, 4),
)

RAN = ("submit_known", "runtime_positive", "procs_positive")
_REQUESTED = (*RAN, "estimate_positive")
_OWNERS = ("requested_memory", "executable")

#: every set begins with the rules of `RAN`, or has them after the two of zhang2020
RULE_SETS = {
    rules.name: rules
    for rules in (
        RuleSet(
            "sc17_actual",
            "jobs that ran on at least a processor; decisions on actual run times",
            "runtime",
            RAN,
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
            (*RAN, "estimate_covers_runtime"),
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
            "full_estimate_owners",
            "as full_estimate; the memory and the executable that the log has are kept",
            "requested_time",
            (*_REQUESTED, "estimate_covers_runtime"),
            keeps=_OWNERS,
            varies="full_estimate",
        ),
        RuleSet(
            "rr9212",
            "jobs that ran no longer than their requested time on the processors they requested",
            "requested_time",
            (*RAN, "runtime_within_estimate"),
            procs="requested",
        ),
        # variants with one change each, to show its effect on the published numbers
        RuleSet(
            "rr9212_raised",
            "as rr9212, but those that ran longer stay and their estimates are raised",
            "requested_time",
            (*RAN, "estimate_covers_runtime"),
            procs="requested",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_used",
            "as rr9212, on the processors they had",
            "requested_time",
            (*RAN, "runtime_within_estimate"),
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_uncrossed",
            "as rr9212, within one week of the log's own clock",
            "requested_time",
            (*RAN, "runtime_within_estimate", "week_crossed"),
            procs="requested",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_thursdays",
            "as rr9212, on a clock whose weeks are those of Unix time, Thursday to Wednesday",
            "requested_time",
            (*RAN, "runtime_within_estimate"),
            "unix_week",
            procs="requested",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_known",
            "as rr9212, with the run times as estimates",
            "requested_time",
            (*RAN, "runtime_within_estimate", "estimate_is_runtime"),
            procs="requested",
            varies="rr9212",
        ),
        RuleSet(
            "rr9212_ran",
            "jobs that ran on at least a processor, no estimate below the run time",
            "requested_time",
            (*RAN, "estimate_covers_runtime"),
        ),
        *(
            RuleSet(
                f"rr9212_{name}s",
                f"as rr9212_ran, within one whole {name} of Unix time",
                "requested_time",
                (*RAN, "estimate_covers_runtime", f"{name}_whole", f"{name}_crossed"),
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
            (*RAN, "estimate_positive", "user_known", "estimate_covers_runtime"),
            keeps=("wait", "requested_time", "requested_memory", *TEXTS),
        ),
        # In the published program a job without run time and request has a request of -1 s; here it
        # has 10 s, as its run time.
        RuleSet(
            "zhang2020",
            "every job; those that never ran run 10 s, on the larger number of processors",
            "requested_time",
            ("phantom_job", "estimate_known", *RAN),
            procs="larger",
            keeps=_OWNERS,
            varies="full_estimate",
        ),
        RuleSet(
            "zhang2020_ran",
            "as zhang2020, without the jobs that never ran",
            "requested_time",
            (*RAN, "estimate_known"),
            procs="larger",
            keeps=_OWNERS,
            varies="zhang2020",
        ),
    )
}

#: rule sets for your logs
CHOICES = tuple(name for name, rules in RULE_SETS.items() if not rules.varies)


def rule_set_of(name: str) -> RuleSet:
    """Return the rule set of that name; raises ValueError if there is none."""
    if name not in RULE_SETS:
        raise ValueError(f"no cleaning rules '{name}'; there are {', '.join(RULE_SETS)}")
    return RULE_SETS[name]

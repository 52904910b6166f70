"""Losses by cleaning in jobs and core-hours, and remedies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.files.durations import format_duration
from schedlab.traces.cleaning import Cleaning
from schedlab.traces.cleaning_rules import CHOICES, RULE_SETS, RULES

if TYPE_CHECKING:
    from schedlab.traces.cleaning_rules import Rule
    from schedlab.traces.readers import RawLog

#: share of a log's jobs or core-hours from which on a loss by a rule gets a remedy
MUCH = 0.1
#: option names as for commands; in Python without the hyphens in front, and with _
REMEDIES = {
    "estimate_positive": (
        "--rules rr9212_ran keeps jobs without a time limit, their run time as estimate; "
        "--rules full_actual lets schedulers see the run times of all; "
        "--default-limit {limit} gives them the limit that the machine would have ended them at"
    ),
    "runtime_positive": "no rules keep jobs without a run time (field 4): they never ran",
    "procs_positive": (
        f"--rules {' or '.join(name for name in CHOICES if RULE_SETS[name].procs == 'requested')} "
        "takes the processors that jobs requested (field 8), if the log has them"
    ),
    "runtime_within_estimate": (
        "--rules full_estimate keeps jobs that ran longer than their limit, which is raised to it"
    ),
    "user_known": "--rules full_estimate keeps jobs of unknown users",
    "fits_machine": "a larger --processors keeps them",
} | {
    f"{period}_{rule}": "--rules rr9212_ran keeps them"
    for period in ("week", "month")
    for rule in ("whole", "crossed")
}


def lost_in(cleaning: Cleaning) -> pd.DataFrame:
    """Return the losses of a finished cleaning, see `loss_table`."""
    return loss_table(cleaning.dropped, cleaning.jobs, cleaning.area)


def losses_of(parts: Iterable[pd.DataFrame], rules: str, unix_start: int | None) -> pd.DataFrame:
    """Return the losses by cleaning a log in parts, which need not fit into memory."""
    of_log = any(RULES[rule].of_log for rule in RULE_SETS[rules].rules)
    groups = [parts] if of_log else ([part] for part in parts)
    dropped: dict[str, tuple[int, float]] = {rule: (0, 0.0) for rule in RULE_SETS[rules].rules}
    jobs, area = 0, 0.0
    for group in groups:
        cleaning = Cleaning(rules, "", unix_start)
        for part in group:
            cleaning.add(part)
        cleaning.finish()
        jobs, area = jobs + cleaning.jobs, area + cleaning.area
        for rule, (count, of_rule) in cleaning.dropped.items():
            dropped[rule] = dropped[rule][0] + count, dropped[rule][1] + of_rule
    return loss_table({rule: lost for rule, lost in dropped.items() if lost[0]}, jobs, area)


def loss_table(dropped: Mapping[str, tuple[int, float]], jobs: int, area: float) -> pd.DataFrame:
    """Return the losses by each rule, in the order of `dropped`, which has their jobs and areas.

    `jobs` and `area` are of the whole log before cleaning; areas are in seconds, see `Cleaning`.
    """
    counts = pd.DataFrame.from_dict(dropped, orient="index", columns=["jobs", "core_hours"])
    counts = counts.rename_axis("rule").astype({"jobs": "int64", "core_hours": "float64"})
    counts.index = counts.index.astype("str")
    return counts.assign(
        core_hours=counts["core_hours"] / 3600,
        jobs_share=counts["jobs"] / max(jobs, 1),
        hours_share=counts["core_hours"] / (area or 1),
    )


def remedies(
    lost: pd.DataFrame, longest: int | None = None, texts: Mapping[str, str] = REMEDIES
) -> list[str]:
    """Return a remedy for each rule with large losses, or its description if there is none."""
    large = lost[(lost[["jobs_share", "hours_share"]] >= MUCH).any(axis=1)]
    limit = "DURATION (like 24h)" if longest is None else format_duration(longest)
    return [
        f"{rule}: {(texts.get(rule) or RULES[rule].description).format(limit=limit)}"
        for rule in large.index
    ]


def amount(lost: pd.Series) -> str:
    """Return the numbers of jobs and core-hours as text."""
    s = "" if lost["jobs"] == 1 else "s"
    return (
        f"{lost['jobs']:,.0f} job{s} ({lost['jobs_share']:.1%}) and "
        f"{lost['core_hours']:,.0f} core-hours ({lost['hours_share']:.1%})"
    )


def done_by_rule(ledger: pd.DataFrame, rules: str) -> str:
    """Return how many jobs each rule dropped or changed, as text."""
    counts = ledger.groupby(["rule", ledger["after"].isna()], sort=False)["number"].nunique()
    done = [
        f"{rule} {'dropped' if dropped else 'changed'} {jobs:,}"
        for (rule, dropped), jobs in counts.items()
    ]
    return f"rules {rules}: {', '.join(done) or 'all jobs kept as they are'}"


def rules_that_work(raw: RawLog, log: str, fits: Rule | None = None) -> str:
    """Return which rule sets keep how many jobs of a log, for use if one keeps none."""
    counts = {}
    for rules in CHOICES:
        try:
            jobs, _ = Cleaning(rules, log, raw.unix_start, fits=fits).all_of(raw.parts)
        except ValueError:  # the log has no start time for the clock
            continue
        if len(jobs):
            counts[rules] = len(jobs)
    if not counts:
        fitting = "" if fits is None else " that fit the machine"
        return f"no rules leave any: no job has a run time, and processors{fitting}"
    options = ", ".join(f"{rules} ({count:,} jobs)" for rules, count in counts.items())
    return f"rules that leave some: {options}"

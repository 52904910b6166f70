"""Conditions that a scheduler meets to be recommended, and why each of the others does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.comparison.schedulers import REFERENCE
from schedlab.comparison.standing import WORSE
from schedlab.comparison.tables import is_lost
from schedlab.comparison.tails import LONGEST, by_scheduler
from schedlab.core.metrics import METRICS
from schedlab.core.splitting import DAY
from schedlab.report.words import joined, number_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from schedlab.comparison.standing import Standing


@dataclass(frozen=True)
class Condition:
    """A condition of the rule of choice.

    `clause` completes the sentence "A candidate ...". `reasons` has by scheduler why it does not
    meet the condition, in words that follow a colon.
    """

    clause: str
    reasons: Mapping[str, str]


def conditions_of(
    standings: Mapping[str, Standing],
    survivors: pd.DataFrame,
    results: pd.DataFrame,
    too_long: Mapping[str, list[str]],
    youth: Iterable[str],
    labels: Mapping[str, str],
    advice: Mapping[str, float],
) -> tuple[Condition, ...]:
    """Return the conditions of the rule, with the schedulers that do not meet them."""
    rows = survivors.set_index("name")
    conditions = [
        _more_gains(rows),
        _no_loss(standings, rows, advice["most_loss"]),
        _short_waits(results, too_long, labels, advice["longest_wait"]),
    ]
    if results["experiment"].nunique() > 1:
        conditions.insert(0, _ran_everywhere(rows, results, labels))
    if not advice["allow_youth"]:
        reasons = dict.fromkeys(youth, "it puts younger jobs first")
        conditions.append(Condition("does not put younger jobs first", reasons))
    return tuple(conditions)


def _ran_everywhere(
    rows: pd.DataFrame, results: pd.DataFrame, labels: Mapping[str, str]
) -> Condition:
    """Return that a candidate ran on every log."""
    logs = list(dict.fromkeys(results["experiment"]))
    reasons = {}
    for name in rows.index[(rows["survives"] == "") & (rows.index != REFERENCE)]:
        covered = set(results.loc[results["scheduler"] == name, "experiment"])
        lacking = [labels.get(log, log) for log in logs if log not in covered]
        reasons[name] = f"it did not run on {joined(lacking)}"
    return Condition("ran on every log", reasons)


def _more_gains(rows: pd.DataFrame) -> Condition:
    """Return that a candidate is better than EASY by more metrics than it is worse by."""
    reasons = {
        name: f"it is better than EASY by {number_of(row['better'], 'metric')} and worse by "
        f"{row['worse']}"
        for name, row in rows[rows["better"] <= rows["worse"]].iterrows()
    }
    if REFERENCE in reasons:
        reasons[REFERENCE] = "it is what the others are compared with"
    return Condition("is better than EASY by more metrics than it is worse by", reasons)


def _no_loss(standings: Mapping[str, Standing], rows: pd.DataFrame, most_loss: float) -> Condition:
    """Return that a candidate is worse than EASY by no metric by more than a share."""
    reasons = {}
    for name in rows.index[rows["lost"] > 0]:
        losses = [
            f"{METRICS[metric].label} ({standing.ratios.loc[name, 'ratio']:.2f} times EASY's)"
            for metric, standing in standings.items()
            if rows.loc[name, metric] == WORSE and is_lost(standing, most_loss)[name]
        ]
        reasons[name] = f"it is worse by {joined(losses)}, beyond the allowed {most_loss:.0%}"
    return Condition(f"is worse than EASY by no metric by more than {most_loss:.0%}", reasons)


def _short_waits(
    results: pd.DataFrame,
    too_long: Mapping[str, list[str]],
    labels: Mapping[str, str],
    times: float,
) -> Condition:
    """Return that no job waits too long under a candidate."""
    days = by_scheduler(results, LONGEST) / DAY
    reasons = {}
    for name, logs in too_long.items():
        log = max(logs, key=lambda one: days.loc[name, one] - times * days.loc[REFERENCE, one])
        where = f" on {labels.get(log, log)}" if len(days.columns) > 1 else ""
        reasons[name] = (
            f"its longest wait{where} is {days.loc[name, log]:.1f} days, beyond {times:g} times "
            f"EASY's {days.loc[REFERENCE, log]:.1f}"
        )
    clause = f"keeps every wait within a day or {times:g} times EASY's longest one on the same log"
    return Condition(clause, reasons)

"""Choice of the scheduler to recommend, the rule of the choice, and how certain it is.

A candidate meets all conditions of `schedlab.comparison.conditions`. The chosen candidate has the
smallest combined ratio: the geometric mean of its ratios to EASY by mean wait and by mean bounded
slowdown, over all logs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from schedlab.comparison.conditions import Condition, conditions_of
from schedlab.comparison.schedulers import REFERENCE, labels_of
from schedlab.comparison.standing import by_log, changes_of
from schedlab.comparison.tails import schedulers_with_long_waits
from schedlab.core.intervals import interval
from schedlab.core.metrics import METRICS

if TYPE_CHECKING:
    from schedlab.comparison.standing import Standing

#: the metrics that candidates are ranked by
RANKED_BY = ("wait", "bsld")
#: name in tables of the geometric mean of the ratios by these metrics
COMBINED = "combined"
CHOSEN = "chosen"
SIGNIFICANT = "significant"


@dataclass(frozen=True)
class Choice:
    """Recommended scheduler.

    `order` has the candidates, the best first; empty if EASY should stay. `share` is the share of
    resampled windows in which the same candidate comes first; nan without candidates. `versus` has,
    by other candidate, the combined ratio of the first candidate over that candidate's, and its
    95 % interval. `forbidden` are schedulers whose longest wait is too long, with the logs on which
    it is. `youth` are schedulers that put younger jobs first. `conditions` are those of candidates.
    """

    order: tuple[str, ...] = ()
    share: float = float("nan")
    versus: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    forbidden: Mapping[str, list[str]] = field(default_factory=dict)
    youth: frozenset[str] = frozenset()
    conditions: tuple[Condition, ...] = ()

    def obstacles(self, name: str) -> list[str]:
        """Return why a scheduler is no candidate: a reason per condition that it does not meet."""
        return [
            condition.reasons[name] for condition in self.conditions if name in condition.reasons
        ]

    def reasons(self, name: str) -> list[str]:
        """Return why a scheduler is not the recommended one: its obstacles, or its rank."""
        if obstacles := self.obstacles(name):
            return obstacles
        first = labels_of([self.order[0]])[self.order[0]]
        ratio, low, high = self.versus[name]
        return [
            f"the combined ratio of {first} is {ratio:.3f} times its own (95 % CI {low:.3f} to "
            f"{high:.3f}, {significance(low, high)})"
        ]


def choose(
    standings: Mapping[str, Standing],
    survivors: pd.DataFrame,
    results: pd.DataFrame,
    youth: frozenset[str],
    labels: Mapping[str, str],
    advice: Mapping[str, float],
    further: Sequence[Condition] = (),
) -> Choice:
    """Choose the scheduler to recommend.

    `standings` are by metric; `survivors` is from `schedlab.comparison.tables.survivors`. `results`
    has rows of all logs, without recorded schedules. `youth` are schedulers that put younger jobs
    first on any log. `labels` are those of logs. `advice` is the key ``advice`` of the
    configuration. `further` are conditions besides those of `conditions_of`.
    """
    if results.empty:
        return Choice(youth=youth)
    too_long = schedulers_with_long_waits(results, advice["longest_wait"])
    conditions = conditions_of(standings, survivors, results, too_long, youth, labels, advice)
    nothing = Choice(forbidden=too_long, youth=youth, conditions=(*conditions, *further))
    names = [name for name in survivors["name"] if not nothing.obstacles(name)]
    if not names:
        return nothing
    changes = [_over_logs(results, metric)[names] for metric in RANKED_BY]
    combined = sum(changes) / len(changes)
    order = tuple(combined.iloc[0].sort_values(kind="stable").index)
    resampled = combined.iloc[1:].to_numpy()
    share = float((resampled.argmin(axis=1) == names.index(order[0])).mean())
    versus: dict[str, tuple[float, float, float]] = {}
    for name in order[1:]:
        difference = combined[order[0]] - combined[name]
        ends = interval(difference.iloc[1:].to_numpy())
        ratio, low, high = np.exp([difference.iloc[0], *ends]).tolist()
        versus[name] = (ratio, low, high)
    return Choice(order, share, versus, too_long, youth, nothing.conditions)


def _over_logs(results: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Compute means over logs of log ratios to EASY: of the windows, then of their resamples."""
    parts = [
        changes_of(log, table, REFERENCE)
        for log, table in by_log(results, metric).items()
        if len(table) > 1
    ]
    finite = [part for part in parts if np.isfinite(part.to_numpy()).all()]
    if not finite:
        columns = list(dict.fromkeys(results["scheduler"]))
        return pd.DataFrame(0.0, range(2), columns)
    common = [name for name in finite[0] if all(name in part for part in finite)]
    return sum(part[common] for part in finite) / len(finite)


def rule_of(choice: Choice) -> dict[str, Any]:
    """Return what the rule of choice ranks candidates by, and a clause per condition of them."""
    metrics = [METRICS[metric].label for metric in RANKED_BY]
    return {"ranked_by": metrics, "clauses": [one.clause for one in choice.conditions]}


def significance(low: float, high: float) -> str:
    """Return whether a ratio differs from 1, from its interval.

    >>> significance(0.8, 0.99), significance(0.8, 1.0)
    ('significant', 'not significant')
    """
    return SIGNIFICANT if high < 1 or low > 1 else f"not {SIGNIFICANT}"


def why_not(
    choice: Choice, standings: Mapping[str, Standing], survivors: pd.DataFrame
) -> pd.DataFrame:
    """Return the schedulers that look better than the recommended one, and why each is not chosen.

    A scheduler looks better if its ratio to EASY by a metric of `RANKED_BY` is smaller, or if it is
    better than EASY by more metrics. The first row is the recommended scheduler, or EASY if it
    should stay. Columns: scheduler; ratios to EASY by metric; `COMBINED`; better and worse, numbers
    of metrics; why, the reasons.
    """
    rows = survivors.set_index("name")
    table = rows[["scheduler", "better", "worse"]].copy()
    for place, metric in enumerate(RANKED_BY, start=1):
        table.insert(place, metric, standings[metric].ratios["ratio"].reindex(rows.index))
    table.insert(3, COMBINED, np.sqrt(table["wait"] * table["bsld"]))
    if table.empty:
        return table.assign(why="").reset_index(drop=True)
    chosen = choice.order[0] if choice.order else REFERENCE
    smaller = (table[list(RANKED_BY)] < table.loc[chosen, list(RANKED_BY)]).any(axis=1)
    ahead = smaller | (table["better"] > table.loc[chosen, "better"])
    others = table[ahead].sort_values(COMBINED, kind="stable")
    reasons = ["; ".join(choice.reasons(name)) for name in others.index]
    shown = pd.concat([table.loc[[chosen]], others])
    return shown.assign(why=[CHOSEN, *reasons]).reset_index(drop=True)

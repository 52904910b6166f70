"""Choice of the scheduler to recommend, and how certain the choice is.

A candidate is better than EASY by more metrics than it is worse by, and loses at most a given
share by the latter. It keeps every job's wait within a bound and does not put younger jobs first.
The chosen candidate has the smallest mean wait and mean bounded slowdown relative to EASY's: the
geometric mean of the two over all logs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from schedlab.comparison.schedulers import REFERENCE
from schedlab.comparison.standing import by_log, changes_of
from schedlab.comparison.tables import YES
from schedlab.comparison.tails import schedulers_with_long_waits
from schedlab.core.intervals import interval

#: the metrics that candidates are ranked by
RANKED_BY = ("wait", "bsld")


@dataclass(frozen=True)
class Choice:
    """Recommended scheduler.

    `order` has the candidates, the best first; empty if EASY should stay. `share` is the share of
    resampled windows in which the same candidate comes first; nan without candidates. `versus` has,
    by metric, the ratio of the first candidate to the second, and its 95 % interval; empty with
    fewer than two candidates. `forbidden` are schedulers whose longest wait is too long, with the
    logs on which it is. `youth` are schedulers that put younger jobs first.
    """

    order: tuple[str, ...] = ()
    share: float = float("nan")
    versus: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    forbidden: Mapping[str, list[str]] = field(default_factory=dict)
    youth: frozenset[str] = frozenset()


def choose(
    results: pd.DataFrame,
    survivors: pd.DataFrame,
    youth: frozenset[str],
    advice: Mapping[str, float],
) -> Choice:
    """Choose the scheduler to recommend.

    `results` has rows of all logs, without recorded schedules; `survivors` is from
    `schedlab.comparison.tables.survivors`. `youth` are schedulers that put younger jobs first on
    any log. `advice` is the key ``advice`` of the configuration.
    """
    if results.empty:
        return Choice(youth=youth)
    too_long = schedulers_with_long_waits(results, advice["longest_wait"])
    refused = frozenset() if advice["allow_youth"] else youth
    names = [
        name
        for name in survivors.loc[survivors["survives"] == YES, "name"]
        if name not in too_long and name not in refused
    ]
    if not names:
        return Choice(forbidden=too_long, youth=youth)
    changes = {metric: _over_logs(results, metric) for metric in RANKED_BY}
    together = sum(changes[metric][names] for metric in RANKED_BY)
    order = tuple(together.iloc[0].sort_values(kind="stable").index)
    resampled = together.iloc[1:].to_numpy()
    share = float((resampled.argmin(axis=1) == names.index(order[0])).mean())
    versus: dict[str, tuple[float, float, float]] = {}
    if len(order) > 1:
        for metric in RANKED_BY:
            difference = changes[metric][order[0]] - changes[metric][order[1]]
            ends = interval(difference.iloc[1:].to_numpy())
            ratio, low, high = np.exp([difference.iloc[0], *ends]).tolist()
            versus[metric] = (ratio, low, high)
    return Choice(order, share, versus, too_long, youth)


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

"""The arena's answer in two sentences, which the results decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.arena.measures import METRICS
from schedlab.arena.schedulers import REFERENCE
from schedlab.arena.tables import YES

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from schedlab.arena.standing import Standing

#: the metric that the field judges by alone
USUAL = "bsld"
NOTHING = "Nothing was fought over: no log is at hand."


def findings(standings: Mapping[str, Standing], survivors: pd.DataFrame) -> str:
    """Say which policy a site should run, and what the usual metric alone would say.

    Parameters
    ----------
    standings : mapping of str to Standing
        By metric.
    survivors : DataFrame
        From `schedlab.arena.tables.survivors`.

    Returns
    -------
    str
        Two sentences; `NOTHING` without results.
    """
    if not standings[USUAL].blocks:
        return NOTHING
    rows = survivors.set_index("name")
    return f"{_safe(standings, rows)} {_usual(standings, rows)}"


def _safe(standings: Mapping[str, Standing], rows: pd.DataFrame) -> str:
    """Whom to run: of those better by some metric and worse by none, the one of the best rank."""
    windows, logs = standings[USUAL].blocks, standings[USUAL].means.shape[1]
    where = f"On {windows} windows of {logs} {'logs' if logs > 1 else 'log'}"
    safe = rows[rows["survives"] == YES]
    others = len(rows) - 1
    if safe.empty:
        return (
            f"{where} stay with EASY: of {others} others none is better by one of "
            f"{len(METRICS)} metrics and worse by none."
        )
    # mean ranks are of those that ran everywhere; the most metrics decide between the others
    best = safe.sort_values(["rank", "better"], ascending=[True, False], kind="stable").iloc[0]
    among = f"the first of the {len(safe)} (of {others})" if len(safe) > 1 else "the only one"
    return (
        f"{where} run {best['scheduler']}: it is {among} that {_is(len(safe))} better than EASY by "
        f"some metric and worse by none, better by {best['better']} of {len(METRICS)}, with "
        f"{_times(standings, best.name, 'bsld')} its mean bounded slowdown and "
        f"{_times(standings, best.name, 'wait')} its mean wait."
    )


def _usual(standings: Mapping[str, Standing], rows: pd.DataFrame) -> str:
    """What the mean bounded slowdown alone would have said, and how many orders survive."""
    ratios = standings[USUAL].ratios["ratio"]
    name = ratios.idxmin()
    ahead, pairs = int(rows["beats"].sum()), _pairs(standings)
    orders = f"of {pairs} pairs of schedulers {ahead} are ordered alike by every metric"
    if name == REFERENCE:
        return f"By mean bounded slowdown alone nobody is in front of EASY; {orders}."
    worse = [METRICS[one].label for one in standings if rows.loc[name, one] == "worse"]
    label = rows.loc[name, "scheduler"]
    cost = f"but is worse than EASY by {_listed(worse)}" if worse else "and is worse by no metric"
    return (
        f"By mean bounded slowdown alone it would be {label}, which has "
        f"{_times(standings, name, USUAL)} EASY's {cost}; {orders}."
    )


def _times(standings: Mapping[str, Standing], name: str, metric: str) -> str:
    one = standings[metric].ratios.loc[name]
    return f"{one['ratio']:.2f} times (95 % {one['low']:.2f} to {one['high']:.2f})"


def _pairs(standings: Mapping[str, Standing]) -> int:
    count = len(standings[USUAL].ranks)
    return count * (count - 1) // 2


def _is(count: int) -> str:
    return "are" if count > 1 else "is"


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)

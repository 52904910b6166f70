"""The arena's answer in two sentences, which the results decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.arena.measures import METRICS
from schedlab.arena.schedulers import REFERENCE
from schedlab.arena.standing import WORSE
from schedlab.arena.tables import YES

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from schedlab.arena.standing import Standing

#: the metric that the field judges by alone
USUAL = "bsld"
#: survivors beside the first that are named
SHOWN = 3
NOTHING = "Nothing was fought over: no log is at hand."


def findings(standings: Mapping[str, Standing], survivors: pd.DataFrame) -> str:
    """Say which policy a site should run, and what the usual metric alone would say.

    Both are of those that ran on every log.

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
    return f"{whom_to_run(standings, survivors)} {by_usual(standings, survivors)}"


def best_of(survivors: pd.DataFrame) -> pd.DataFrame:
    """Return who is better by some metric and worse by none: the one better by most first.

    Of several such the one of the best mean rank.
    """
    safe = survivors[survivors["survives"] == YES]
    return safe.sort_values(["better", "rank"], ascending=[False, True], kind="stable")


def whom_to_run(standings: Mapping[str, Standing], survivors: pd.DataFrame) -> str:
    """Say whom to run: the first of `best_of`, or EASY where there is nobody."""
    rows = survivors.set_index("name")
    windows, logs = standings[USUAL].blocks, standings[USUAL].means.shape[1]
    where = f"On {windows} windows of {logs} {'logs' if logs > 1 else 'log'}"
    ordered = best_of(survivors).set_index("name")
    others = len(rows) - 1
    if ordered.empty:
        return (
            f"{where} stay with EASY: of {others} others none is better by some metric of "
            f"{len(METRICS)} and worse by none."
        )
    best, beside = ordered.iloc[0], list(ordered["scheduler"].iloc[1:])
    if len(beside) > SHOWN:
        beside = [f"{len(beside)} more"]
    who = f"{_listed(['it', *beside])} are" if beside else "it alone is"
    return (
        f"{where} run {best['scheduler']}: of {others} others {who} better than EASY by some "
        f"metric and worse by none, it by {best['better']} of {len(METRICS)}, with "
        f"{_times(standings, best.name, 'bsld')} EASY's mean bounded slowdown and "
        f"{_times(standings, best.name, 'wait')} its mean wait."
    )


def by_usual(standings: Mapping[str, Standing], survivors: pd.DataFrame) -> str:
    """Say what the mean bounded slowdown alone would have said, and how many orders survive."""
    rows = survivors.set_index("name")
    ratios = standings[USUAL].ratios["ratio"].loc[standings[USUAL].ranks.index]
    name = REFERENCE if ratios.isna().all() else ratios.idxmin()
    ahead, pairs = int(rows["beats"].sum()), _pairs(standings)
    orders = f"of {pairs} pairs of schedulers {ahead} are ordered alike by every metric"
    if name == REFERENCE:
        return f"By mean bounded slowdown alone nobody is in front of EASY; {orders}."
    worse = [
        f"{METRICS[one].label} ({standing.ratios.loc[name, 'ratio']:.3f} times)"
        for one, standing in standings.items()
        if rows.loc[name, one] == WORSE
    ]
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


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)

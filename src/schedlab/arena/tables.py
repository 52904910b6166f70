"""The arena's tables: one a metric, who survives all of them, windows, who fought and who not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.arena.measures import METRICS
from schedlab.arena.schedulers import ABSENT, REFERENCE, SCHEDULERS, labels_of
from schedlab.arena.standing import BETTER, WORSE, Standing, orders_that_survive
from schedlab.workbench.results import RECORDED

if TYPE_CHECKING:
    from collections.abc import Mapping

YES, NO = "yes", "no"
AGAINST = "against EASY"
#: numbers with a point in an expression, and how many of their digits are shown
NUMBER, DIGITS = re.compile(r"\d+\.\d+"), 4


def metric_table(
    standing: Standing, labels: Mapping[str, str], recorded: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return one metric: a row per scheduler, the best ratio first, the recorded schedule behind.

    Parameters
    ----------
    standing : Standing
        Of the metric.
    labels : mapping of str to str
        What logs are called.
    recorded : DataFrame, optional
        Rows of all logs, as `schedlab.arena.recorded.recorded` makes them.

    Returns
    -------
    DataFrame
        scheduler; mean over the windows of each log, by its label; ratio to EASY with low and high,
        chance and, as "against EASY", verdict as of `Standing`; rank, the mean over windows.
    """
    ratios = standing.ratios.rename(columns={"verdict": AGAINST})
    table = standing.means.rename(columns=labels).join(ratios)
    table["rank"] = standing.ranks
    more = METRICS[standing.metric].more
    table = table.sort_values("ratio", ascending=not more, kind="stable")
    names = pd.Series(labels_of(list(table.index)))
    table.insert(0, "scheduler", names)
    if recorded is None:
        return table.reset_index(drop=True)
    row = recorded_means(recorded, standing.metric).rename(labels)
    if not row.empty:
        table.loc[RECORDED, ["scheduler", AGAINST]] = RECORDED, ""
        shown = row.index.intersection(table.columns)
        table.loc[RECORDED, shown] = row[shown]
    return table.reset_index(drop=True)


def recorded_means(recorded: pd.DataFrame, metric: str) -> pd.Series:
    """Return the mean over a log's windows in the recorded schedule, of logs that say all of it.

    As for schedulers, windows in which nobody is counted are left out.
    """
    # of what was recorded the utilisation is always known
    whole = recorded.groupby("experiment", sort=False)["utilisation"].transform("count")
    said = recorded[whole == recorded.groupby("experiment")["window"].transform("count")]
    return said.groupby("experiment", sort=False)[metric].mean()


def survivors(standings: Mapping[str, Standing]) -> pd.DataFrame:
    """Return who is better or worse than EASY by which metric, and which orders hold by all.

    Parameters
    ----------
    standings : mapping of str to Standing
        By name of `METRICS`.

    Returns
    -------
    DataFrame
        scheduler; a column per metric, its verdict; better and worse, how many metrics; survives,
        yes where it is better by some and worse by none, empty for EASY and for who did not run on
        every log; beats, how many schedulers it stands in
        front of by every metric; beaten, how many stand in front of it so; rank, the mean over
        metrics of its mean rank. The best rank first.
    """
    verdicts = pd.DataFrame({name: one.ratios["verdict"] for name, one in standings.items()})
    table = verdicts.assign(
        better=(verdicts == BETTER).sum(axis=1), worse=(verdicts == WORSE).sum(axis=1)
    )
    table["survives"] = np.where((table["better"] > 0) & (table["worse"] == 0), YES, NO)
    ahead = orders_that_survive(standings)
    partly = ~table.index.isin(ahead.index)
    table.loc[partly | (table.index == REFERENCE), "survives"] = ""
    table["beats"] = ahead.sum(axis=1).astype(float)
    table["beaten"] = ahead.sum(axis=0).astype(float)
    table["rank"] = pd.DataFrame({name: one.ranks for name, one in standings.items()}).mean(axis=1)
    table.loc[partly, "rank"] = np.nan
    table = table.sort_values("rank", kind="stable")
    table.insert(0, "scheduler", pd.Series(labels_of(list(table.index))))
    return table.rename_axis("name").reset_index()


def windows_table(facts: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return what was fought over: a row per log, from the facts of its run; weights shortened."""
    table = facts.rename(columns={"experiment": "log"})
    weights = table["weights"].map(shortened, na_action="ignore")
    return table.assign(log=table["log"].map(labels), weights=weights)


def shortened(expression: str) -> str:
    """Return an expression whose numbers have `DIGITS` digits that count.

    Examples
    --------
    >>> shortened("0.12345678 * (n / 2.0)")
    '0.1235 * (n / 2)'
    """
    return NUMBER.sub(_shortened, expression)


def _shortened(number: re.Match) -> str:
    """Return a number with `DIGITS` digits that count."""
    return np.format_float_positional(
        float(number[0]), precision=DIGITS, unique=False, fractional=False, trim="-"
    )


def schedulers_table(names: list[str]) -> pd.DataFrame:
    """Return who fought: scheduler, what it is, whether it must know users, source."""
    rows = [SCHEDULERS[name] for name in names if name in SCHEDULERS]
    return pd.DataFrame(
        [(one.label, one.meaning, YES if one.users else NO, one.source) for one in rows],
        columns=["scheduler", "what it is", "knows users", "source"],
    )


def absent_table() -> pd.DataFrame:
    """Return who did not fight, and why."""
    return pd.DataFrame(list(ABSENT.items()), columns=["who", "why not"])

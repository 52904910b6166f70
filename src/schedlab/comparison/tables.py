"""Tables of compared schedulers: one per metric, survivors of all metrics, and windows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.comparison.schedulers import ABSENT, REFERENCE, SCHEDULERS, labels_of
from schedlab.comparison.standing import BETTER, WORSE, Standing, orders_that_survive
from schedlab.core.metrics import METRICS
from schedlab.core.windows import WHOLE
from schedlab.workbench.results import RECORDED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.comparison.choice import Choice

YES, NO = "yes", "no"
AGAINST = "against EASY"
#: numbers with a decimal point in an expression, and how many significant digits are shown
NUMBER, DIGITS = re.compile(r"\d+\.\d+"), 4


def metric_table(
    standing: Standing, labels: Mapping[str, str], recorded: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return a metric's table: a row per scheduler, best ratio first, the recorded schedule last.

    Columns: scheduler; mean over the windows of each log, by its label; ratio to EASY with low and
    high, chance and verdict (column "against EASY") as in `Standing`; rank, the mean over windows.
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
        columns = row.index.intersection(table.columns)
        table.loc[RECORDED, columns] = row[columns]
    return table.reset_index(drop=True)


def recorded_means(recorded: pd.DataFrame, metric: str) -> pd.Series:
    """Return the mean over a log's windows in the recorded schedule, for completely known logs.

    As for schedulers, windows without counted jobs are left out.
    """
    recorded = recorded[recorded["window"] != WHOLE]
    # the utilization of the recorded schedule is known wherever its waits are
    whole = recorded.groupby("experiment", sort=False)["utilisation"].transform("count")
    complete = recorded[whole == recorded.groupby("experiment")["window"].transform("count")]
    return complete.groupby("experiment", sort=False)[metric].mean()


def survivors(standings: Mapping[str, Standing], most_loss: float) -> pd.DataFrame:
    """Return each scheduler's verdict by every metric, and which rankings hold by all metrics.

    Standings are by name of `schedlab.core.metrics.window_metrics`. `most_loss` is the share by
    which a scheduler may be worse than EASY by a metric and still survive. The best rank comes
    first. The columns are:

    - scheduler; a column per metric, its verdict.
    - better, worse: numbers of metrics.
    - lost: number of metrics by which it is worse by more than `most_loss`.
    - survives: yes if it is better by more metrics than it is worse by and none is lost; empty for
      EASY and for schedulers that did not run on every log.
    - beats: how many schedulers it is better than by every metric.
    - beaten: how many are better than it by every metric.
    - rank: mean over metrics of its mean rank.
    """
    verdicts = pd.DataFrame(
        {name: standing.ratios["verdict"] for name, standing in standings.items()}
    )
    table = verdicts.assign(
        better=(verdicts == BETTER).sum(axis=1), worse=(verdicts == WORSE).sum(axis=1)
    )
    table["lost"] = pd.DataFrame({
        name: (standing.ratios["verdict"] == WORSE) & is_lost(standing, most_loss)
        for name, standing in standings.items()
    }).sum(axis=1)  # fmt: skip
    ahead_of_easy = table["better"] > table["worse"]
    table["survives"] = np.where(ahead_of_easy & (table["lost"] == 0), YES, NO)
    ahead = orders_that_survive(standings)
    # a metric without values on a log (users) also ranks schedulers that did not run on that log
    everywhere = set.intersection(*(set(standing.ranks.index) for standing in standings.values()))
    partly = ~table.index.isin(everywhere)
    table.loc[partly | (table.index == REFERENCE), "survives"] = ""
    table["beats"] = ahead.sum(axis=1).astype(float)
    table["beaten"] = ahead.sum(axis=0).astype(float)
    table["rank"] = pd.DataFrame(
        {name: standing.ranks for name, standing in standings.items()}
    ).mean(axis=1)
    table.loc[partly, "rank"] = np.nan
    table = table.sort_values("rank", kind="stable")
    table.insert(0, "scheduler", pd.Series(labels_of(list(table.index))))
    return table.rename_axis("name").reset_index()


def is_lost(standing: Standing, most_loss: float) -> pd.Series:
    """Return which schedulers are worse than EASY by a metric by more than a given share.

    With `most_loss` 0.1, a scheduler loses above 1.1 times EASY's value, or below 1 / 1.1 times if
    more is better.
    """
    ratio = standing.ratios["ratio"]
    behind = 1 / ratio if METRICS[standing.metric].more else ratio
    return behind > 1 + most_loss


def windows_table(facts: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return the compared windows: a row per log, from the facts of its run; weights shortened."""
    table = facts.rename(columns={"experiment": "log"})
    weights = table["weights"].map(shortened, na_action="ignore")
    return table.assign(log=table["log"].map(labels), weights=weights)


def shortened(expression: str) -> str:
    """Return an expression whose numbers have `DIGITS` significant digits.

    >>> shortened("0.12345678 * (n / 2.0)")
    '0.1235 * (n / 2)'
    """
    return NUMBER.sub(_shorten_number, expression)


def _shorten_number(number: re.Match[str]) -> str:
    return np.format_float_positional(
        float(number[0]), precision=DIGITS, unique=False, fractional=False, trim="-"
    )


def schedulers_table(names: list[str]) -> pd.DataFrame:
    """Return the compared schedulers: scheduler, what it is, whether it needs users, source."""
    rows = [SCHEDULERS[name] for name in names if name in SCHEDULERS]
    return pd.DataFrame(
        [
            (scheduler.label, scheduler.meaning, YES if scheduler.users else NO, scheduler.source)
            for scheduler in rows
        ],
        columns=["scheduler", "what it is", "knows users", "source"],
    )


def absent_table() -> pd.DataFrame:
    """Return the excluded schedulers, and why."""
    return pd.DataFrame(list(ABSENT.items()), columns=["who", "why not"])


def youth_of(facts: pd.DataFrame) -> frozenset[str]:
    """Return the schedulers that put younger jobs first on any log, from the facts of all logs."""
    return frozenset(name for names in facts["youth"].fillna("") for name in names.split())


def with_choice(survivors: pd.DataFrame, choice: Choice) -> pd.DataFrame:
    """Return the survivors with the obstacles to a recommendation and the place of candidates.

    Columns: waits too long, on how many logs its longest wait exceeds the bound; youth first, yes
    if it puts younger jobs first; place among the candidates, 1 for the recommended one.
    """
    names = survivors["name"]
    places = {name: float(place) for place, name in enumerate(choice.order, start=1)}
    return survivors.assign(
        **{
            "waits too long": [len(choice.forbidden.get(name, [])) for name in names],
            "youth first": [YES if name in choice.youth else "" for name in names],
            "place": names.map(places),
        }
    )


def losers_table(losers: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return which jobs lose most under each scheduler, a row per log, longest mean wait first.

    Columns: log, scheduler; longer, share of jobs in per cent that wait longer than under EASY;
    group, jobs, and their mean waits in hours: wait, easy_wait; the same of the user that loses
    most.
    """
    rows = losers[losers["scheduler"] != REFERENCE]
    table = rows.rename(columns={"experiment": "log"})
    names = labels_of(list(dict.fromkeys(rows["scheduler"])))
    hours = table[["wait", "easy_wait", "user_wait", "user_easy_wait"]] / 3600
    return table.assign(
        log=table["log"].map(labels),
        scheduler=table["scheduler"].map(names),
        longer=100 * table["longer"],
        **hours,
    ).reset_index(drop=True)

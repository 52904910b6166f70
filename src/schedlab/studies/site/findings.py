"""Summarize each figure of a site's report in one sentence, from the data that it draws."""

import pandas as pd

from schedlab.comparison.comparing import heading_of
from schedlab.comparison.schedulers import REFERENCE
from schedlab.comparison.standing import BETTER, WORSE, Standing
from schedlab.report.words import joined, number_of
from schedlab.workbench.results import RECORDED


def frequent_sizes(sizes: pd.DataFrame) -> str:
    """Return which sizes most jobs and most core-hours have, from `profile.sizes`.

    >>> import pandas as pd
    >>> table = {"processors": ["1", "2–4"], "jobs %": [80.0, 20.0], "core_hours %": [30.0, 70.0]}
    >>> frequent_sizes(pd.DataFrame(table))
    'Most frequent size in processors: 1 (80\u00a0% of the jobs); most core-hours: 2–4 (70\u00a0%)'
    """
    parts = []
    for column in ("jobs %", "core_hours %"):
        largest = sizes[column].max()
        names = sizes.loc[sizes[column].map("{:.0f}".format) == f"{largest:.0f}", "processors"]
        parts.append((joined(names), f"{largest:.0f}\u00a0%"))
    (jobs, share), (hours, part) = parts
    return (
        f"Most frequent size in processors: {jobs} ({share} of the jobs); most core-hours: {hours} "
        f"({part})"
    )


def busy_hours(arrivals: pd.DataFrame) -> str:
    """Return when most and fewest jobs arrive, from `profile.arrivals`."""
    table = arrivals.set_index("weekday")
    by_hour, by_day = table.mean(), table.mean(axis=1)
    return (
        f"Most jobs arrive from {by_hour.idxmax()}:00 on ({by_hour.max():.3g} an hour), fewest "
        f"from {by_hour.idxmin()}:00 on ({by_hour.min():.3g}); the busiest day is {by_day.idxmax()}"
    )


def better_than_easy(standing: Standing) -> str:
    """Return how many schedulers are significantly better and worse than EASY by a metric."""
    verdicts = standing.ratios["verdict"].drop(REFERENCE)
    better, worse = ((verdicts == verdict).sum() for verdict in (BETTER, WORSE))
    return (
        f"By mean bounded slowdown, {better} of {number_of(len(verdicts), 'scheduler')} are better "
        f"than EASY and {worse} worse"
    )


def best_held_out(table: pd.DataFrame) -> str:
    """Return which policy has the lowest ratio to EASY on test weeks, by each metric.

    The table is from `Trained.held_out`, which has EASY first. Equal ratios, as printed, are ties.
    """
    parts = []
    for metric, rows in table.groupby("metric", sort=False):
        ratios = rows.iloc[1:].set_index("policy")["ratio"].drop(RECORDED, errors="ignore")
        ratios = ratios.dropna().map("{:.2f}".format)
        if len(ratios):
            least = min(ratios, key=float)
            parts.append(
                f"{joined(ratios.index[ratios == least])} by {heading_of(metric)} ({least})"
            )
    lowest = joined(parts) if parts else "none, because no week has a ratio"
    return f"Lowest ratio to EASY on the test weeks: {lowest}"


def better_settings(table: pd.DataFrame) -> str:
    """Return how many changed settings are better and worse than today by mean wait.

    >>> rows = {"wait verdict": ["better", "open"], "slowdown verdict": ["open", "worse"]}
    >>> better_settings(pd.DataFrame(rows))
    'By mean wait, 1 of 2 changes is better than today and 0 worse; by mean slowdown, 0 and 1'
    >>> better_settings(pd.DataFrame(dict.fromkeys(rows, ["too few windows"])))
    'Too few windows for a verdict on 1 change'
    """
    if len(table) and table["wait verdict"].eq("too few windows").all():
        return f"Too few windows for a verdict on {number_of(len(table), 'change')}"
    (better, worse), (fewer, more) = (
        [int((table[f"{metric} verdict"] == verdict).sum()) for verdict in (BETTER, WORSE)]
        for metric in ("wait", "slowdown")
    )
    is_or_are = "is" if better == 1 else "are"
    return (
        f"By mean wait, {better} of {number_of(len(table), 'change')} {is_or_are} better than "
        f"today and {worse} worse; by mean slowdown, {fewer} and {more}"
    )

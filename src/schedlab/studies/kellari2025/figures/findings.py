"""Summarize each figure of kellari2025 in one sentence, from the data that it draws."""

import numpy as np
import pandas as pd

from schedlab.report.words import joined, number_of
from schedlab.studies.kellari2025.beyond import ALIKE, HIGHER, LOWER, sides
from schedlab.studies.kellari2025.tables.chapter6 import METRICS

# The largest number of settings that a title lists.
MOST_SETTINGS = 4


def ends(values: pd.Series, metric: str, label: str) -> str:
    """Return which scheduler is best by a metric and which is worst.

    `values` are by scheduler. `metric` is a key of `METRICS`, which defines whether high values are
    better. `label` names the metric in the sentence.
    """
    ends_of = (values.max(), values.min())
    high, low = ends_of if METRICS[metric].high else ends_of[::-1]
    digits = ".2f" if metric == "makespan_speedup" else ".3g"
    best, worst = (_ties_with(values, end, digits) for end in (high, low))
    if f"{high:{digits}}" == f"{low:{digits}}":
        return f"All schedulers have the same {label or METRICS[metric].printed}"
    has = "has" if len(best) == 1 else "have"
    most, least = _superlatives(metric)
    label, percent, _ = label.partition(" (%)")
    unit = "\u00a0%" if percent else ""
    return (
        f"{joined(best)} {has} the {most} {label} ({high:{digits}}{unit}), {joined(worst)} the "
        f"{least} ({low:{digits}}{unit})"
    )


def _superlatives(metric: str) -> tuple[str, str]:
    """Return the words for the best and the worst value of a metric."""
    if METRICS[metric].high:
        return "best", "worst"
    return ("fewest", "most") if metric == "slowed" else ("lowest", "highest")


def _ties_with(values: pd.Series, end: float, digits: str) -> list[str]:
    """Return the schedulers whose rounded value equals that of `end`."""
    return [name for name, value in values.items() if f"{value:{digits}}" == f"{end:{digits}}"]


def of_means(values: pd.DataFrame, metric: str, label: str) -> str:
    """Return `ends` of the means over the workloads; columns scheduler and value."""
    return ends(values.groupby("scheduler", sort=False)["value"].mean(), metric, label)


def on_front(points: pd.DataFrame) -> str:
    """Return the schedulers with a point on the front; columns scheduler and optimal."""
    every = points["scheduler"].nunique()
    names = list(dict.fromkeys(points.loc[points["optimal"], "scheduler"]))
    verb = "has" if len(names) == 1 else "have"
    return f"{len(names)} of {every} schedulers {verb} a point on the front: {', '.join(names)}"


def strongest(table: pd.DataFrame) -> str:
    """Return the two metrics with the strongest correlation, positive or negative."""
    values = table.to_numpy(dtype=float).copy()
    values[np.tril_indices(len(values))] = np.nan
    place = np.nanargmax(np.abs(values))
    row, column = np.unravel_index(place, values.shape)
    return (
        f"The strongest correlation is between {table.index[row]} and {table.columns[column]} "
        f"({values[row, column]:+.2f})"
    )


def best_pairs(pairs: pd.DataFrame) -> str:
    """Return which application gains most, and which loses most, by sharing with another.

    Expects name_A, name_B and speedup_A_B: of A when it shares with B, nan if not measured.
    """
    measured = pairs.dropna(subset="speedup_A_B")
    best, worst = (measured.loc[measured["speedup_A_B"].agg(end)] for end in ("idxmax", "idxmin"))
    return (
        f"{best['name_A']} gains most next to {best['name_B']} ({best['speedup_A_B']:.2f}); "
        f"{worst['name_A']} loses most next to {worst['name_B']} ({worst['speedup_A_B']:.2f})"
    )


def first_half(table: pd.DataFrame) -> str:
    """Return under which scheduler half of the jobs end first, and under which last."""
    half = table["finished"].max() / 2
    times = table[table["finished"] >= half].groupby("scheduler", sort=False)["time"].min() / 3600
    first, last = (_ties_with(times, end, ".2g") for end in (times.min(), times.max()))
    return (
        f"Half of the jobs are complete after {times.min():.2g} h under {joined(first)}, after "
        f"{times.max():.2g} h under {joined(last)}"
    )


def idle(table: pd.DataFrame) -> str:
    """Return which scheduler leaves the fewest and the most cores unused: mean of `unused`."""
    means = table.groupby("scheduler", sort=False)["unused"].mean()
    least, most = (_ties_with(means, end, ",.0f") for end in (means.min(), means.max()))
    verb = "leaves" if len(least) == 1 else "leave"
    return (
        f"On average {joined(least)} {verb} {means.min():,.0f} cores unused, {joined(most)} "
        f"{means.max():,.0f}"
    )


def sped_up(speedups: pd.Series) -> str:
    """Return the mean speedup of jobs that share nodes, and how many are slower than alone."""
    slowed = 100 * (speedups < 1).mean()
    return f"Jobs run {speedups.mean():.2f} times as fast as alone; {slowed:.0f} % are slowed"


def half_done(states: pd.DataFrame) -> str:
    """Return when half of the jobs have ended, and the maximum number that execute at once."""
    half = states["finished"] >= states["finished"].max() / 2
    when = states.loc[half, "time"].min() / 60
    most = states["executing"].max()
    return f"Half of the jobs are complete after {when:,.0f} min; at most {most} execute at once"


def nodes_used(places: pd.DataFrame, methods: list[str]) -> str:
    """Return how many nodes the first application uses under each allocation method.

    Expects the columns method, job, node and cores (of the job on a socket of the node).

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("compact", "A", 0, 8), ("compact", "A", 1, 8), ("spread", "A", 0, 4)]
    >>> places = pd.DataFrame(rows, columns=["method", "job", "node", "cores"])
    >>> nodes_used(places, ["compact", "spread"])
    'Application A uses 2 nodes (compact) and 1 node (spread)'
    """
    first = places[(places["job"] == places["job"].min()) & (places["cores"] > 0)]
    counts = first.groupby("method")["node"].nunique()
    parts = (f"{number_of(counts[method], 'node')} ({method})" for method in methods)
    return f"Application {first['job'].iloc[0]} uses {joined(parts)}"


def moved(changes: pd.DataFrame, against: str) -> str:
    """Return for how many schedulers mean slowdown changes significantly in each setting."""
    if changes.empty:
        return f"There is nothing to compare with {against}"
    compared = sides(changes)
    settings = changes["setting"].nunique()
    if settings > MOST_SETTINGS:
        return (
            f"Against {against}, mean slowdown is significantly lower in "
            f"{compared.eq(LOWER).sum()} and higher in {compared.eq(HIGHER).sum()} of "
            f"{len(changes)} pairs of scheduler and setting"
        )
    counts = compared.ne(ALIKE).groupby(changes["setting"], sort=False).agg(["sum", "size"])
    parts = [f"{row['sum']} of {row['size']} ({name})" for name, row in counts.iterrows()]
    return f"Against {against} mean slowdown differs significantly for {', '.join(parts)}"

"""Figures that compare predictors of waits on logs."""

from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.files.stand_ins import kind_of, short_name
from schedlab.report.figures.style import COLORS, titled
from schedlab.report.words import most_often
from schedlab.waits.backtest_predictors import (
    ASA,
    BOUND_CENSORED,
    BOUNDS,
    ESTIMATORS,
    FALLING,
    MEDIAN_CENSORED,
    REGRESSED_BOUND,
)

#: markers of predictors that share their color with another
MARKERS = {MEDIAN_CENSORED: "D", BOUND_CENSORED: "D", REGRESSED_BOUND: "s"}
NAMES = {ASA: "Algorithm 1", FALLING: "Algorithm 1, falling rates"}
#: vertical distance between the predictors of a log
STEP = 0.08
#: an axis with a larger ratio of its ends has fewer ticks
DECADE = 10


def draw_waits(table: pd.DataFrame, title: str, by: str = "error") -> Figure:
    """Draw mean absolute errors over mean waits, losses, and the coverage of bounds, log by log.

    `table` has rows of `backtest_predictors.scores` with a column log. `title` states which waits
    are predicted; the figure's title names the least value of column `by`.
    """
    table = table[table["estimator"] != NOT_AVAILABLE]
    kinds = list(dict.fromkeys(table["waits"]))
    logs = list(dict.fromkeys(table["log"]))
    height = 2.2 + len(kinds) * (0.7 + 0.62 * len(logs))
    with titled(height, least_error(table, by), title) as figure:
        grid = figure.subplots(
            len(kinds), 3, squeeze=False, sharey="row", sharex="col", width_ratios=[3, 3, 1.4]
        )
        for (left, middle, right), kind in zip(grid, kinds, strict=True):
            rows = table[table["waits"] == kind]
            waited, bounds = rows[rows["wait"] > 0], rows[rows["estimator"].isin(BOUNDS)]
            errors = {name: waited[name] / waited["wait"] for name in _with_ends("error")}
            _draw(left, waited.assign(**errors), logs, "error", [1])
            _draw(middle, rows[rows["lost"] > 0], logs, "lost", [100])
            _draw(right, bounds, logs, "covered", bounds["target"].unique())
            _logarithmic(left)
            _logarithmic(middle)
            left.set_title(f"waits: {kind}", loc="left", fontsize=9)
            middle.set_title("lost core-hours", loc="left", fontsize=9)
            right.set_title("bounds cover", loc="left", fontsize=9)
            left.set_yticks(range(len(logs)), [*map(short_name, logs)])
            left.invert_yaxis()
        grid[-1][0].set_xlabel("error (mean waits; 1: predicting 0)")
        grid[-1][1].set_xlabel("lost (%; 100: predicting 0)")
        grid[-1][2].set_xlabel("% of jobs")
        marks = [
            Line2D(
                [], [], marker=MARKERS.get(name, "o"), ls="", ms=4,
                color=COLORS[name], label=NAMES.get(name, name),
            )
            for name in ESTIMATORS
        ]  # fmt: skip
        figure.legend(handles=marks, loc="outside lower center", ncols=3, fontsize=7)
    return figure


def least_error(table: pd.DataFrame, by: str = "error") -> str:
    """Return, by kind of waits, which predictor errs least on how many logs."""
    leaders = []
    scored = table.astype({by: float}).dropna(subset=by)
    for kind, rows in scored.groupby("waits", sort=False):
        best = rows.loc[rows.groupby("log")[by].idxmin(), "estimator"]
        most, count = most_often(best.replace(NAMES))
        leaders.append(f"{most} on {count} of {len(best)} {kind_of(rows['log'])} ({kind})")
    return f"Least error: {'; '.join(leaders)}"


def _with_ends(column: str) -> list[str]:
    """Return the columns of a value and of the ends of its interval."""
    return [column, f"{column} low", f"{column} high"]


def _draw(
    axes: Axes, rows: pd.DataFrame, logs: list[str], column: str, lines: Iterable[float]
) -> None:
    """Draw a column and its interval, at the predictor's position on its log; then the lines."""
    for row in rows.to_dict("records"):
        name = row["estimator"]
        order = ESTIMATORS.index(name) - (len(ESTIMATORS) - 1) / 2
        place, color = logs.index(row["log"]) + STEP * order, COLORS[name]
        value, *ends = (row[each] for each in _with_ends(column))
        axes.plot(ends, [place, place], color=color, lw=1)
        axes.plot(value, place, MARKERS.get(name, "o"), color=color, ms=3)
    for line in lines:
        axes.axvline(line, color="black", lw=0.8)


def _logarithmic(axes: Axes) -> None:
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    few = (1, 3) if high > DECADE * low else (1, 1.5, 2, 3, 5, 7)
    axes.xaxis.set_major_locator(LogLocator(subs=few))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.minorticks_off()

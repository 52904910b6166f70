"""Figures that compare predictors of waits on logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.report.figures.style import (
    AMBER,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    canvas,
    entitle,
    house_style,
)
from schedlab.report.words import most_often
from schedlab.waits.backtest_predictors import (
    ASA,
    BOUND,
    BOUND_CENSORED,
    BOUNDS,
    ESTIMATORS,
    FALLING,
    LAST,
    MEDIAN,
    MEDIAN_CENSORED,
    QUEUE,
    REGRESSED,
    REGRESSED_BOUND,
    TEST_ONLY,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = {
    ASA: PURPLE, FALLING: SKY, LAST: AMBER, MEDIAN: GREEN, BOUND: ORANGE,
    MEDIAN_CENSORED: GREEN, BOUND_CENSORED: ORANGE, REGRESSED: "black", REGRESSED_BOUND: "black",
    TEST_ONLY: GREY, QUEUE: BLUE,
}  # fmt: skip
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
    with house_style():
        height = 2.2 + len(kinds) * (0.7 + 0.62 * len(logs))
        figure = canvas(height)
        entitle(figure, least_error(table, by), title)
        grid = figure.subplots(
            len(kinds), 3, squeeze=False, sharey="row", sharex="col", width_ratios=[3, 3, 1.4]
        )
        for (left, middle, right), kind in zip(grid, kinds, strict=True):
            rows = table[table["waits"] == kind]
            _draw_errors(left, rows, logs)
            _draw_losses(middle, rows, logs)
            _draw_coverage(right, rows[rows["estimator"].isin(BOUNDS)], logs)
            left.set_title(f"waits: {kind}", loc="left", fontsize=9)
            middle.set_title("lost core-hours", loc="left", fontsize=9)
            right.set_title("bounds cover", loc="left", fontsize=9)
            left.set_yticks(range(len(logs)), logs)
            left.invert_yaxis()
        grid[-1][0].set_xlabel("error (mean waits; 1: predicting 0)")
        grid[-1][1].set_xlabel("lost (%; 100: predicting 0)")
        grid[-1][2].set_xlabel("% of jobs")
        marks = [
            Line2D(
                [], [], marker=MARKERS.get(name, "o"), ls="", ms=4,
                color=SHADES[name], label=NAMES.get(name, name),
            )
            for name in ESTIMATORS
        ]  # fmt: skip
        figure.legend(handles=marks, loc="outside lower center", ncols=3, fontsize=7)
    return figure


def least_error(table: pd.DataFrame, by: str = "error") -> str:
    """Return, by kind of waits, which predictor errs least on how many logs.

    `table` has columns waits, log, estimator and error; the least value of column `by` counts.
    """
    leaders = []
    scored = table.astype({by: float}).dropna(subset=by)
    for kind, rows in scored.groupby("waits", sort=False):
        best = rows.loc[rows.groupby("log")[by].idxmin(), "estimator"]
        most, count = most_often(best.replace(NAMES))
        leaders.append(f"{most} on {count} of {len(best)} logs ({kind})")
    return f"Least error: {'; '.join(leaders)}"


def _draw_errors(axes: Axes, rows: pd.DataFrame, logs: list[str]) -> None:
    for row in rows[rows["wait"] > 0].to_dict("records"):
        values = [row[f"error{end}"] / row["wait"] for end in ("", " low", " high")]
        _mark(axes, row, logs, values)
    axes.axvline(1, color="black", lw=0.8)
    _logarithmic(axes)


def _draw_losses(axes: Axes, rows: pd.DataFrame, logs: list[str]) -> None:
    for row in rows[rows["lost"] > 0].to_dict("records"):
        _mark(axes, row, logs, [row[f"lost{end}"] for end in ("", " low", " high")])
    axes.axvline(100, color="black", lw=0.8)
    _logarithmic(axes)


def _draw_coverage(axes: Axes, rows: pd.DataFrame, logs: list[str]) -> None:
    for row in rows.to_dict("records"):
        _mark(axes, row, logs, [row[f"covered{end}"] for end in ("", " low", " high")])
    for target in rows["target"].unique():
        axes.axvline(target, color="black", lw=0.8)


def _mark(axes: Axes, row: dict, logs: list[str], values: list[float]) -> None:
    """Draw a predictor's value and its interval at its position on its log."""
    name = row["estimator"]
    order = ESTIMATORS.index(name) - (len(ESTIMATORS) - 1) / 2
    place, color = logs.index(row["log"]) + STEP * order, SHADES[name]
    axes.plot(values[1:], [place, place], color=color, lw=1)
    axes.plot(values[0], place, MARKERS.get(name, "o"), color=color, ms=3)


def _logarithmic(axes: Axes) -> None:
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    few = (1, 3) if high > DECADE * low else (1, 1.5, 2, 3, 5, 7)
    axes.xaxis.set_major_locator(LogLocator(subs=few))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.minorticks_off()

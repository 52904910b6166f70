"""Predictors of waits on logs, beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator

from schedlab.asa.foretold import ASA, BOUND, ESTIMATORS, FALLING, LAST, MEDIAN, QUEUE
from schedlab.figures.style import (
    AMBER,
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    canvas,
    entitle,
    house_style,
)
from schedlab.figures.words import most_often
from schedlab.markers import NOT_AT_HAND

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = {ASA: PURPLE, FALLING: SKY, LAST: AMBER, MEDIAN: GREEN, BOUND: ORANGE, QUEUE: BLUE}
SAID = {ASA: "Algorithm 1", FALLING: "Algorithm 1, falling rates"}
#: how far apart the predictors of a log are drawn
STEP = 0.13


def draw_waits(table: pd.DataFrame, title: str, by: str = "error") -> Figure:
    """Draw mean absolute errors over mean waits, and what the bound covers, log by log.

    Parameters
    ----------
    table : DataFrame
        Rows of `schedlab.asa.foretold.scores` with a column log, of one log or more at hand.
    title : str
        What was predicted.
    by : str
        The column whose least value the title names.
    """
    table = table[table["estimator"] != NOT_AT_HAND]
    kinds = list(dict.fromkeys(table["waits"]))
    logs = list(dict.fromkeys(table["log"]))
    with house_style():
        height = 1.9 + len(kinds) * (0.7 + 0.5 * len(logs))
        figure = canvas(height)
        entitle(figure, least_error(table, by), title)
        grid = figure.subplots(
            len(kinds), 2, squeeze=False, sharey="row", sharex="col", width_ratios=[3, 1]
        )
        for (left, right), kind in zip(grid, kinds, strict=True):
            own = table[table["waits"] == kind]
            _errors(left, own, logs)
            _covered(right, own[own["estimator"] == BOUND], logs)
            left.set_title(f"waits: {kind}", loc="left", fontsize=9)
            right.set_title("bound covers", loc="left", fontsize=9)
            left.set_yticks(range(len(logs)), logs)
            left.invert_yaxis()
        grid[-1][0].set_xlabel("mean absolute error, in mean waits of the log (1: saying 0)")
        grid[-1][1].set_xlabel("% of jobs")
        marks = [
            Line2D([], [], marker="o", ls="", color=SHADES[name], label=SAID.get(name, name))
            for name in ESTIMATORS
        ]
        figure.legend(handles=marks, loc="outside lower center", ncols=3, fontsize=7)
    return figure


def least_error(table: pd.DataFrame, by: str = "error") -> str:
    """Say, by kind of waits, which predictor errs least on how many logs.

    Parameters
    ----------
    table : DataFrame
        waits, log, estimator and error.
    by : str
        The column whose least value counts.
    """
    said = []
    known = table.astype({by: float}).dropna(subset=by)
    for kind, own in known.groupby("waits", sort=False):
        best = own.loc[own.groupby("log")[by].idxmin(), "estimator"]
        most, count = most_often(best.replace(SAID))
        said.append(f"{most} on {count} of {len(best)} logs ({kind})")
    return f"Least error: {'; '.join(said)}"


def _errors(axes: Axes, own: pd.DataFrame, logs: list[str]) -> None:
    for one in own[own["wait"] > 0].to_dict("records"):
        order = ESTIMATORS.index(one["estimator"]) - (len(ESTIMATORS) - 1) / 2
        place, colour = logs.index(one["log"]) + STEP * order, SHADES[one["estimator"]]
        ends = [one[f"error {end}"] / one["wait"] for end in ("low", "high")]
        axes.plot(ends, [place, place], color=colour, lw=1.5)
        axes.plot(one["error"] / one["wait"], place, "o", color=colour, ms=4)
    axes.axvline(1, color="black", lw=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.minorticks_off()


def _covered(axes: Axes, own: pd.DataFrame, logs: list[str]) -> None:
    for one in own.to_dict("records"):
        place, colour = logs.index(one["log"]), SHADES[BOUND]
        axes.plot([one["covered low"], one["covered high"]], [place, place], color=colour, lw=1.5)
        axes.plot(one["covered"], place, "o", color=colour, ms=4)
        axes.axvline(one["meant"], color="black", lw=0.8)

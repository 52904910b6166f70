"""Draw figures 3, 7 and 8: normalized user wait times, and complaints."""

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from schedlab.report.figures.style import legend_below, titled
from schedlab.studies.klusacek2016.figures.findings import changed, complaints
from schedlab.studies.klusacek2016.figures.performance import COLORS, draw_measure, draw_shares

WEEK = 7 * 24
#: numbers of processors whose lines of acceptable waits are labeled
LABELED = (1, 4, 16, 256)


def draw_fairness(
    table: pd.DataFrame, users: pd.DataFrame, cdf: pd.DataFrame, title: str
) -> Figure:
    """Draw mean NUWT, NUWT of each user, and its cumulative distribution; figures 3 and 7."""
    with titled(3.0, changed(table), title) as figure:
        mean, by_user, shares = figure.subplots(1, 3, width_ratios=[1, 1.7, 1.7])
        draw_measure(mean, table, "nuwt")
        _draw_users(by_user, users)
        by_user.set_yscale("symlog", linthresh=1e-4)
        by_user.set(xlabel="user, by NUWT under Orig-BF", ylabel="NUWT")
        draw_shares(shares, cdf, "NUWT", "share of the users (%)")
        shares.set_xscale("symlog", linthresh=1e-4)
        legend_below(figure, mean, 2)
    return figure


def draw_complaints(
    tolerance: pd.DataFrame, users: pd.DataFrame, sizes: pd.DataFrame, title: str
) -> Figure:
    """Draw acceptable waits, complaints by user, and their sizes; figure 8."""
    complaining = users[(users[list(COLORS)] > 0).any(axis=1)]
    with titled(3.2, complaints(complaining), title) as figure:
        acceptable, by_user, ordered = figure.subplots(1, 3)
        _draw_tolerance(acceptable, tolerance)
        _draw_users(by_user, complaining)
        by_user.set(
            xlabel="user, by complaints under Orig-BF", ylabel="complaints (mean over seeds)"
        )
        for name, color in COLORS.items():
            rows = sizes[sizes["scheduler"] == name]
            ordered.plot(rows["rank"], rows["size"], "o-", ms=3, color=color, label=name)
        ordered.xaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))
        ordered.set(xlabel="complaint, the largest first", ylabel="wait over acceptable wait")
        legend_below(figure, ordered, 2)
    return figure


def _draw_users(axes: Axes, users: pd.DataFrame) -> None:
    places = np.arange(1, len(users) + 1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    for (name, color), size in zip(COLORS.items(), (5, 3.5), strict=True):
        axes.plot(places, users[name], "o", ms=size, mew=0, color=color, label=name)


def _draw_tolerance(axes: Axes, tolerance: pd.DataFrame) -> None:
    groups = list(tolerance.groupby("processors"))
    colors = mpl.colormaps["viridis"](np.linspace(0, 0.9, len(groups)))  # by processors
    for (procs, group), color in zip(groups, colors, strict=True):
        axes.plot(group["walltime"], group["acceptable"], color=color)
        if procs in LABELED:
            axes.annotate(f"{procs}", (group["walltime"].iloc[-1], group["acceptable"].iloc[-1]),
                          (3, 0), textcoords="offset points", va="center", size=7)  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="requested time (h)", ylabel="acceptable wait (h)")
    ticks = [1, 3, 7, 24, WEEK]
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.set_title("lines: processors", loc="right", fontsize=7.5, fontweight="normal")

"""Figures beyond kellari2025: one setting changed, tariffs, predicted pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from schedlab.cosched.pricing import TARIFFS
from schedlab.figures.style import BLUE, GREEN, GREY, ORANGE, house_style
from schedlab.report.verdicts import NOT_AT_HAND

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TARIFF_COLOURS = dict(zip(TARIFFS, [GREY, ORANGE, BLUE], strict=True))
PANELS = {"slowdown": "mean slowdown", "makespan_speedup": "makespan speedup over Conservative"}


def draw_settings(table: pd.DataFrame, note: str) -> Figure:
    """Draw mean slowdown and makespan speedup by scheduler, a mark per setting.

    Parameters
    ----------
    table : DataFrame
        From `schedlab.papers.kellari2025.beyond.by_setting`.
    note : str
        Title.
    """
    table = table[table["scheduler"] != NOT_AT_HAND]
    settings = list(dict.fromkeys(table["setting"]))
    schedulers = list(dict.fromkeys(table["scheduler"]))
    colours = mpl.colormaps["viridis"](np.linspace(0, 0.9, len(settings)))
    offsets = np.linspace(-0.3, 0.3, len(settings))
    with house_style():
        figure = Figure(figsize=(10, 4.4), layout="constrained")
        figure.suptitle(note, x=0.01, ha="left", fontsize=10, weight="bold")
        for axes, (metric, label) in zip(figure.subplots(1, 2), PANELS.items(), strict=True):
            for setting, colour, offset in zip(settings, colours, offsets, strict=True):
                own = table[table["setting"] == setting].set_index("scheduler")[metric]
                axes.plot(np.arange(len(schedulers)) + offset, own.reindex(schedulers), "o", ms=6,
                          color=colour, mew=0, label=setting)  # fmt: skip
            for place in np.arange(len(schedulers) - 1) + 0.5:
                axes.axvline(place, color="#eeeeee", linewidth=0.7, zorder=0.5)
            axes.set_xticks(range(len(schedulers)), schedulers, rotation=35, ha="right")
            axes.set_ylabel(label)
            if metric == "slowdown" and table[metric].max() > 20 * table[metric].min():
                axes.set_yscale("log")
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(len(settings), 4))
    return figure


def draw_pricing(schedulers: pd.DataFrame, applications: pd.DataFrame, note: str) -> Figure:
    """Draw who pays more under which tariff: by scheduler, and by application.

    Parameters
    ----------
    schedulers, applications : DataFrame
        From `schedlab.cosched.pricing`.
    note : str
        Title.
    """
    with house_style():
        figure = Figure(figsize=(12, 6.4), layout="constrained")
        figure.suptitle(note, x=0.01, ha="left", fontsize=10, weight="bold")
        grid = figure.add_gridspec(2, 2, height_ratios=[1, 1.1])
        share, income = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
        _bars(share, schedulers, "scheduler", "more", "jobs that pay more than alone (%)")
        _dots(income, schedulers, "scheduler", "income", "income (% of that without sharing)")
        income.axhline(100, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
        ranges = figure.add_subplot(grid[1, :])
        _ranges(ranges, applications)
        handles, labels = share.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(TARIFFS))
    return figure


def _bars(axes: Axes, table: pd.DataFrame, by: str, value: str, label: str) -> None:
    names = list(dict.fromkeys(table[by]))
    for place, (tariff, colour) in enumerate(TARIFF_COLOURS.items()):
        own = table[table["tariff"] == tariff].set_index(by)[value].reindex(names)
        axes.bar(np.arange(len(names)) + 0.27 * (place - 1), own, 0.25, color=colour, label=tariff)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    axes.set_ylabel(label)


def _dots(axes: Axes, table: pd.DataFrame, by: str, value: str, label: str) -> None:
    names = list(dict.fromkeys(table[by]))
    for place, (tariff, colour) in enumerate(TARIFF_COLOURS.items()):
        own = table[table["tariff"] == tariff].set_index(by)[value].reindex(names)
        axes.plot(np.arange(len(names)) + 0.2 * (place - 1), own, "o", ms=6, mew=0, color=colour)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    axes.set_ylabel(label)


def _ranges(axes: Axes, table: pd.DataFrame) -> None:
    """Draw the 5th to 95th percentile of charge over charge alone, by application."""
    plain = table[table["tariff"] == "plain"].sort_values("most")
    names = list(plain["application"])
    for place, (tariff, colour) in enumerate(TARIFF_COLOURS.items()):
        own = table[table["tariff"] == tariff].set_index("application").loc[names]
        x = np.arange(len(names)) + 0.25 * (place - 1)
        axes.vlines(x, own["least"], own["most"], color=colour, linewidth=3.4)
        axes.plot(x, own["middle"], "o", ms=4.5, color=colour, mec="white", mew=0.6)
    axes.axhline(1, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_ylabel("charge over charge alone\n(median, 5th to 95th percentile)")


def draw_pairs(predictions: pd.DataFrame, errors: pd.DataFrame, note: str) -> Figure:
    """Draw predicted against actual speedups of hidden pairs, and the error of each method.

    Parameters
    ----------
    predictions, errors : DataFrame
        From `schedlab.cosched.pairs.cross_validate` and `errors`.
    note : str
        Title.
    """
    methods = list(dict.fromkeys(errors["method"]))
    single = predictions[predictions["design"] == "pairs"]
    limits = single["actual"].min() - 0.03, single["actual"].max() + 0.03
    with house_style():
        figure = Figure(figsize=(13, 4), layout="constrained")
        figure.suptitle(note, x=0.01, ha="left", fontsize=10, weight="bold")
        panels = figure.subplots(1, len(methods) + 1, width_ratios=[1] * len(methods) + [1.2])
        for axes, method in zip(panels, methods, strict=False):
            own = single[single["method"] == method]
            axes.plot(own["actual"], own["predicted"], "o", ms=2.5, mew=0, color=BLUE, alpha=0.5)
            axes.plot(limits, limits, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
            axes.set(xlim=limits, ylim=limits, xlabel="measured speedup", aspect="equal")
            axes.set_title(method.replace("_", " "))
        panels[0].set_ylabel("predicted speedup")
        designs = {"pairs": (GREEN, "single pairs left out"), "groups": (ORANGE, "groups apart")}
        for place, (design, (colour, words)) in enumerate(designs.items()):
            own = errors[errors["design"] == design].set_index("method")["rmse"].reindex(methods)
            panels[-1].bar(np.arange(len(methods)) + 0.4 * (place - 0.5), own, 0.36, color=colour,
                           label=words)  # fmt: skip
        panels[-1].set_xticks(range(len(methods)), [name.replace("_", " ") for name in methods],
                              rotation=30, ha="right")  # fmt: skip
        panels[-1].set_ylabel("rmse of the speedup")
        panels[-1].legend(loc="best")
    return figure

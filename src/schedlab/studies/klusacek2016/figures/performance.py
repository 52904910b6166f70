"""Draw figures 1, 2 and 6: utilization, waits and slowdowns."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from schedlab.report.figures.distributions import draw_heights, is_wide
from schedlab.report.figures.style import colors_of, legend_below, titled
from schedlab.studies.klusacek2016.figures.findings import changed, waits_less
from schedlab.studies.klusacek2016.metrics import NAMES, ORIG, PLAN

COLORS = colors_of((NAMES[ORIG], NAMES[PLAN]))
HOUR = 3600
#: label of each panel of bars with its unit, and the divisor of its values
PANELS = {
    "utilisation": ("utilization (%)", 0.01),
    "wait": ("mean wait (h)", HOUR),
    "slowdown": ("mean bounded slowdown", 1),
    "nuwt": ("mean NUWT", 1),
}
WORDS = {"recorded": "recorded users", "reacting": "reacting users"}
#: hours up to which the axis of waits by class is linear, and its ticks
SHORTEST = 1 / 60
WAITS = {0: "0", 1 / 60: "1 min", 1 / 6: "10 min", 1: "1 h", 10: "10 h", 100: "100 h"}
#: color of the line between the waits of a class
LINE = "#c9c9c9"
BY = {"processors": "processors", "walltime": "requested time"}


def draw_bars(table: pd.DataFrame, title: str) -> Figure:
    """Draw utilization, wait and slowdown of both schedulers, from `figure_data.bars`; figure 1."""
    measures = list(dict.fromkeys(table["measure"]))
    with titled(2.9, changed(table), title) as figure:
        for axes, measure in zip(figure.subplots(1, len(measures)), measures, strict=True):
            draw_measure(axes, table, measure)
        legend_below(figure, axes, 2)
    return figure


def draw_measure(axes: Axes, table: pd.DataFrame, measure: str) -> None:
    """Draw a bar per scheduler, for each kind of users; dots if the values are far apart."""
    metric_rows = table[table["measure"] == measure]
    label, unit = PANELS[measure]
    users = list(dict.fromkeys(metric_rows["users"]))
    dots = is_wide(metric_rows["value"])
    top = 0.0
    for place, (name, color) in enumerate(COLORS.items()):
        rows = metric_rows[metric_rows["scheduler"] == name].set_index("users").loc[users]
        x = np.arange(len(users)) + 0.4 * (place - 0.5)
        value, reach = rows["value"] / unit, (rows["over_seeds"] / unit).fillna(0)
        draw_heights(axes, x, value, 0.36, color, name, dots)
        wide = reach > 0
        below = np.minimum(reach, value)
        axes.errorbar(x[wide], value[wide], [below[wide], reach[wide]], fmt="none",
                      ecolor="#222222", elinewidth=0.9, capsize=3)  # fmt: skip
        texts = [_with_spread(*each) for each in zip(value, rows["spread"] / unit, strict=True)]
        # a dash for a mean that does not exist is at zero
        for x_place, text, end in zip(x, texts, (value + reach).fillna(0), strict=True):
            axes.annotate(text, (x_place, end), (0, 5 if dots else 2), textcoords="offset points",
                          ha="center", va="bottom", size=7)  # fmt: skip
        top = max(top, float((value + reach).max()))
    axes.set_xticks(range(len(users)), [WORDS[one].replace(" ", "\n") for one in users])
    if dots:
        lowest = metric_rows.loc[metric_rows["value"] > 0, "value"].min() / unit
        # equal spaces on a logarithmic axis, with that of two lines of text above
        axes.set(ylim=(lowest / 3, 12 * top), xlim=(-0.6, len(users) - 0.4))
    else:
        axes.set_ylim(0, 1.25 * top or 1)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.set_ylabel(label)


def _with_spread(mean: float, spread: float) -> str:
    """Write a mean, and below it the standard deviation over jobs or users, if there is one."""
    return _three_digits(mean) + ("" if np.isnan(spread) else f"\n± {_three_digits(spread)}")


def _three_digits(value: float) -> str:
    """Write three significant digits, and all digits before the point.

    Examples
    --------
    >>> _three_digits(3384.4), _three_digits(44.06), _three_digits(0.00383)
    ('3,384', '44.1', '0.00383')
    """
    if np.isnan(value):
        return "–"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def draw_classes(table: pd.DataFrame, title: str) -> Figure:
    """Draw the mean wait of classes of jobs, from `figure_data.by_class`; figure 2."""
    with titled(4.6, waits_less(table), title) as figure:
        for axes, (by, label) in zip(figure.subplots(2, 1), BY.items(), strict=True):
            class_rows = table[table["by"] == by]
            names = list(dict.fromkeys(class_rows["class"]))
            for place, (name, color) in enumerate(COLORS.items()):
                rows = class_rows[class_rows["scheduler"] == name].set_index("class").loc[names]
                axes.plot(
                    range(len(names)), rows["hours"], "oD"[place], ms=5, color=color, label=name
                )
            ends = class_rows.groupby("class")["hours"].agg(["min", "max"]).loc[names]
            axes.vlines(range(len(names)), *ends.to_numpy().T, color=LINE, linewidth=1, zorder=1)
            axes.set_yscale("symlog", linthresh=SHORTEST)
            axes.set_yticks(list(WAITS), list(WAITS.values()))
            axes.yaxis.set_minor_locator(NullLocator())
            axes.set_ylim(0, 1.5 * max(class_rows["hours"].max(), SHORTEST))
            ticks = [f"{one}\n{count:,}" for one, count in zip(names, rows["jobs"], strict=True)]
            axes.set_xticks(range(len(names)), ticks)
            axes.set_xlabel(f"{label} (below: number of jobs)")
            axes.set_ylabel("mean wait")
        legend_below(figure, axes, 2)
    return figure


def draw_waits(table: pd.DataFrame, cdf: pd.DataFrame, title: str) -> Figure:
    """Draw wait, slowdown and the cumulative distribution of waits; figure 6."""
    with titled(3.0, changed(table), title) as figure:
        wait, slowdown, shares = figure.subplots(1, 3, width_ratios=[1, 1, 1.8])
        draw_measure(wait, table, "wait")
        draw_measure(slowdown, table, "slowdown")
        draw_shares(shares, cdf, "wait (h)", "share of the jobs (%)")
        shares.set_xscale("symlog", linthresh=0.1)
        ticks = [0, 0.1, 1, 10, 100, 1000]
        shares.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        legend_below(figure, wait, 2)
    return figure


def draw_shares(axes: Axes, cdf: pd.DataFrame, label: str, of: str) -> None:
    """Draw cumulative shares of both schedulers, up to where both reach 100 %."""
    for name, color in COLORS.items():
        shares = cdf[cdf["scheduler"] == name]
        axes.step(shares["value"], 100 * shares["share"], where="post", color=color, label=name)
    full = cdf.loc[cdf["value"] > cdf.loc[cdf["share"] < 1, "value"].max(), "value"]
    axes.set_xlim(0, full.min() if len(full) else None)
    axes.set_ylim(None, 101)
    axes.set(xlabel=label, ylabel=of)

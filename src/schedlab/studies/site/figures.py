"""The figures of a site's report."""

from collections.abc import Mapping
from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from schedlab.comparison.comparing import heading_of
from schedlab.comparison.schedulers import REFERENCE, labels_of
from schedlab.comparison.standing import BETTER, OPEN, WORSE, Standing
from schedlab.core.metrics import METRICS
from schedlab.report.figures.style import (
    AMBER,
    BLUE,
    COLORS,
    GREY,
    QUIET,
    canvas,
    colors_of,
    house_style,
    titled,
)
from schedlab.report.words import number_of
from schedlab.studies.site import findings
from schedlab.workbench.results import RECORDED

#: least distance between two labeled ticks, as a share of the axis
LEAST_DISTANCE = 0.22
#: ratios that ticks may have
ROUND = (1e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999,
         1, 1.001, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100, 1e3, 1e4,
         1e5)  # fmt: skip
#: color of a verdict, whatever the reference
SHADES = colors_of((BETTER, WORSE))
#: characters in a line of the title of one of three panels
TITLE_LETTERS = 26
TIMES = {1: "1 s", 60: "1 min", 3600: "1 h", 86_400: "1 d", 604_800: "1 w"}


def nothing(text: str) -> Figure:
    """Draw a text that explains why there is no data."""
    with house_style():
        figure = canvas(1.2)
        figure.text(0.5, 0.5, text, ha="center", va="center", color=QUIET)
    return figure


def long(**tables: pd.DataFrame) -> pd.DataFrame:
    """Concatenate tables with different columns in long form: panel, row, column, value."""
    melted = [
        table.rename_axis("row").reset_index().melt("row", var_name="column").assign(panel=name)
        for name, table in tables.items()
    ]
    return pd.concat(melted, ignore_index=True)[["panel", "row", "column", "value"]]


def draw_workload(
    sizes: pd.DataFrame, quantiles: pd.DataFrame, accuracy: pd.DataFrame, load: pd.DataFrame
) -> Figure:
    """Draw jobs by size, run time, estimate and accuracy, and load by week, of `profile`."""
    with titled(5.6, findings.frequent_sizes(sizes)) as figure:
        ((first, second), (third, fourth)) = figure.subplots(2, 2)
        places = np.arange(len(sizes))
        for shift, (column, color) in enumerate({"jobs %": BLUE, "core_hours %": AMBER}.items()):
            label = {"jobs %": "jobs", "core_hours %": "core-hours"}[column]
            first.bar(places + 0.38 * (shift - 0.5), sizes[column], 0.38, color=color, label=label)
        first.set_xticks(places, sizes["processors"], rotation=30, ha="right")
        first.set(title="Size", xlabel="processors of a job", ylabel="% of all")
        for name, color in zip(quantiles.columns[1:], (BLUE, AMBER, GREY), strict=False):
            second.plot(
                np.maximum(quantiles[name], 1), quantiles["per cent of jobs"],
                color=color, label=name,
            )  # fmt: skip
        second.set_xscale("log")
        second.set_xticks(list(TIMES), list(TIMES.values()))
        second.minorticks_off()
        second.set(title="Time", xlabel="at most (below 1 s: 1 s)", ylabel="% of jobs")
        third.bar(accuracy["from %"] + 2.5, accuracy["jobs %"], 4.6, color=BLUE)
        third.set(title="Accuracy", xlabel="run time, % of the estimate", ylabel="% of jobs")
        fourth.bar(load["week"], load["load %"], 0.85, color=BLUE)
        fourth.axhline(100, color="black", lw=0.8)
        fourth.set(
            title="Load", xlabel="week of the log", ylabel="requested share of the machine, %"
        )
        fourth.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        figure.legend(loc="outside lower center", ncols=5)
    return figure


def draw_arrivals(arrivals: pd.DataFrame, zone: str) -> Figure:
    """Draw the rows of `profile.arrivals`: mean jobs an hour by weekday and hour of the day."""
    table = arrivals.set_index("weekday")
    with titled(2.8, findings.busy_hours(arrivals)) as figure:
        left, right = figure.subplots(1, 2, width_ratios=[2, 1])
        left.bar(range(24), table.mean(), 0.85, color=BLUE)
        left.set_xticks(range(0, 24, 3), [f"{hour}:00" for hour in range(0, 24, 3)])
        left.set(title="Hour of the day", xlabel=zone, ylabel="jobs an hour, mean over weekdays")
        right.bar(range(7), table.mean(axis=1), 0.85, color=BLUE)
        right.set_xticks(range(7), table.index)
        right.set(title="Weekday", ylabel="jobs an hour, mean over hours")
    return figure


def draw_ratios(standings: Mapping[str, Standing]) -> Figure:
    """Draw ratios to EASY with intervals, metric by metric."""
    order = list(standings["bsld"].ranks.sort_values(kind="stable").index)
    labels = labels_of(order)
    setting = (
        "Times EASY, mean over windows with its 95 % interval; sorted by mean bounded slowdown."
    )
    with titled(
        2.4 + 0.3 * len(order), findings.better_than_easy(standings["bsld"]), setting
    ) as figure:
        grid = figure.subplots(-(-len(standings) // 3), 3, sharey=True, squeeze=False)
        for axes in grid.flat[len(standings) :]:
            axes.set_axis_off()
        for axes, (metric, standing) in zip(grid.flat, standings.items(), strict=False):
            ratios = standing.ratios.loc[order]
            verdicts = ratios.pop("verdict")
            _dots(axes, ratios, [SHADES.get(one, GREY) for one in verdicts])
            axes.set_title(fill(METRICS[metric].label, TITLE_LETTERS))
            axes.set_ylim(len(order) - 0.4, -0.6)
        for axes in grid[:, 0]:
            axes.set_yticks(range(len(order)), [labels[name] for name in order])
            for tick, name in zip(axes.get_yticklabels(), order, strict=True):
                tick.set_fontweight("bold" if name == REFERENCE else "normal")
        _verdict_legend(figure)
    return figure


def draw_held_out(table: pd.DataFrame) -> Figure:
    """Draw the rows of `Trained.held_out`: ratios to EASY on test weeks, with intervals."""
    metrics = list(dict.fromkeys(table["metric"]))
    setting = (
        "Times EASY (first come, first served), mean over "
        f"{number_of(table['weeks'].iloc[0], 'week')} with its 95 % interval."
    )
    count = table["policy"].nunique() - 1
    with titled(1.6 + 0.26 * count, findings.best_held_out(table), setting) as figure:
        grid = figure.subplots(1, len(metrics), squeeze=False, sharey=True)[0]
        for axes, metric in zip(grid, metrics, strict=True):
            rows = table[table["metric"] == metric].iloc[1:].reset_index(drop=True)
            shades = [
                COLORS[RECORDED]
                if row["policy"] == RECORDED
                else SHADES.get(row["against EASY"], GREY)
                for _, row in rows.iterrows()
            ]
            _dots(axes, rows[["ratio", "low", "high"]], shades)
            axes.set_yticks(range(len(rows)), rows["policy"])
            axes.set_ylim(len(rows) - 0.4, -0.6)
            axes.set_title(fill(heading_of(metric), TITLE_LETTERS))
        _verdict_legend(figure, *({RECORDED} & set(table["policy"])))
    return figure


def draw_toggles(table: pd.DataFrame, chosen: str = "") -> Figure:
    """Draw the rows of `advice.toggle_table`: ratios to today's settings, with intervals.

    The label of the chosen change is bold.
    """
    setting = "Times today’s settings, mean over windows with its 95 % interval."
    rows = table[table["wait"].notna()].reset_index(drop=True)
    with titled(1.8 + 0.19 * len(rows), findings.better_settings(rows), setting) as figure:
        grid = figure.subplots(1, 2, sharey=True)
        for axes, metric in zip(grid, ("wait", "slowdown"), strict=True):
            shades = [SHADES.get(one, GREY) for one in rows[f"{metric} verdict"]]
            _dots(axes, rows[[metric, f"{metric} low", f"{metric} high"]], shades)
            axes.set_title({"wait": "mean wait", "slowdown": "mean bounded slowdown"}[metric])
            axes.set_ylim(len(rows) - 0.4, -0.6)
        grid[0].set_yticks(range(len(rows)), rows["change"], fontsize=7)
        for tick, name in zip(grid[0].get_yticklabels(), rows["change"], strict=True):
            tick.set_fontweight("bold" if name == chosen else "normal")
        for place in np.flatnonzero(rows["group"] != rows["group"].shift())[1:]:
            for axes in grid:
                axes.axhline(place - 0.5, color=QUIET, lw=0.5)
        _verdict_legend(figure)
    return figure


def _verdict_legend(figure: Figure, *further: str) -> None:
    """Explain the colors of verdicts below a figure, and those of `further` names."""
    colors = SHADES | {OPEN: GREY} | colors_of(further)
    handles = [
        Line2D([], [], color=color, marker="o", ms=4, lw=2, label=name)
        for name, color in colors.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))


def _dots(axes: Axes, ratios: pd.DataFrame, shades: list) -> None:
    """Draw ratios (first three columns: value, low, high), one a row, on a logarithmic scale."""
    for place, ((ratio, low, high, *_), shade) in enumerate(
        zip(ratios.itertuples(index=False), shades, strict=True)
    ):
        if np.isfinite([low, high]).all() and low > 0:
            axes.plot([low, high], [place, place], color=shade, lw=2, alpha=0.6)
        if np.isfinite(ratio) and ratio > 0:
            axes.plot(ratio, place, "o", color=shade, ms=4)
    axes.axvline(1, color="black", lw=0.8)
    axes.set_xscale("log")
    _factors(axes)
    axes.grid(True, axis="x")
    axes.grid(False, axis="y")


def _factors(axes: Axes) -> None:
    """Label a few ticks of a logarithmic scale without overlaps."""
    low, high = axes.get_xlim()
    upward = np.array([tick for tick in ROUND if 1 < tick <= high])
    downward = np.array([tick for tick in ROUND[::-1] if low <= tick < 1])
    apart, ticks = LEAST_DISTANCE * np.log(high / low), [1.0]
    # The outer one of the two ticks on a side is more informative: it is placed first.
    for tick in [*_few(upward)[::-1], *_few(downward)[::-1]]:
        if min(abs(np.log(tick / other)) for other in ticks) >= apart:
            ticks.append(tick)
    axes.set_xticks(ticks)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.minorticks_off()
    axes.tick_params(axis="x", labelsize=7.5)


def _few(ticks: np.ndarray) -> list[float]:
    """Return two of the ticks, which lead away from 1: the last one, and one between it and 1."""
    if len(ticks) < 2:
        return ticks.tolist()
    last = ticks[-1]
    near = ticks[np.argmin(np.abs(np.log(ticks) - np.log(last) / 2))]
    return list(dict.fromkeys([float(near), float(last)]))

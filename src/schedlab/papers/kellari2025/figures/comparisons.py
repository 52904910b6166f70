"""Figures of kellari2025: heatmaps, boxplots, Pareto plots, correlations, time lines."""

from __future__ import annotations

from itertools import chain, cycle
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from schedlab.cosched.timelines import STATES
from schedlab.figures.style import BLUE, GREEN, GREY, ORANGE, house_style
from schedlab.papers.kellari2025.tables.chapter6 import COMPACT, SCHEDULERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

AXES = {
    "slowdown": "mean slowdown",
    "slowdown_pp": "mean slowdown per processor",
    "slowed": "slowed jobs (%)",
    "utilisation": "utilisation",
    "job_speedup": "mean job speedup",
    "weighted_speedup": "weighted mean job speedup",
    "makespan_speedup": "makespan speedup over Conservative",
}
UNKNOWN = "#d9d9d9"
# Told apart by colour and marker together.
MARKERS = "osD^v<>pPXh*d"
COLOURS = [mpl.colormaps["tab20"](place) for place in (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 1, 5, 9)]
# A reader's own take what these leave over, and start again after seven.
OWN_MARKERS = "H8"
OWN_COLOURS = [mpl.colormaps["tab20"](place) for place in (3, 7, 11, 13, 15, 17, 19)]
STATE_COLOURS = dict(zip(STATES, ["#e2e2e2", ORANGE, BLUE, GREEN], strict=True))


def _colour(scheduler: str) -> str:
    if scheduler not in SCHEDULERS:
        return GREEN
    return GREY if scheduler in COMPACT else BLUE


def _shown(table: pd.DataFrame) -> list[str]:
    """Return the thesis's schedulers in its order, then a reader's own that stand in the table."""
    return [*SCHEDULERS, *(name for name in table["scheduler"].unique() if name not in SCHEDULERS)]


def draw_boxes(values: pd.DataFrame, metric: str, note: str) -> Figure:
    """Draw a metric over the workloads, a box per scheduler; figures 6.1 to 6.3 and 6.5 to 6.8.

    Parameters
    ----------
    values : DataFrame
        From `schedlab.papers.kellari2025.tables.chapter6.box_values`.
    metric : str
        Key of `METRICS`.
    note : str
        What was run, for the title.
    """
    names = _shown(values)
    groups = [values.loc[values["scheduler"] == name, "value"] for name in names]
    with house_style():
        figure = Figure(figsize=(9, 4), layout="constrained")
        axes = figure.subplots()
        boxes = axes.boxplot(groups, widths=0.6, patch_artist=True, showfliers=False)
        for place, (name, group) in enumerate(zip(names, groups, strict=True), start=1):
            colour = _colour(name)
            boxes["boxes"][place - 1].set(facecolor=(colour, 0.25), edgecolor=colour)
            boxes["medians"][place - 1].set(color=ORANGE, linewidth=1.8)
            for part in ("whiskers", "caps"):
                for line in boxes[part][2 * place - 2 : 2 * place]:
                    line.set_color(colour)
            offset = np.linspace(-0.18, 0.18, max(len(group), 2))[: len(group)]
            axes.plot(place + offset, group, "o", ms=3, color=colour, alpha=0.7, mew=0)
        if metric == "makespan_speedup":
            axes.axhline(1, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_xticks(range(1, len(names) + 1), names, rotation=35, ha="right")
        axes.set_ylabel(AXES[metric])
        axes.set_title(note)
        axes.legend(handles=_box_handles(len(names) > len(SCHEDULERS)), loc="best")
    return figure


def _box_handles(own: bool = False) -> list:
    kinds = [(GREY, "whole nodes"), (BLUE, "shared nodes")]
    kinds += [(GREEN, "whole nodes, own policy")] * own
    patches = [
        Patch(facecolor=(colour, 0.25), edgecolor=colour, label=words) for colour, words in kinds
    ]
    return [*patches, Line2D([], [], color=ORANGE, linewidth=1.8, label="median")]


def draw_front(points: pd.DataFrame, x: str, y: str, note: str) -> Figure:
    """Draw a Pareto plot; figures 6.11 to 6.13. `points` are from `chapter6.front`."""
    with house_style():
        figure = Figure(figsize=(8.4, 4.8), layout="constrained")
        axes = figure.subplots()
        markers, colours = chain(MARKERS, cycle(OWN_MARKERS)), chain(COLOURS, cycle(OWN_COLOURS))
        for name, marker, colour in zip(_shown(points), markers, colours, strict=False):
            own = points[points["scheduler"] == name]
            axes.plot(own[x], own[y], marker, ms=5, color=colour, label=name, mew=0, alpha=0.85)
        best = points[points["optimal"]].sort_values([x, y])
        axes.plot(best[x], best[y], color="black", linewidth=1, linestyle=(0, (4, 3)), zorder=0.9)
        axes.plot(best[x], best[y], "o", ms=10, mfc="none", mec="black", label="on the front")
        axes.set(xlabel=AXES[x], ylabel=AXES[y])
        axes.grid(axis="both")
        axes.set_title(note)
        axes.margins(0.04)
        figure.legend(loc="outside right center", handletextpad=0.3)
    return figure


def draw_correlations(tables: Mapping[str, pd.DataFrame], note: str) -> Figure:
    """Draw correlation matrices side by side; figures 6.14 and 6.15."""
    with house_style():
        figure = Figure(figsize=(5.6 * len(tables) + 0.4, 5.6), layout="constrained")
        figure.suptitle(note, x=0.01, ha="left", fontsize=9)
        for axes, (title, table) in zip(
            figure.subplots(1, len(tables), squeeze=False)[0], tables.items(), strict=True
        ):
            image = axes.imshow(table, cmap="RdBu_r", vmin=-1, vmax=1)
            _annotate(axes, image)
            axes.set_xticks(range(len(table)), table.columns, rotation=40, ha="right")
            axes.set_yticks(range(len(table)), table.index)
            axes.set_title(title)
            _bare(axes)
        figure.colorbar(image, ax=figure.axes, shrink=0.7, label="coefficient")
    return figure


def _annotate(axes: Axes, image: AxesImage, size: float = 8) -> None:
    """Write every number into its cell, white where the cell is dark."""
    for (row, column), value in np.ndenumerate(image.get_array().filled(np.nan)):
        if not np.isnan(value):
            red, green, blue, _ = image.cmap(image.norm(value))
            colour = "white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else "black"
            axes.text(
                column, row, f"{value:.2f}", ha="center", va="center", size=size, color=colour
            )


def _bare(axes: Axes) -> None:
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def draw_heatmaps(pairs: pd.DataFrame) -> Figure:
    """Draw the speedups of a pool, whole and by process count; figure 4.6.

    Parameters
    ----------
    pairs : DataFrame
        From `Pool.to_frame`, with the column processes: the process count of the group that the
        row's application belongs to (a power of two).
    """
    order = pairs.drop_duplicates("name_A").sort_values(["processes", "name_A"], kind="stable")
    names = list(order["name_A"])
    wide = pairs.pivot(index="name_A", columns="name_B", values="speedup_A_B")
    wide = wide.loc[names, names]
    known = wide.to_numpy()[~np.isnan(wide.to_numpy())]
    norm = TwoSlopeNorm(1, min(known.min(), 0.99), max(known.max(), 1.01))
    groups = dict(list(order.groupby("processes")["name_A"]))
    with house_style():
        figure = Figure(figsize=(15, 8.2), layout="constrained")
        left, right = figure.subfigures(1, 2, width_ratios=[1.05, 1])
        axes = left.subplots()
        image = _heat(axes, wide, norm)
        edge = -0.5
        for members in list(groups.values())[:-1]:
            edge += len(members)
            axes.axhline(edge, color="black", linewidth=0.7)
            axes.axvline(edge, color="black", linewidth=0.7)
        axes.set_title(f"{pairs['pool'].iloc[0]}:\nspeedup of the row beside the column")
        left.colorbar(image, ax=axes, shrink=0.6, label="speedup over running alone")
        measured = pairs["measured"].all() or not pairs["speedup_A_B"].isna().any()
        if not measured:
            left.legend(handles=[Patch(facecolor=UNKNOWN, label="not measured")],
                        loc="outside lower right")  # fmt: skip
        columns = 2
        rows = -(-len(groups) // columns)
        panels = right.subplots(rows, columns, squeeze=False).ravel()
        for panel, (processes, members) in zip(panels, groups.items(), strict=False):
            own = wide.loc[members, members]
            _annotate(panel, _heat(panel, own, norm), 6.5)
            panel.set_title(f"{processes} processes")
        for panel in panels[len(groups) :]:
            panel.set_axis_off()
    return figure


def _heat(axes: Axes, table: pd.DataFrame, norm: TwoSlopeNorm) -> AxesImage:
    axes.set_facecolor(UNKNOWN)
    image = axes.imshow(table, cmap="PuOr_r", norm=norm)
    axes.set_xticks(range(len(table)), table.columns, rotation=90, size=6.5)
    axes.set_yticks(range(len(table)), table.index, size=6.5)
    _bare(axes)
    return image


def draw_states(table: pd.DataFrame, note: str) -> Figure:
    """Draw the number of jobs in each state over time; figure 4.1."""
    with house_style():
        figure = Figure(figsize=(8, 3.8), layout="constrained")
        axes = figure.subplots()
        axes.stackplot(
            table["time"] / 60,
            [table[state] for state in STATES],
            labels=STATES,
            colors=[STATE_COLOURS[state] for state in STATES],
            step="post",
            linewidth=0,
        )
        axes.set(xlabel="time (min)", ylabel="jobs", title=note)
        axes.margins(0)
        figure.legend(loc="outside right center", reverse=True)
    return figure


def draw_speedups(jobs: pd.DataFrame, spans: pd.Series, note: str) -> Figure:
    """Draw job speedups (boxes) and makespan speedups (line) by scheduler; figure 4.2.

    Parameters
    ----------
    jobs : DataFrame
        scheduler, speedup of every job.
    spans : Series
        Makespan speedup by scheduler.
    """
    groups = [jobs.loc[jobs["scheduler"] == name, "speedup"] for name in SCHEDULERS]
    with house_style():
        figure = Figure(figsize=(9, 4), layout="constrained")
        axes = figure.subplots()
        boxes = axes.boxplot(groups, widths=0.6, patch_artist=True, flierprops={"ms": 2.5})
        for name, box in zip(SCHEDULERS, boxes["boxes"], strict=True):
            box.set(facecolor=(_colour(name), 0.25), edgecolor=_colour(name))
        for line in boxes["medians"]:
            line.set(color=ORANGE, linewidth=1.8)
        axes.plot(range(1, len(SCHEDULERS) + 1), spans[SCHEDULERS], "D", color=GREEN, ms=6)
        axes.axhline(1, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_xticks(range(1, len(SCHEDULERS) + 1), SCHEDULERS, rotation=35, ha="right")
        axes.set(ylabel="speedup", title=note)
        mark = Line2D([], [], color=GREEN, marker="D", linestyle="", label="makespan speedup")
        figure.legend(handles=[*_box_handles(), mark], loc="outside lower center", ncols=4)
    return figure


def draw_lines(table: pd.DataFrame, y: str, label: str, note: str) -> Figure:
    """Draw a quantity over time, a line per scheduler; figure 4.3."""
    with house_style():
        figure = Figure(figsize=(9, 4.4), layout="constrained")
        axes = figure.subplots()
        for place, (name, colour) in enumerate(zip(SCHEDULERS, COLOURS, strict=True)):
            own = table[table["scheduler"] == name]
            style = (0, (4, 1.5)) if name in COMPACT else "-"
            axes.plot(own["time"] / 3600, own[y], color=colour, linestyle=style, label=name,
                      linewidth=1.3, zorder=2 + place / 100)  # fmt: skip
        axes.set(xlabel="time (h)", ylabel=label, title=note)
        axes.margins(x=0)
        axes.set_ylim(bottom=0)
        figure.legend(loc="outside right center")
    return figure


def draw_unused(table: pd.DataFrame, note: str) -> Figure:
    """Draw the unused cores over time, a panel per scheduler; figure 4.4."""
    columns = 5
    with house_style():
        figure = Figure(figsize=(11, 5.4), layout="constrained")
        figure.suptitle(note, x=0.01, ha="left", fontsize=10, weight="bold")
        grid = figure.subplots(-(-len(SCHEDULERS) // columns), columns, sharex=True, sharey=True)
        for axes, name in zip(grid.ravel(), SCHEDULERS, strict=False):
            own = table[table["scheduler"] == name]
            colour = _colour(name)
            axes.fill_between(own["time"] / 3600, own["unused"], step="pre", color=colour, lw=0)
            end = own["time"].max() / 3600
            axes.axvline(end, color=ORANGE, linewidth=1.2)
            axes.set_title(f"{name}: {own['unused'].mean():,.0f}", size=9)
            axes.margins(x=0)
            axes.set_ylim(bottom=0)
        for place, axes in enumerate(grid.ravel()):
            if place >= len(SCHEDULERS):
                axes.set_axis_off()
            elif place + columns >= len(SCHEDULERS):
                axes.tick_params(labelbottom=True)
        figure.supxlabel("time (h)", size=9)
        figure.supylabel("unused cores", size=9)
    return figure


def draw_speedup_bins(jobs: pd.DataFrame, bins: pd.DataFrame, note: str) -> Figure:
    """Draw the speedup of every job when it ends, with means per span; figure 6.4."""
    with house_style():
        figure = Figure(figsize=(8, 4), layout="constrained")
        axes = figure.subplots()
        speedup = jobs["time"] / (jobs["end"] - jobs["start"])
        axes.plot(jobs["end"] / 3600, speedup, "o", ms=2.5, mew=0, color=BLUE, alpha=0.45,
                  label="a job, where it ends")  # fmt: skip
        width = bins["time"].iloc[0]
        axes.hlines(bins["mean"], (bins["time"] - width) / 3600, bins["time"] / 3600, color=ORANGE,
                    linewidth=2.2, label="mean of the span")  # fmt: skip
        axes.plot(bins["time"] / 3600, bins["cumulative"], color="black", linestyle=(0, (1, 1.5)),
                  label="mean until then")  # fmt: skip
        axes.set(xlabel="time (h)", ylabel="job speedup", title=note)
        axes.margins(x=0.01)
        figure.legend(loc="outside lower center", ncols=3)
    return figure

"""Figures of legrand2018 by week or by month.

Every policy appears as a ratio to a reference, for example the best weights of the period. Calm and
busy weeks differ a thousandfold, policies within a week by a few per cent. A strip above shows the
averages of the reference. A panel on the right shows the ratios in ascending order. A row has at
most fifty periods.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    LogLocator,
    MaxNLocator,
    MultipleLocator,
    NullFormatter,
    NullLocator,
)

from schedlab.report.figures.picture import mark_missing
from schedlab.report.figures.style import BLACK, BROWN, COLORS, ORANGE, QUIET, SKY, VIOLET, titled
from schedlab.studies.legrand2018.adaptation import GREEDY, OPTIMUM, TRAINED

# Ratios up to this value count as equal.
EQUAL = 1.01
SHORT = {
    "saf": "SAF",
    "fcfs": "FCFS",
    OPTIMUM: "w*",
    TRAINED: "the training weights (w*_train)",
    GREEDY: "w_greedy",
    "best pure": "the best pure policy",
    "w*3": "the grid’s best weights",
    "xnes3": "xNES with three features",
    "xnes6": "xNES with six",
}


def short(name: str) -> str:
    """Return the name of a policy in a sentence; your policies keep their names."""
    return SHORT.get(name, name)


def equal_in(ratios: pd.Series) -> int:
    """Count the periods in which a policy gives at most 1 % more."""
    return int((ratios <= EQUAL).sum())


def nearest(table: pd.DataFrame, base: str, unit: str) -> str:
    """Return a sentence: which policy is nearest to the reference, and which is farthest."""
    if table.empty:
        return ""
    compared = table.drop(columns=base)
    sums = {name: own.sum() / table.loc[own.notna(), base].sum() for name, own in compared.items()}
    first, *farther = sorted(sums, key=sums.get)
    where = f"of {short(base)} over {len(table)} {unit}s"
    if not farther:
        same = equal_in(table[first] / table[base])
        return (
            f"{short(first)} has {sums[first]:.3f} times the sum {where}, and equals it in {same}"
        )
    last = farther[-1]
    return (
        f"{short(first)} has {sums[first]:.3f} and {short(last)} {sums[last]:.3f} times the sum "
        f"{where}"
    )


PER_ROW = 50
#: round ratios for ticks, from 1 on up and down; least distance of two as a share of the axis
STEPS = np.array([1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5])
STEPS_DOWN = np.array([0.95, 0.9, 0.8, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-3, 1e-4])
LEAST_DISTANCE = 0.13
#: share of the height of a row that the strip with words has
NOTES = 0.27
AXIS_LABEL = "average bounded slowdown"
# Inches: the strip of averages, the ratios below it, and the space around them.
STRIP, RATIOS, AROUND = 0.55, 1.65, 0.9
# Marker, size and filling of the columns; later ones are drawn on top.
MARKS = {
    "fcfs": ("_", 5, True),
    "saf": ("o", 3.6, False),
    GREEDY: ("x", 3.6, True),
    TRAINED: ("D", 2.6, True),
    "xnes3": ("o", 3.6, False),
    "xnes6": ("x", 3.6, True),
}
# Color and marker of your policies, in their order; repeated when they run out.
FURTHER = ((BLACK, "s"), (SKY, "^"), (BROWN, "p"), (ORANGE, "D"), (VIOLET, "h"))
# Possible references, as axes name them: the first of these that a table has.
SYMBOLS = {OPTIMUM: "w*", "best pure": "the best pure", "w*3": "the grid’s best"}
NAMES = {
    "saf": "SAF",
    "fcfs": "FCFS",
    TRAINED: "w*_train: best weights of the training {}s",
    GREEDY: "w_greedy: best weights of the {} before",
    "xnes3": "xNES, three features",
    "xnes6": "xNES, six features",
}
BASE_NAMES = {
    OPTIMUM: "w*, the best weights of each {}",
    "best pure": "the best pure policy of each {}",
    "w*3": "the best of the grid for each {}",
}


def draw_periods(
    table: pd.DataFrame,
    title: str,
    unit: str,
    ranges: dict[str, Sequence[int]] | None = None,
    notes: pd.Series | None = None,
) -> Figure:
    """Draw the value of each policy in each period (`unit`: week or month) of a trace."""
    rows, base = _rows(table), base_of(table)
    with titled(AROUND + (STRIP + RATIOS) * len(rows), nearest(table, base, unit), title) as figure:
        if table.empty:
            mark_missing(figure.subplots())
            return figure
        left, right = figure.subfigures(1, 2, width_ratios=[3.6, 1])
        panels = left.subplots(2 * len(rows), 1, height_ratios=[STRIP, RATIOS] * len(rows))
        for number, part in enumerate(rows):
            strip, axes = panels[2 * number : 2 * number + 2]
            axes.sharey(panels[1])
            strip.sharey(panels[0])
            _draw_strip(strip, part[base])
            _draw_row(axes, part, base, unit, ranges or {})
            if notes is not None:
                _write_below(axes, notes.reindex(part.index))
        _draw_sorted(right.subplots(), table, base, unit)
        _legend(figure, panels[1], base, unit)
    return figure


def draw_panels(panels: Sequence[tuple[str, pd.DataFrame, dict]], unit: str) -> Figure:
    """Draw traces below each other, each as a panel of ratios; tuples are as for `draw_periods`."""
    base = base_of(panels[0][1])
    together = pd.concat([table for _, table, _ in panels], ignore_index=True)
    with titled(
        AROUND + RATIOS * len(panels),
        nearest(together, base, unit),
        f"{len(panels)} traces together",
    ) as figure:
        every = figure.subplots(len(panels), 1, squeeze=False).ravel()
        for axes, (title, table, ranges) in zip(every, panels, strict=True):
            if table.empty:
                mark_missing(axes)
            else:
                _draw_row(axes, table, base, unit, ranges)
            axes.set_title(title)
        filled = [axes for axes in every if axes.get_legend_handles_labels()[0]]
        if filled:
            _legend(figure, filled[0], base, unit)
    return figure


def base_of(table: pd.DataFrame) -> str:
    """Return the reference column of a table."""
    return next(name for name in SYMBOLS if name in table)


def _rows(table: pd.DataFrame) -> list[pd.DataFrame]:
    """Cut the periods into rows of equal length, at most `PER_ROW` each."""
    count = max(1, -(-len(table) // PER_ROW))
    length = -(-len(table) // count)
    return [table.iloc[at * length : (at + 1) * length] for at in range(count)]


def _draw_strip(axes: Axes, averages: pd.Series) -> None:
    """Draw the averages of the reference, to which a ratio of 1 corresponds."""
    axes.bar(averages.index, averages - 0.9, 0.7, 0.9, color="#c9c9c9", linewidth=0)
    axes.set(xlim=(averages.index[0] - 0.7, averages.index[-1] + 0.7), yscale="log", xticks=[])
    axes.set_ylim(0.9, max(axes.get_ylim()[1], 1.3 * averages.max()))
    _log_ticks(axes, (1,))
    axes.set_ylabel("reference\nslowdown", rotation=0, ha="right", va="center", size=7, color=QUIET)
    axes.spines[:].set_visible(False)


def _draw_row(axes: Axes, table: pd.DataFrame, base: str, unit: str, ranges: dict) -> None:
    pieces = table.index.to_numpy()
    axes.set_xlim(pieces[0] - 0.7, pieces[-1] + 0.7)
    for place, (name, (first, last)) in enumerate(ranges.items()):
        low, high = max(first, pieces[0]) - 0.5, min(last, pieces[-1]) + 0.5
        if low < high:
            axes.axvspan(low, high, color="#eef3f7" if place % 2 else "#f7f3ea", linewidth=0,
                         zorder=0)  # fmt: skip
            axes.text((low + high) / 2, 0.97, name, transform=axes.get_xaxis_transform(),
                      ha="center", va="top", color=QUIET, fontsize=7.5)  # fmt: skip
    axes.axhline(1, color=COLORS[OPTIMUM], linewidth=1.2, zorder=1)
    ratios = table.drop(columns=base).div(table[base], axis=0)
    dodge = np.linspace(-0.22, 0.22, ratios.shape[1]) if ratios.shape[1] > 1 else [0]
    marks = _marks(ratios)
    for shift, (name, (color, marker, size, filled)) in zip(dodge, marks.items(), strict=True):
        axes.plot(pieces + shift, ratios[name], linestyle="", marker=marker, ms=size, color=color,
                  mfc=color if filled else "none", mew=0.9, zorder=3,
                  label=NAMES.get(name, name).format(unit))  # fmt: skip
    axes.set_yscale("log")
    # rows of a figure share their axis: keep the widest range of all
    low, high = axes.get_ylim() if axes.get_autoscaley_on() is False else (np.inf, 0)
    axes.set_ylim(min(low, 0.93 * min(1, ratios.min(axis=None))),
                  max(high, 1.15 * ratios.max(axis=None), 1.2))  # fmt: skip
    _ratio_ticks(axes)
    axes.xaxis.set_major_locator(MultipleLocator(5 if len(table) > 25 else 1))
    axes.set(xlabel=unit, ylabel=f"times {SYMBOLS[base]}")


def _marks(ratios: pd.DataFrame) -> dict[str, tuple]:
    further = [name for name in ratios if name not in MARKS]
    marks = {name: (COLORS[NAMES[name].partition(":")[0]], *mark) for name, mark in MARKS.items()}
    marks |= {
        name: (*FURTHER[place % len(FURTHER)], 5, False) for place, name in enumerate(further)
    }
    return {name: mark for name, mark in marks.items() if name in ratios}


def _draw_sorted(axes: Axes, table: pd.DataFrame, base: str, unit: str) -> None:
    """Draw each policy's ratios in ascending order, and count the equal ones."""
    all_ratios = table.drop(columns=base).div(table[base], axis=0)
    counts = []
    for name, (color, *_) in _marks(all_ratios).items():
        ratios = all_ratios[name].dropna().sort_values()
        axes.plot(np.arange(1, len(ratios) + 1), ratios, color=color, linewidth=1.3)
        label = name if name == TRAINED else short(name).removeprefix("xNES with ")
        counts.append(f"{label} in {equal_in(ratios)}")
    axes.axhline(1, color=COLORS[OPTIMUM], linewidth=1.2, zorder=1)
    axes.set_yscale("log")
    _ratio_ticks(axes)
    axes.set_xlabel(f"{unit}s by ratio")
    axes.xaxis.set_major_locator(MaxNLocator(3, integer=True))
    within = f"equal within {100 * (EQUAL - 1):.3g} %,\nof {len(table)} {unit}s:"
    axes.set_title("\n".join([within, *counts]), size=7.5, weight="normal")


def _log_ticks(axes: Axes, steps: Sequence[int]) -> None:
    axes.yaxis.set_major_locator(LogLocator(10, subs=steps))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _ratio_ticks(axes: Axes, lowest: float = 0.0) -> None:
    """Set ticks at round ratios from `lowest` on, as many as have space for their labels."""
    low, high = axes.get_ylim()
    low = max(low, lowest)
    apart, ticks = LEAST_DISTANCE * np.log(high / axes.get_ylim()[0]), [1.0]
    # the outer ones of a side say most: they are placed first, then those near 1
    for candidates in (STEPS, STEPS_DOWN):
        inside = candidates[(low <= candidates) & (candidates <= high)]
        for tick in [*inside[-1:], *inside]:
            if min(abs(np.log(tick / other)) for other in ticks) >= apart:
                ticks.append(float(tick))
    axes.yaxis.set_major_locator(FixedLocator(sorted(ticks)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.3g}"))
    axes.yaxis.set_minor_locator(NullLocator())


def _write_below(axes: Axes, notes: pd.Series) -> None:
    """Write a word per period into a strip of its own below the ratios."""
    low, high = axes.get_ylim()
    axes.set_ylim(bottom=high * (low / high) ** (1 / (1 - NOTES)))
    axes.axhspan(axes.get_ylim()[0], low, color="#f5f5f5", linewidth=0, zorder=0)
    _ratio_ticks(axes, low)
    for piece, note in notes.items():
        axes.text(piece, NOTES / 2, note, rotation=90, ha="center", va="center", fontsize=7,
                  color=ORANGE, transform=axes.get_xaxis_transform())  # fmt: skip


def _legend(figure: Figure, axes: Axes, base: str, unit: str) -> None:
    handles, labels = axes.get_legend_handles_labels()
    line = next(one for one in axes.lines if one.get_color() == COLORS[OPTIMUM])
    figure.legend([line, *handles[::-1]], [BASE_NAMES[base].format(unit), *labels[::-1]],
                  loc="outside lower center", ncols=3 if len(labels) < 3 else 2)  # fmt: skip

"""Figures of legrand2018 that go week by week or month by month.

A period is a place on the x axis, at most fifty of them in a row of axes, and a policy a kind of
marker; a thin line joins a period's best and worst. The y axis is logarithmic: calm and busy weeks
are a thousandfold apart, and on the paper's linear axis half of the weeks are a line at its foot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MultipleLocator, NullFormatter

from schedlab.figures.style import AMBER, BLUE, GREEN, GREY, ORANGE, PURPLE, house_style
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.tuning.adaptation import GREEDY, OPTIMUM, TRAINED

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes

PER_ROW = 50
WIDTH = 10.4  # inches
ROW_HEIGHT = 2.5
AXIS_LABEL = "average bounded slowdown"
# Colour, marker, size and filling of what figures show; later ones lie on top.
MARKS = {
    "fcfs": (GREY, "_", 6, True),
    "saf": (BLUE, "o", 4.5, False),
    GREEDY: (PURPLE, "x", 4.5, True),
    TRAINED: (AMBER, "D", 3.2, True),
    OPTIMUM: (GREEN, "v", 4.5, True),
    "best pure": (ORANGE, "v", 4.5, True),
    "w*3": (GREEN, "v", 4.5, True),
    "xnes3": (BLUE, "o", 5, False),
    "xnes6": (ORANGE, "x", 4.5, True),
}
# Colour and marker of a reader's own policies, in their order and again from the first; they are
# outlines around what lies below.
FURTHER = (("black", "s"), ("#56B4E9", "^"), ("#8C564B", "p"), ("#B00020", "D"), ("#6A3D9A", "h"))
FACES = {False: "white", None: "none"}
NAMES = {
    "saf": "SAF",
    "fcfs": "FCFS",
    OPTIMUM: "w*: best weights of each period",
    TRAINED: "w*_train: best weights of the training periods",
    GREEDY: "w_greedy: best weights of the period before",
    "best pure": "best pure policy of each period",
    "w*3": "w*3: coverage of the space, three features",
    "xnes3": "xNES, three features",
    "xnes6": "xNES, six features",
}


def draw_periods(
    table: pd.DataFrame,
    title: str,
    unit: str,
    ranges: dict[str, Sequence[int]] | None = None,
    notes: pd.Series | None = None,
) -> Figure:
    """Draw what each policy gives in each period of a trace.

    Parameters
    ----------
    table : DataFrame
        Index piece, a column per policy: keys of `MARKS`, and a reader's own, which lie on top;
        without rows the figure says that the log is not at hand.
    title : str
        The trace.
    unit : str
        What a period is: week or month.
    ranges : dict of str to two int, optional
        First and last period of stretches that are shaded and named.
    notes : Series of str, optional
        What to write below a period, by piece.
    """
    rows = _rows(table)
    with house_style():
        figure = Figure(figsize=(WIDTH, ROW_HEIGHT * len(rows) + 0.7), layout="constrained")
        figure.get_layout_engine().set(h_pad=0.06, hspace=0.02)
        panels = figure.subplots(len(rows), 1, sharey=True, squeeze=False).ravel()
        for axes, part in zip(panels, rows, strict=True):
            _draw_row(axes, part, unit, ranges or {})
            if notes is not None and len(part):
                _write_below(axes, notes.reindex(part.index))
        panels[0].set_title(title)
        _legend(figure, panels[0])
    return figure


def draw_panels(panels: Sequence[tuple[str, pd.DataFrame, dict]], unit: str) -> Figure:
    """Draw traces below each other, a panel each.

    Parameters
    ----------
    panels : sequence of tuple of str, DataFrame and dict
        Title, table and ranges as for `draw_periods`.
    unit : str
        What a period is.
    """
    with house_style():
        figure = Figure(figsize=(WIDTH, 2.4 * len(panels) + 0.7), layout="constrained")
        figure.get_layout_engine().set(h_pad=0.06, hspace=0.02)
        every = figure.subplots(len(panels), 1, squeeze=False).ravel()
        for axes, (title, table, ranges) in zip(every, panels, strict=True):
            _draw_row(axes, table, unit, ranges)
            axes.set_title(title)
        drawn = [axes for axes in every if axes.get_legend_handles_labels()[0]]
        if drawn:
            _legend(figure, drawn[0])
    return figure


def _rows(table: pd.DataFrame) -> list[pd.DataFrame]:
    """Cut the periods into rows of equal length, at most `PER_ROW` each."""
    count = max(1, -(-len(table) // PER_ROW))
    length = -(-len(table) // count)
    return [table.iloc[at * length : (at + 1) * length] for at in range(count)]


def _draw_row(axes: Axes, table: pd.DataFrame, unit: str, ranges: dict) -> None:
    """Draw the policies over some periods."""
    if table.empty:
        say_missing(axes)
        return
    pieces = table.index.to_numpy()
    axes.set_xlim(pieces[0] - 0.7, pieces[-1] + 0.7)
    for place, (name, (first, last)) in enumerate(ranges.items()):
        low, high = max(first, pieces[0]) - 0.5, min(last, pieces[-1]) + 0.5
        if low < high:
            axes.axvspan(low, high, color="#eef3f7" if place % 2 else "#f7f3ea", linewidth=0,
                         zorder=0)  # fmt: skip
            axes.text((low + high) / 2, 0.97, name, transform=axes.get_xaxis_transform(),
                      ha="center", va="top", color=GREY, fontsize=8)  # fmt: skip
    axes.vlines(pieces, table.min(axis=1), table.max(axis=1), color="#c9c9c9", linewidth=0.8,
                zorder=1)  # fmt: skip
    further = [name for name in table if name not in MARKS]
    marks = MARKS | {
        name: (*FURTHER[place % len(FURTHER)], 7.5, None) for place, name in enumerate(further)
    }
    for layer, (name, (colour, marker, size, filled)) in enumerate(marks.items(), start=2):
        if name in table:
            axes.plot(pieces, table[name], linestyle="", marker=marker, ms=size, color=colour,
                      mfc=FACES.get(filled, colour), mew=1.2, zorder=layer,
                      label=NAMES.get(name, name), clip_on=False)  # fmt: skip
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(10, subs=(1, 3)))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else "")
    )
    axes.yaxis.set_minor_formatter(NullFormatter())
    # rows of a figure share their axis: the widest range of all stays
    low, high = axes.get_ylim() if axes.get_autoscaley_on() is False else (np.inf, 0)
    axes.set_ylim(min(low, 0.9), max(high, 1.8 * table.max(axis=None)))
    axes.xaxis.set_major_locator(MultipleLocator(5 if len(table) > 25 else 1))
    axes.set(xlabel=unit, ylabel=AXIS_LABEL)


def _write_below(axes: Axes, notes: pd.Series) -> None:
    """Write a word per period into a strip below the least value, 1."""
    axes.set_ylim(bottom=0.35)
    for piece, note in notes.items():
        axes.text(piece, 0.4, note, rotation=90, ha="center", va="bottom", fontsize=5.5,
                  color=ORANGE)  # fmt: skip


def say_missing(axes: Axes) -> None:
    """Keep the place of a trace without data, and say why it is empty."""
    axes.set(xticks=[], yticks=[], facecolor="#f5f5f5")
    axes.spines[:].set_visible(False)
    axes.text(0.5, 0.5, NOT_AT_HAND, transform=axes.transAxes, ha="center", va="center",
              color=GREY, fontsize=12)  # fmt: skip


def _legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        figure.legend(
            handles[::-1], labels[::-1], loc="outside upper center", ncols=min(3, len(labels))
        )


def _two_in_a_row(titles: dict[str, str], height: float) -> tuple[Figure, dict[str, Axes]]:
    """Return a figure with a titled panel per trace, and the panels by trace."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.08, w_pad=0.06, hspace=0.03)
    every = np.ravel(figure.subplots(-(-len(titles) // 2), 2, squeeze=False))
    for axes in every[len(titles) :]:
        axes.remove()
    panels = dict(zip(titles, every, strict=False))
    for trace, axes in panels.items():
        axes.set_title(titles[trace])
    return figure, panels


def draw_distributions(values: pd.DataFrame, titles: dict[str, str]) -> Figure:
    """Draw how each pure policy's periods are distributed, trace by trace: figure 1.

    Parameters
    ----------
    values : DataFrame
        Columns trace, policy (as it is to be shown), piece, avebsld.
    titles : dict of str to str
        Every trace and its panel's title; one without values is not at hand.

    Returns
    -------
    Figure
        A violin and a box per policy on a logarithmic axis, best mean first, the mean a dot; the
        three best are coloured.
    """
    with house_style():
        figure, panels = _two_in_a_row(titles, 7.0)
        for trace, axes in panels.items():
            own = values[values["trace"] == trace]
            if own.empty:
                say_missing(axes)
            else:
                _draw_distribution(axes, own)
        handles = [
            Patch(facecolor=(BLUE, 0.35), label="the three best"),
            *_box_words(next(iter(panels.values()))),
        ]
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


def _box_words(axes: Axes) -> list:
    mean = axes.plot([], [], marker="D", ms=3.5, color=ORANGE, linestyle="",
                     label="mean of the weekly averages")  # fmt: skip
    median = axes.plot([], [], color="black", linewidth=1.6, label="median")
    return [*mean, *median]


def _draw_distribution(axes: Axes, values: pd.DataFrame) -> None:
    """Violins and boxes of one trace."""
    means = values.groupby("policy")["avebsld"].mean().sort_values(kind="stable")
    groups = [values.loc[values["policy"] == name, "avebsld"].to_numpy() for name in means.index]
    colours = [BLUE if place < 3 else GREY for place in range(len(groups))]
    logs = [np.log10(group) for group in groups]
    places = np.arange(len(groups))
    violins = axes.violinplot(logs, places, widths=0.85, showextrema=False)
    for body, colour in zip(violins["bodies"], colours, strict=True):
        body.set(facecolor=colour, alpha=0.25, linewidth=0)
    boxes = axes.boxplot(logs, positions=places, widths=0.28, patch_artist=True, manage_ticks=False,
                         flierprops={"marker": ".", "ms": 3, "mfc": GREY, "mec": "none"},
                         medianprops={"color": "black", "linewidth": 1.6})  # fmt: skip
    for box, colour in zip(boxes["boxes"], colours, strict=True):
        box.set(facecolor=(colour, 0.35), edgecolor=colour, linewidth=0.8)
    axes.plot(places, np.log10(means), "D", ms=3.5, color=ORANGE, zorder=5)
    long = max(map(len, means.index)) > 6  # a reader's own name: it ends below its box
    ends = {"ha": "right", "rotation_mode": "anchor"} if long else {}
    axes.set_xticks(places, means.index, rotation=60, **ends)
    top = max(log.max() for log in logs)
    powers = range(int(top) + 1)
    axes.set_yticks(powers, [f"{10**power:,}" for power in powers])
    axes.set_ylim(-0.1, top + 0.15)
    axes.set_ylabel(AXIS_LABEL)


def draw_regret(online: pd.DataFrame, titles: dict[str, str]) -> Figure:
    """Draw the regret against the best fixed of each kind as the periods go by, trace by trace.

    Parameters
    ----------
    online : DataFrame
        Columns trace, learner, piece, regret, low and high (of the repetitions).
    titles : dict of str to str
        Every trace and its panel's title.
    """
    learners = list(online["learner"].unique())
    colours = [BLUE, ORANGE, GREEN, PURPLE, AMBER, "#56B4E9", "black"]
    with house_style():
        figure, panels = _two_in_a_row(titles, 6.6)
        for trace, axes in panels.items():
            own = online[online["trace"] == trace]
            if own.empty:
                say_missing(axes)
                continue
            axes.axhline(0, color="black", linewidth=0.8)
            for learner, rows in own.groupby("learner", sort=False):
                colour = colours[learners.index(learner) % len(colours)]
                if (rows["high"] > rows["low"]).any():
                    axes.fill_between(rows["piece"], rows["low"], rows["high"], color=colour,
                                      alpha=0.15, linewidth=0)  # fmt: skip
                axes.plot(rows["piece"], rows["regret"], color=colour, linewidth=1.4, label=learner)
            axes.set(xlabel="week", ylabel="regret against the best fixed")
            handles = axes.get_legend_handles_labels()
        if len(online):
            figure.legend(*handles, loc="outside upper center", ncols=4)
    return figure

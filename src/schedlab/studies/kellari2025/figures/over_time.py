"""Draw the figures of kellari2025 that show schedules over time."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from schedlab.cosched.timelines import STATES, speedups
from schedlab.report.figures.style import BLUE, COLORS, GREEN, ORANGE, legend_below, titled
from schedlab.studies.kellari2025.figures import findings
from schedlab.studies.kellari2025.figures.comparisons import LOOKS, color_of
from schedlab.studies.kellari2025.tables.chapter6 import SCHEDULERS

#: heights of names next to their lines, relative to the highest value
NAMED_AT = (0.8, 0.62, 0.44, 0.26)
#: colors of the states, in the order of `STATES`
STATE_COLORS = ["#e2e2e2", ORANGE, BLUE, GREEN]


def draw_states(table: pd.DataFrame, note: str) -> Figure:
    """Draw the number of jobs in each state over time; figure 4.1."""
    with titled(3.2, findings.half_done(table), note) as figure:
        axes = figure.subplots()
        axes.stackplot(table["time"] / 60, [table[state] for state in STATES], labels=STATES,
                       colors=STATE_COLORS, step="post", linewidth=0)  # fmt: skip
        axes.set(xlabel="time (min)", ylabel="jobs")
        axes.margins(0)
        figure.legend(loc="outside right center", reverse=True)
    return figure


def draw_lines(table: pd.DataFrame, y: str, label: str, note: str) -> Figure:
    """Draw a quantity over time, one line per scheduler; figure 4.3.

    The lines of `ends_of` are strong and have their names next to them; the others are pale.
    """
    lines = {name: table[table["scheduler"] == name] for name in SCHEDULERS}
    strong = ends_of(lines, y)
    with titled(3.8, findings.first_half(table), note) as figure:
        axes = figure.subplots()
        for place, (name, line) in enumerate(lines.items()):
            look = {"linewidth": 1.6} if name in strong else {"linewidth": 1, "alpha": 0.35}
            axes.plot(line["time"] / 3600, line[y], color=COLORS[name], linestyle=LOOKS[name][1],
                      label=name, zorder=2 + (name in strong) + place / 100, **look)  # fmt: skip
        for place, name in enumerate(strong):
            # names are at different heights, the first one left of its line
            height = NAMED_AT[place] * table[y].max()
            at = time_of(lines[name], y, height) / 3600
            side = (
                {"ha": "left", "xytext": (5, -4)} if place else {"ha": "right", "xytext": (-5, 2)}
            )
            text = axes.annotate(name, (at, height), textcoords="offset points", weight="bold",
                                 color=COLORS[name], size=7.5, zorder=5, **side)  # fmt: skip
            text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
        axes.set(xlabel="time (h)", ylabel=label)
        axes.margins(x=0)
        axes.set_ylim(bottom=0)
        figure.legend(loc="outside right center")
    return figure


def ends_of(lines: Mapping[str, pd.DataFrame], y: str) -> list[str]:
    """Return the schedulers that reach half of the highest value, or all of it, first or last.

    They are in the order in which they reach half, those at one time in the order of `lines`; one
    to four of them.
    """
    top = max(line[y].max() for line in lines.values())
    half, whole = (
        pd.Series({name: time_of(line, y, share * top) for name, line in lines.items()})
        for share in (0.5, 1)
    )
    names = {half.idxmin(), half.idxmax(), whole.idxmin(), whole.idxmax()}
    return sorted((name for name in lines if name in names), key=lambda name: half[name])


def time_of(line: pd.DataFrame, y: str, value: float) -> float:
    """Return the first time at which a line reaches a value; its end if it never does."""
    reached = line.loc[line[y] >= value, "time"]
    return reached.iloc[0] if len(reached) else line["time"].iloc[-1]


def draw_unused(table: pd.DataFrame, note: str) -> Figure:
    """Draw the unused cores over time, one panel per scheduler; figure 4.4."""
    columns = 5
    with titled(4.6, findings.idle(table), note) as figure:
        grid = figure.subplots(-(-len(SCHEDULERS) // columns), columns, sharex=True, sharey=True)
        for axes, name in zip(grid.ravel(), SCHEDULERS, strict=False):
            part = table[table["scheduler"] == name]
            mean, end = part["unused"].mean(), part["time"].max() / 3600
            axes.fill_between(part["time"] / 3600, part["unused"], step="pre", lw=0,
                              color=color_of(name), alpha=0.6)  # fmt: skip
            axes.hlines(mean, 0, end, color="black", linewidth=1, label="mean until the end")
            axes.axvline(end, color=ORANGE, linewidth=1.2, label="end")
            axes.set_title(f"{name}: {mean:,.0f}", size=8, weight="normal")
            axes.margins(x=0)
            axes.set_ylim(bottom=0)
        for place, axes in enumerate(grid.ravel()):
            if place >= len(SCHEDULERS):
                axes.set_axis_off()
            elif place + columns >= len(SCHEDULERS):
                axes.tick_params(labelbottom=True)
                axes.set_xlabel("time (h)")
        for axes in grid[:, 0]:
            axes.set_ylabel("unused cores")
        legend_below(figure, grid[0, 0])
    return figure


def draw_speedup_bins(jobs: pd.DataFrame, bins: pd.DataFrame, note: str) -> Figure:
    """Draw the speedup of every job at its end, with means per time span; figure 6.4."""
    speedup = speedups(jobs)
    with titled(3.4, findings.sped_up(speedup), note) as figure:
        axes = figure.subplots()
        axes.plot(jobs["end"] / 3600, speedup, "o", ms=2.5, mew=0, color=BLUE, alpha=0.45,
                  label="a job, where it ends")  # fmt: skip
        width = bins["time"].iloc[0]
        axes.hlines(bins["mean"], (bins["time"] - width) / 3600, bins["time"] / 3600, color=ORANGE,
                    linewidth=2.2, label="mean of the span")  # fmt: skip
        axes.plot(bins["time"] / 3600, bins["cumulative"], color="black", linestyle=(0, (1, 1.5)),
                  label="mean until then")  # fmt: skip
        axes.set(xlabel="time (h)", ylabel="job speedup")
        axes.margins(x=0.01)
        figure.legend(loc="outside lower center", ncols=3)
    return figure

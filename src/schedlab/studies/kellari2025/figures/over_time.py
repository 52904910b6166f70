"""Draw the figures of kellari2025 that show schedules over time."""

import pandas as pd
from matplotlib.figure import Figure

from schedlab.cosched.timelines import STATES
from schedlab.report.figures.style import BLUE, COLORS, GREEN, ORANGE, legend_below, titled
from schedlab.studies.kellari2025.figures import findings
from schedlab.studies.kellari2025.figures.comparisons import LOOKS, color_of
from schedlab.studies.kellari2025.tables.chapter6 import SCHEDULERS

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
    """Draw a quantity over time, one line per scheduler; figure 4.3."""
    with titled(3.8, findings.first_half(table), note) as figure:
        axes = figure.subplots()
        for place, name in enumerate(SCHEDULERS):
            line = table[table["scheduler"] == name]
            axes.plot(line["time"] / 3600, line[y], color=COLORS[name], linestyle=LOOKS[name][1],
                      label=name, linewidth=1.3, zorder=2 + place / 100)  # fmt: skip
        axes.set(xlabel="time (h)", ylabel=label)
        axes.margins(x=0)
        axes.set_ylim(bottom=0)
        figure.legend(loc="outside right center")
    return figure


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
    speedup = jobs["time"] / (jobs["end"] - jobs["start"])
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

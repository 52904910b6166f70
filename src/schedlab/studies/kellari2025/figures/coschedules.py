"""Figures of kellari2025 with schedules over time: 4.1 to 4.5, 6.4, 6.9 and 6.10."""

from collections.abc import Callable, Mapping
from typing import Annotated

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from schedlab.core.machine import Machine
from schedlab.cosched import timelines
from schedlab.cosched.machine import node_of
from schedlab.cosched.timelines import STATES, speedups
from schedlab.report.figures import gantt
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import BLUE, COLORS, GREEN, ORANGE, legend_below, titled
from schedlab.report.items import From, Given, item
from schedlab.report.words import joined
from schedlab.studies.kellari2025.figures import comparisons
from schedlab.studies.kellari2025.figures.comparisons import LOOKS, color_of, names_at
from schedlab.studies.kellari2025.inputs import LARGE, as_nodes, kept
from schedlab.studies.kellari2025.tables.chapter6 import BASELINE, SCHEDULERS


def first_half(table: pd.DataFrame) -> str:
    """Return under which scheduler half of the jobs end first, and under which last."""
    half = table["finished"].max() / 2
    times = table[table["finished"] >= half].groupby("scheduler", sort=False)["time"].min() / 3600
    first, last = (names_at(times, end, ".2g") for end in (times.min(), times.max()))
    return (
        f"Half of the jobs are complete after {times.min():.2g} h under {joined(first)}, after "
        f"{times.max():.2g} h under {joined(last)}"
    )


def idle(table: pd.DataFrame) -> str:
    """Return which scheduler leaves the fewest and the most cores unused: mean of `unused`."""
    means = table.groupby("scheduler", sort=False)["unused"].mean()
    least, most = (names_at(means, end, ",.0f") for end in (means.min(), means.max()))
    verb = "leaves" if len(least) == 1 else "leave"
    return (
        f"On average {joined(least)} {verb} {means.min():,.0f} cores unused, {joined(most)} "
        f"{means.max():,.0f}"
    )


def sped_up(speedups: pd.Series) -> str:
    """Return the mean speedup of jobs that share nodes, and how many are slower than alone."""
    slowed = 100 * (speedups < 1).mean()
    return f"Jobs run {speedups.mean():.2f} times as fast as alone; {slowed:.0f} % are slowed"


def half_done(states: pd.DataFrame) -> str:
    """Return when half of the jobs have ended, and the maximum number that execute at once."""
    half = states["finished"] >= states["finished"].max() / 2
    when = states.loc[half, "time"].min() / 60
    most = states["executing"].max()
    return f"Half of the jobs are complete after {when:,.0f} min; at most {most} execute at once"


#: heights of names next to their lines, relative to the highest value
NAMED_AT = (0.8, 0.62, 0.44, 0.26)
#: colors of the states, in the order of `STATES`
STATE_COLORS = ["#e2e2e2", ORANGE, BLUE, GREEN]


def draw_states(table: pd.DataFrame, note: str) -> Figure:
    """Draw the number of jobs in each state over time; figure 4.1."""
    with titled(3.2, half_done(table), note) as figure:
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
    with titled(3.8, first_half(table), note) as figure:
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
    with titled(4.6, idle(table), note) as figure:
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
    with titled(3.4, sped_up(speedup), note) as figure:
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


#: the experiment that each figure shows
SHOWN = {
    "fig4_1": "small",
    "fig4_2": "example",
    "fig4_3": "example",
    "fig4_4": "example",
    "fig4_5": "small",
    "fig6_4": "example",
    "fig6_9": "gantt400",
    "fig6_10": "gantt400",
}
# The scheduler of each figure that shows a single one.
GANTTS = {"fig4_5": "EASY-Co", "fig6_9": "SJF", "fig6_10": "SJF-Co"}
STEPS = 1200  # time steps in charts of all nodes: about one per pixel
OF_STATES, BINS = "EASY-Co", "Popularity"


@item(*SHOWN, kind="figure", section="Schedules over time", apart=True, **LARGE)
def draw_coschedules(
    item: str,
    schedules: Annotated[pd.DataFrame, From(lambda study, name: kept(study, SHOWN[name]))],
    machine: Annotated[
        Machine, Given(lambda study, name: study.row(SHOWN[name]).machine, as_nodes)
    ],
) -> Picture:
    """Draw an experiment's schedules."""
    of_scheduler = {
        name: jobs.reset_index(drop=True)
        for name, jobs in schedules.groupby("scheduler", sort=False)
    }
    return Picture(*DRAWN[item](of_scheduler, machine, item))


def _states(schedules: Mapping[str, pd.DataFrame], cluster: Machine, figure: str) -> tuple:
    states = timelines.states(schedules[OF_STATES])
    return draw_states(states, f"{OF_STATES}, {len(schedules[OF_STATES])} jobs"), states


def _speedups(schedules: Mapping[str, pd.DataFrame], cluster: Machine, figure: str) -> tuple:
    jobs = pd.concat(schedules.values(), ignore_index=True)
    jobs["speedup"] = timelines.speedups(jobs)
    ends = jobs.groupby("scheduler")["end"].max()
    spans = ends[BASELINE] / ends
    summary = jobs.groupby("scheduler")["speedup"].describe()
    summary = summary.assign(makespan_speedup=spans).reset_index()
    return comparisons.draw_speedups(jobs, spans, _on(schedules)), summary


def _throughput(schedules: Mapping[str, pd.DataFrame], cluster: Machine, figure: str) -> tuple:
    until = max(jobs["end"].max() for jobs in schedules.values())
    finished = _below_each_other(schedules, lambda jobs: timelines.throughput(jobs, until))
    return draw_lines(finished, "finished", "jobs finished", _on(schedules)), finished


def _unused(schedules: Mapping[str, pd.DataFrame], cluster: Machine, figure: str) -> tuple:
    """Return cores without a process over time, until the end of each scheduler's schedule."""
    unused = _below_each_other(
        schedules, lambda jobs: timelines.unused_cores(jobs, cluster.processors, jobs["end"].max())
    )
    return draw_unused(unused, _on(schedules)), unused


def _bins(schedules: Mapping[str, pd.DataFrame], cluster: Machine, figure: str) -> tuple:
    """Return job speedups at the jobs' ends, and their means by time span."""
    bins = timelines.speedup_bins(schedules[BINS])
    return draw_speedup_bins(schedules[BINS], bins, f"{BINS}, {_on(schedules)}"), bins


def _gantt(schedules: Mapping[str, pd.DataFrame], cluster: Machine, figure: str) -> tuple:
    jobs = schedules[GANTTS[figure]]
    note = f"{GANTTS[figure]}, {len(jobs)} jobs on {jobs['pool'].iloc[0]}, "
    note += f"{node_of(cluster).cpus} cores a node: {jobs['end'].max():,.0f} s"
    lanes = timelines.lanes(jobs)
    states = timelines.node_states(lanes, STEPS)
    chart = gantt.draw_gantt(lanes, jobs, states, timelines.NODE_STATES, note)
    return chart, timelines.with_node_ranges(jobs)


DRAWN: Mapping[str, Callable[..., tuple]] = {
    "fig4_1": _states,
    "fig4_2": _speedups,
    "fig4_3": _throughput,
    "fig4_4": _unused,
    "fig6_4": _bins,
} | dict.fromkeys(GANTTS, _gantt)


def _on(schedules: Mapping[str, pd.DataFrame]) -> str:
    jobs = next(iter(schedules.values()))
    return f"{len(jobs)} jobs on {jobs['pool'].iloc[0]}"


def _below_each_other(schedules: Mapping[str, pd.DataFrame], measure: Callable) -> pd.DataFrame:
    frames = [measure(jobs).assign(scheduler=name) for name, jobs in schedules.items()]
    return pd.concat(frames, ignore_index=True)

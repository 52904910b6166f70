"""Figures of kellari2025 with schedules over time: 4.1 to 4.5, 6.4, 6.9 and 6.10."""

from collections.abc import Callable, Mapping
from typing import Annotated

import pandas as pd

from schedlab.cosched import timelines
from schedlab.cosched.machine import Nodes
from schedlab.report.figures import gantt
from schedlab.report.figures.picture import Picture
from schedlab.report.items import From, Given, item
from schedlab.studies.kellari2025.figures import comparisons, over_time
from schedlab.studies.kellari2025.inputs import LARGE, as_nodes, kept
from schedlab.studies.kellari2025.tables.chapter6 import BASELINE

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
STATES, BINS = "EASY-Co", "Popularity"


@item(*SHOWN, kind="figure", section="Schedules over time", apart=True, **LARGE)
def draw_coschedules(
    item: str,
    schedules: Annotated[pd.DataFrame, From(lambda study, name: kept(study, SHOWN[name]))],
    machine: Annotated[Nodes, Given(lambda study, name: study.row(SHOWN[name]).machine, as_nodes)],
) -> Picture:
    """Draw an experiment's schedules."""
    of_scheduler = {
        name: jobs.reset_index(drop=True)
        for name, jobs in schedules.groupby("scheduler", sort=False)
    }
    return Picture(*DRAWN[item](of_scheduler, machine, item))


def _states(schedules: Mapping[str, pd.DataFrame], cluster: Nodes, figure: str) -> tuple:
    """Return the number of jobs in each state over time."""
    states = timelines.states(schedules[STATES])
    return over_time.draw_states(states, f"{STATES}, {len(schedules[STATES])} jobs"), states


def _speedups(schedules: Mapping[str, pd.DataFrame], cluster: Nodes, figure: str) -> tuple:
    """Return job speedups and makespan speedups of all schedulers."""
    jobs = pd.concat(schedules.values(), ignore_index=True)
    jobs["speedup"] = timelines.speedups(jobs)
    ends = jobs.groupby("scheduler")["end"].max()
    spans = ends[BASELINE] / ends
    summary = jobs.groupby("scheduler")["speedup"].describe()
    summary = summary.assign(makespan_speedup=spans).reset_index()
    return comparisons.draw_speedups(jobs, spans, _on(schedules)), summary


def _throughput(schedules: Mapping[str, pd.DataFrame], cluster: Nodes, figure: str) -> tuple:
    """Return the number of finished jobs over time under all schedulers."""
    until = max(jobs["end"].max() for jobs in schedules.values())
    finished = _below_each_other(schedules, lambda jobs: timelines.throughput(jobs, until))
    return over_time.draw_lines(finished, "finished", "jobs finished", _on(schedules)), finished


def _unused(schedules: Mapping[str, pd.DataFrame], cluster: Nodes, figure: str) -> tuple:
    """Return cores without a process over time, until the end of each scheduler's schedule."""
    unused = _below_each_other(
        schedules,
        lambda jobs: timelines.unused_cores(jobs, cluster.processors, jobs["end"].max()),
    )
    return over_time.draw_unused(unused, _on(schedules)), unused


def _bins(schedules: Mapping[str, pd.DataFrame], cluster: Nodes, figure: str) -> tuple:
    """Return job speedups at the jobs' ends, and their means by time span."""
    bins = timelines.speedup_bins(schedules[BINS])
    return over_time.draw_speedup_bins(schedules[BINS], bins, f"{BINS}, {_on(schedules)}"), bins


def _gantt(schedules: Mapping[str, pd.DataFrame], cluster: Nodes, figure: str) -> tuple:
    """Return the nodes and times of jobs under one scheduler."""
    jobs = schedules[GANTTS[figure]]
    note = f"{GANTTS[figure]}, {len(jobs)} jobs on {jobs['pool'].iloc[0]}, "
    note += f"{cluster.node_cores} cores a node: {jobs['end'].max():,.0f} s"
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
    """Return a description of the jobs and their pool."""
    jobs = next(iter(schedules.values()))
    return f"{len(jobs)} jobs on {jobs['pool'].iloc[0]}"


def _below_each_other(schedules: Mapping[str, pd.DataFrame], measure: Callable) -> pd.DataFrame:
    """Return a quantity over time for every scheduler, in one table."""
    frames = [measure(jobs).assign(scheduler=name) for name, jobs in schedules.items()]
    return pd.concat(frames, ignore_index=True)

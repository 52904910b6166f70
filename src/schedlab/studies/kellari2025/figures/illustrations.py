"""Draw figures 3.1 and 5.1 to 5.3: allocations of a few jobs to nodes, and backfilling."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from schedlab.cosched.timelines import with_node_ranges
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import (
    AMBER,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    titled,
)
from schedlab.report.items import item
from schedlab.studies.kellari2025.figures.findings import nodes_used
from schedlab.studies.kellari2025.inputs import SMALL
from schedlab.studies.kellari2025.toys import (
    BACKFILL_CLUSTER,
    METHODS_CLUSTER,
    allocation_methods,
    backfill_example,
)

LETTERS = {"A": BLUE, "B": ORANGE, "C": GREEN, "D": PURPLE, "E": AMBER, "F": SKY}
#: jobs that are placed in each step of the backfilling, and what the step shows
STEPS = {
    "fig5_1": ("ABC", "A, B and C execute; D, E and F wait"),
    "fig5_2": ("ABCD", "D, the oldest, can start when A ends"),
    "fig5_3": ("ABCDF", "F ends before D starts: it is backfilled; E would not"),
}
METHODS = ["compact", "spread", "striped"]


@item(
    "fig3_1", *STEPS, kind="figure", section="Examples", apart=True, **SMALL,
)  # fmt: skip
def draw_illustrations(item: str) -> Picture:
    """Draw a small simulated example."""
    if item in STEPS:
        placed, note = STEPS[item]
        queue = backfill_example()
        data = with_node_ranges(queue).assign(shown=queue["name"].isin(list(placed)))
        return Picture(draw_backfill(queue, placed, BACKFILL_CLUSTER.nodes, note), data)
    data = allocation_methods()
    return Picture(draw_methods(data, METHODS_CLUSTER.cores), data)


def draw_methods(places: pd.DataFrame, cores: int) -> Figure:
    """Draw two jobs under each allocation method of `toys.allocation_methods`; figure 3.1."""
    nodes, sockets = places["node"].max() + 1, places["socket"].max() + 1
    with titled(2.9, nodes_used(places, METHODS)) as figure:
        for axes, method in zip(figure.subplots(len(METHODS), 1), METHODS, strict=True):
            method_places = places[places["method"] == method]
            for node in range(nodes):
                for socket in range(sockets):
                    socket_jobs = method_places[
                        (method_places["node"] == node) & (method_places["socket"] == socket)
                    ]
                    core_jobs = list("".join(socket_jobs["job"] * socket_jobs["cores"]))
                    _draw_socket(axes, node * (sockets * cores + 3) + socket * (cores + 0.6), cores,
                                 core_jobs)  # fmt: skip
                middle = node * (sockets * cores + 3) + sockets * (cores + 0.6) / 2 - 0.3
                axes.text(middle, -0.35, f"node {node}", ha="center", va="top", size=8)
            axes.set_title(method)
            axes.set_xlim(-0.5, nodes * (sockets * cores + 3))
            axes.set_ylim(-1, 1.3)
            axes.set_aspect("equal")
            axes.set_axis_off()
        handles = [Patch(color=LETTERS[job], label=f"application {job}") for job in "AB"]
        handles.append(Patch(facecolor="white", edgecolor=GREY, label="idle core"))
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


def _draw_socket(axes: Axes, x: float, cores: int, core_jobs: list[str]) -> None:
    axes.add_patch(Rectangle((x - 0.15, -0.15), cores + 0.3, 1.3, fill=False, edgecolor=GREY))
    for core in range(cores):
        color = LETTERS[core_jobs[core]] if core < len(core_jobs) else "white"
        axes.add_patch(Rectangle((x + core + 0.06, 0.06), 0.88, 0.88, facecolor=color,
                                 edgecolor=GREY, linewidth=0.6))  # fmt: skip


def draw_backfill(jobs: pd.DataFrame, placed: str, nodes: int, note: str) -> Figure:
    """Draw the jobs `placed` at this step of a backfilling example, and the queue of the others."""
    with titled(3.2, note) as figure:
        axes, queue = figure.subplots(1, 2, width_ratios=[3, 1])
        for job in jobs[jobs["name"].isin(list(placed))].to_dict("records"):
            for node in job["nodes"]:
                axes.add_patch(Rectangle((job["start"], node), job["end"] - job["start"], 1,
                                         facecolor=LETTERS[job["name"]], linewidth=0))  # fmt: skip
            runs = np.split(job["nodes"], np.flatnonzero(np.diff(job["nodes"]) != 1) + 1)
            for run in runs:
                axes.text((job["start"] + job["end"]) / 2, run[0] + len(run) / 2, job["name"],
                          ha="center", va="center", color="white", weight="bold")  # fmt: skip
        axes.set_xlim(0, 12)
        axes.set_ylim(0, nodes)
        axes.set(xlabel="time", ylabel="node")
        axes.set_yticks(range(nodes + 1))
        axes.grid(axis="both")
        queue.set_title("waiting queue")
        waiting = jobs[~jobs["name"].isin(list(placed))]
        top = 0.0
        for job in waiting.to_dict("records"):
            top -= job["need"] + 0.8
            queue.add_patch(Rectangle((0, top), job["time"], job["need"],
                                      facecolor=LETTERS[job["name"]]))  # fmt: skip
            queue.text(job["time"] / 2, top + job["need"] / 2, job["name"], ha="center",
                       va="center", color="white", weight="bold")  # fmt: skip
        queue.set_xlim(-0.3, 6)
        queue.set_ylim(-12, 0.2)
        queue.set_axis_off()
    return figure

"""Draw figures 3.1 and 5.1 to 5.3: allocations of a few jobs to nodes, and backfilling."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from schedlab.cosched.machine import node_of, shared_nodes
from schedlab.cosched.schedulers import CoScheduler
from schedlab.cosched.simulation import CoJobs, simulate
from schedlab.cosched.timelines import with_node_ranges
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import AMBER, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, titled
from schedlab.report.items import item
from schedlab.report.words import joined, number_of
from schedlab.studies.kellari2025.inputs import SMALL

# Figure 3.1: two applications of 16 processes, nodes of two sockets of 8 cores.
METHODS_CLUSTER = shared_nodes(4, sockets=2, cores=8)
METHODS = {
    "compact": CoScheduler("compact", "Compact"),
    "spread": CoScheduler("spread", "Spread", nodes="idle", allocation="spread"),
    "striped": CoScheduler("striped", "Striped", nodes="occ", allocation="spread"),
}
# Figures 5.1 to 5.3: nodes and run times of A to F, which all arrive at the start.
BACKFILL_CLUSTER = shared_nodes(10, sockets=1, cores=2)
BACKFILL_JOBS = {"A": (3, 3), "B": (4, 6), "C": (1, 8), "D": (5, 4), "E": (2, 5), "F": (2, 3)}


def allocation_methods() -> pd.DataFrame:
    """Simulate two jobs under each allocation method.

    Columns: method, job (A or B), node, socket, cores (used on this socket).
    """
    jobs = CoJobs([0, 1], [0, 0], [0, 1], [16, 16], [1, 1], [1, 1])
    rows = []
    for method, scheduler in METHODS.items():
        schedule = simulate(jobs, METHODS_CLUSTER, np.ones((2, 2)), scheduler, True)
        for place, job in enumerate("AB"):
            nodes = schedule.allocation.nodes(place)
            cores = schedule.cores[place] // (len(nodes) * node_of(METHODS_CLUSTER).sockets)
            rows += [
                (method, job, int(node), socket, int(cores))
                for node in nodes
                for socket in range(node_of(METHODS_CLUSTER).sockets)
            ]
    return pd.DataFrame(rows, columns=["method", "job", "node", "socket", "cores"])


def backfill_example() -> pd.DataFrame:
    """Simulate the waiting queue of figures 5.1 to 5.3 under EASY; jobs A to F by arrival.

    Columns: name, job, start, end, compact, nodes (list), need (nodes), time.
    """
    need, time = map(np.array, zip(*BACKFILL_JOBS.values(), strict=True))
    count = len(need)
    procs = need * node_of(BACKFILL_CLUSTER).cpus
    jobs = CoJobs(np.arange(count), np.zeros(count), np.zeros(count), procs, time, time)
    easy = CoScheduler("easy", "EASY", backfill="easy")
    schedule = simulate(jobs, BACKFILL_CLUSTER, np.ones((1, 1)), easy, True)
    return pd.DataFrame(
        {
            "name": list(BACKFILL_JOBS),
            "job": np.arange(count),
            "start": schedule.start,
            "end": schedule.end,
            "compact": schedule.compact,
            "nodes": [schedule.allocation.nodes(job) for job in range(count)],
            "need": need,
            "time": time,
        }
    )


def nodes_used(places: pd.DataFrame, methods: list[str]) -> str:
    """Return how many nodes the first application uses under each allocation method.

    Expects the columns method, job, node and cores (of the job on a socket of the node).

    >>> import pandas as pd
    >>> rows = [("compact", "A", 0, 8), ("compact", "A", 1, 8), ("spread", "A", 0, 4)]
    >>> places = pd.DataFrame(rows, columns=["method", "job", "node", "cores"])
    >>> nodes_used(places, ["compact", "spread"])
    'Application A uses 2 nodes (compact) and 1 node (spread)'
    """
    first = places[(places["job"] == places["job"].min()) & (places["cores"] > 0)]
    counts = first.groupby("method")["node"].nunique()
    parts = (f"{number_of(counts[method], 'node')} ({method})" for method in methods)
    return f"Application {first['job'].iloc[0]} uses {joined(parts)}"


LETTERS = {"A": BLUE, "B": ORANGE, "C": GREEN, "D": PURPLE, "E": AMBER, "F": SKY}
#: jobs that are placed in each step of the backfilling, and what the step shows
STEPS = {
    "fig5_1": ("ABC", "A, B and C execute; D, E and F wait"),
    "fig5_2": ("ABCD", "D, the oldest, can start when A ends"),
    "fig5_3": ("ABCDF", "F ends before D starts: it is backfilled; E would not"),
}


@item(
    "fig3_1", *STEPS, kind="figure", section="Examples", apart=True, **SMALL,
)  # fmt: skip
def draw_illustrations(item: str) -> Picture:
    """Draw a small simulated example."""
    if item in STEPS:
        placed, note = STEPS[item]
        queue = backfill_example()
        data = with_node_ranges(queue).assign(shown=queue["name"].isin(list(placed)))
        return Picture(draw_backfill(queue, placed, len(BACKFILL_CLUSTER), note), data)
    data = allocation_methods()
    node = node_of(METHODS_CLUSTER)
    return Picture(draw_methods(data, node.cpus // node.sockets), data)


def draw_methods(places: pd.DataFrame, cores: int) -> Figure:
    """Draw two jobs under each allocation method of `toys.allocation_methods`; figure 3.1."""
    nodes, sockets = places["node"].max() + 1, places["socket"].max() + 1
    with titled(2.9, nodes_used(places, list(METHODS))) as figure:
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

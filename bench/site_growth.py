"""CPU time of a pass of a site's Slurm by nodes and waiting jobs, as a table and its figure.

    python bench/site_growth.py TABLE [FIGURE]

Measured is one pass of backfilling on a full machine, the site of site_case.py. TABLE is replaced,
or only drawn if FIGURE is given and it exists; docs/site_growth.csv and .png are those of the
documentation.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from rich.progress import track

from schedlab.core.jobs import Jobs
from schedlab.core.requests import Requests
from schedlab.files.io import whole
from schedlab.queue.site_problem import problem_of
from schedlab.queue.slurm_site import kernel_of
from schedlab.report.figures.style import SERIES, canvas, house_style, save_one
from site_case import make_jobs, make_site

NODES = (100, 1_000, 10_000)
WAITING = (100, 1_000, 10_000, 100_000)
#: processors of a running job; as many run on each node as fit
WIDTH = 5
#: seconds since the running jobs started, and shortest limit of them
NOW, SHORTEST = 3600, 7200
REPEATS = 3


def measure(nodes: int, waiting: int) -> dict[str, float]:
    """Return the milliseconds of CPU time of a pass, the median of some."""
    site = make_site(nodes)
    # the first node is another partition
    fit = [(node, k) for node in range(1, nodes) for k in range(site.machine.cpus[node] // WIDTH)]
    frame = make_jobs(site, len(fit) + waiting, 1.0).assign(submit=0)
    runs = np.arange(len(frame)) < len(fit)
    for name, value in {"procs": WIDTH, "tasks": WIDTH, "nodes": 1, "memory": -1}.items():
        frame.loc[runs, name] = value
    frame.loc[runs, ["gres", "features"]] = ""
    frame.loc[runs, "estimate"] = frame.loc[runs, "estimate"].clip(lower=SHORTEST)
    problem = problem_of(site, Jobs.from_frame(frame), Requests.from_frame(frame))
    pairs, spent = problem.pair_of[len(fit) : -1].tolist(), []
    for _ in range(REPEATS):
        kernel = kernel_of(problem)
        for job, (node, _) in enumerate(fit):
            kernel.put(int(problem.pair_of[job]), {node: WIDTH}, 0)
        begin = time.process_time()
        kernel.backfill_pass(NOW, pairs, None)
        spent.append(time.process_time() - begin)
    return {"nodes": nodes, "waiting": waiting, "ms": 1000 * statistics.median(spent)}


def draw(table: pd.DataFrame, path: Path) -> None:
    """Draw the times by waiting jobs, a line for each number of nodes."""
    with house_style():
        figure = canvas(3.0)
        axes = figure.subplots()
        for color, (nodes, rows) in zip(SERIES, table.groupby("nodes"), strict=False):
            axes.plot(
                rows["waiting"], rows["ms"], "o-", color=color, ms=4, label=f"{nodes:,} nodes"
            )
        axes.set(
            xscale="log", yscale="log", xlabel="waiting jobs", ylabel="CPU time of a pass (ms)"
        )
        axes.minorticks_off()
        axes.legend()
        save_one(figure, path)


def main(table: str, figure: str = "") -> None:
    """Measure, and draw if a figure is asked for."""
    path = Path(table)
    if not (figure and path.exists()):
        cases = [(nodes, waiting) for nodes in NODES for waiting in WAITING]
        rows = [measure(*case) for case in track(cases, description="site")]
        with whole(path) as draft:
            pd.DataFrame(rows).round({"ms": 2}).to_csv(draft, index=False)
    if figure:
        draw(pd.read_csv(path), Path(figure))


if __name__ == "__main__":
    main(*sys.argv[1:])

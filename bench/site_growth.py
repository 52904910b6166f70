"""CPU time of a site's Slurm by nodes and waiting jobs, as a table and its figure.

    python bench/site_growth.py TABLE [FIGURE]

Measured are two minutes of the machine: a pass of backfilling, and what the main scheduler does.
The site is that of site_case.py, all jobs are submitted at once. TABLE is replaced, or only drawn
if FIGURE is given and it exists; docs/site_growth.csv and .png are those of the documentation.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

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
#: jobs of a node that run, about
RUNNING = 6
#: passes before the measurement, measured ones at most, and seconds after which no more begin
BEFORE, MOST, BUDGET = 3, 10, 15


def measure(nodes: int, waiting: int) -> dict[str, float]:
    """Return waiting jobs and milliseconds of CPU time for each interval of backfilling."""
    site = make_site(nodes)
    frame = make_jobs(site, waiting + RUNNING * nodes, 1.0).assign(submit=0)
    problem = problem_of(site, Jobs.from_frame(frame), Requests.from_frame(frame))
    kernel, interval = kernel_of(problem), site.scheduling.bf_interval
    kernel.advance(10**9, BEFORE * interval + 1)
    wait, begin, passes = len(kernel.waiting()), time.process_time(), 0
    while passes < MOST and time.process_time() - begin < BUDGET:
        passes += 1
        kernel.advance(10**9, (BEFORE + passes) * interval + 1)
    spent = time.process_time() - begin
    return {"nodes": nodes, "waiting": wait, "passes": passes, "ms": 1000 * spent / passes}


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

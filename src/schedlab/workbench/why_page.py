"""A page that tells why a job waits, with the nodes in the past, now and as predicted."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from jinja2 import PackageLoader

from schedlab.core.jobs import Schedule
from schedlab.files.io import write_text
from schedlab.files.templates import page_templates
from schedlab.workbench.charts import steps
from schedlab.workbench.schedules import Rows, draw_schedule
from schedlab.workbench.site_forecast import DAY, advance, joined, problem_of_future
from schedlab.workbench.site_gantt import NAMED, away_of, bars_of_nodes, rows_of
from schedlab.workbench.site_queue import STOPPING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedlab.workbench.why import Why

TEMPLATE = "why.j2"
#: jobs ahead that the page lists
LISTED = 20
#: the past is at most so many times the predicted time
PAST = 1.0


def write_page(path: str | Path, why: Why) -> None:
    """Write an explanation as a page that loads no other file."""
    environment = page_templates(PackageLoader("schedlab", "workbench"))
    environment.filters["span"] = lambda seconds: str(timedelta(minutes=round(seconds / 60)))[:-3]
    stamp = why.queue.source.stamp
    starts = {
        name: None if at is None else stamp(at).replace("T", " ")
        for name, at in (why.starts or {}).items()
    }
    write_text(
        environment.get_template(TEMPLATE).render(
            why=why,
            now=stamp(why.queue.now + why.queue.origin).replace("T", " "),
            starts=starts,
            listed=why.ahead[:LISTED],
            runs=0 if why.forecast is None else len(why.forecast.starts),
            chart=None if why.chart is None else _svg(draw_nodes(why)),
        ),
        path,
    )


def draw_nodes(why: Why) -> Figure:
    """Draw the nodes from the starts of running jobs on until the job has run, in a usual future.

    Hours are from now on; the job is outlined.
    """
    queue, machine = why.queue, why.queue.site.machine
    assert why.chart is not None
    problem, job = problem_of_future(queue, why.chart), queue.place(why.id)
    kernel = queue.kernel(problem, parts=why.chart.parts)
    advance(kernel, queue.now + why.days * DAY, lambda starts: bool(starts[job] >= 0))
    start = int(kernel.starts()[job])
    last = (start if start >= 0 else kernel.now) + int(problem.limit[job])
    # jobs that start while it runs are part of the picture
    advance(kernel, last, lambda starts: False)
    starts, (pair, first, count, rows) = kernel.starts(), kernel.places()
    shown = np.flatnonzero((pair >= 0) & (starts >= 0) & (starts < last))
    place = np.repeat(np.arange(len(shown)), count[shown])
    within = np.arange(len(place)) - np.repeat(np.cumsum(count[shown]) - count[shown], count[shown])
    nodes = np.column_stack([place, rows[np.repeat(first[shown], count[shown]) + within]])
    later = why.chart.later
    jobs = queue.jobs if later is None else joined(queue.jobs, later)
    end = starts + problem.holds - STOPPING
    schedule = Schedule(starts[shown] - queue.now, end[shown] - queue.now, {"nodes": nodes})
    wait = np.maximum(starts[shown] - problem.submit[shown], 0)
    order, groups = rows_of(machine)
    bars = bars_of_nodes(jobs.take(shown), schedule, wait, machine, order)
    ahead = last - queue.now
    running = schedule.start[schedule.start < 0]
    begin = -min(int(ahead * PAST), -int(running.min(initial=0)))
    span = (begin, ahead)
    waiting = steps(problem.submit - queue.now, np.where(starts < 0, last, starts) - queue.now, 1)
    names = [""] * len(machine)
    if len(machine) <= NAMED and machine.names:
        for node, row in enumerate(order.tolist()):
            names[row] = machine.names[node]
    away = away_of(machine, order, (span[0] + queue.now, span[1] + queue.now))
    away = away.assign(start=away["start"] - queue.now, end=away["end"] - queue.now)
    note = f"job {why.id} (outlined) in a usual simulation; the past is left of the line"
    figure = draw_schedule(
        bars, waiting.rename(columns={"value": "waiting"}), len(machine), span, note,
        int(np.flatnonzero(shown == job)[0]) if start >= 0 else None, Rows(groups, names, away),
    )  # fmt: skip
    for axes in figure.axes[:2]:
        axes.axvline(0, color="black", linewidth=1)
    figure.axes[1].set_xlabel("hours from now")
    return figure


def _svg(figure: Figure) -> str:
    """Return a figure as an element of a page."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    text = re.sub("<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    # the page decides the size
    return re.sub(r' (?:width|height)="[^"]*pt"', "", text, count=2)

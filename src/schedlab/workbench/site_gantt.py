"""Chart of a site's nodes by partition: which node ran which job when, and when it was away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Schedule
from schedlab.files.progress import counted
from schedlab.queue.processor_lanes import first_fit
from schedlab.queue.site_problem import complete

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedlab.core.jobs import Jobs
    from schedlab.core.machine import Change, Machine
    from schedlab.workbench.site_results import SiteResult

#: up to so many nodes have names in the chart
NAMED = 40


def gantt(
    result: SiteResult, first: int | None = None, last: int | None = None, job: int | None = None
) -> Figure:
    """Draw a result, see `schedlab.workbench.results.Result.gantt`.

    Raises ValueError if no job runs within the span, or the job does not exist or never starts.
    """
    from schedlab.workbench.charts import drawn_span, waiting_jobs
    from schedlab.workbench.schedules import Rows, draw_schedule

    machine = complete(result.site).machine
    span, seen = drawn_span(result, first, last)
    marked = None if job is None else result.place(job)
    rows, groups = rows_of(machine)
    bars = bars_of_nodes(result.log.jobs, result.schedule, result.waits, machine, rows)
    away = away_of(machine, rows, span)
    note = f"{result.log.path.name}, {result.label}: {seen.sum():,} jobs on {len(machine):,} nodes"
    names = [""] * len(machine)
    if len(machine) <= NAMED and machine.names:
        for node, row in enumerate(rows.tolist()):
            names[row] = machine.names[node]
    return draw_schedule(
        bars[seen[bars["job"].to_numpy()]],
        waiting_jobs(result),
        len(machine),
        span,
        note,
        marked,
        Rows(groups, names, away),
    )


def rows_of(machine: Machine) -> tuple[np.ndarray, list[tuple[str, int, int]]]:
    """Return the row of each node, and name, first row and row behind the last of partitions.

    A node is in the row of its smallest partition; nodes of none are last, without a name.
    """
    order = sorted(
        range(len(machine.partitions)), key=lambda k: (len(machine.partitions[k].nodes), k)
    )
    home = np.full(len(machine), len(machine.partitions), dtype=np.int64)
    for k in reversed(order):
        home[list(machine.partitions[k].nodes)] = k
    by_row = np.argsort(home, kind="stable")
    rows = np.empty(len(machine), dtype=np.int64)
    rows[by_row] = np.arange(len(machine))
    groups = []
    names = [*(each.name for each in machine.partitions), ""]
    for k in np.unique(home).tolist():
        places = np.flatnonzero(home[by_row] == k)
        groups.append((names[k], int(places[0]), int(places[-1]) + 1))
    return rows, groups


def bars_of_nodes(
    jobs: Jobs, schedule: Schedule, waits: np.ndarray, machine: Machine, rows: np.ndarray
) -> pd.DataFrame:
    """Return a bar for each range of processors of a job on a node, of height 1 a node."""
    table = pd.DataFrame(schedule.extras["nodes"], columns=["job", "node", "cpus"])
    parts = []
    with counted("nodes", len(machine)) as advance:
        for node, part in table.groupby("node"):
            place = np.sort(part["job"].to_numpy())
            cpus = part.sort_values("job")["cpus"].to_numpy()
            local = replace(jobs.take(place), procs=cpus, requests=None)
            times = Schedule(schedule.start[place], schedule.end[place])
            lanes, whole = first_fit(local, times, int(machine.cpus[node])), machine.cpus[node]
            parts.append(
                pd.DataFrame({
                    "job": place[lanes.job],
                    "low": rows[node] + lanes.low / whole,
                    "high": rows[node] + (lanes.low + lanes.height) / whole,
                })
            )  # fmt: skip
            advance()
    bars = pd.concat(parts, ignore_index=True)
    job = bars["job"].to_numpy()
    return bars.assign(start=schedule.start[job], end=schedule.end[job], wait=waits[job])


def away_of(machine: Machine, rows: np.ndarray, span: tuple[int, int]) -> pd.DataFrame:
    """Return when nodes take no jobs, or only those of a reservation: row, begin, end, what."""
    found: list[tuple[int, int, int, str]] = []
    since: dict[int, tuple[int, str]] = {}
    for change in sorted(machine.changes, key=lambda each: each.time):
        for node in change.nodes:
            if change.kind == "reservation":
                end = span[1] if change.end is None else change.end
                found.append((int(rows[node]), change.time, end, _what(change)))
            elif change.kind in ("drain", "down", "resume"):
                if node in since:
                    found.append((int(rows[node]), since[node][0], change.time, since[node][1]))
                since.pop(node, None)
                if change.kind != "resume":
                    since[node] = change.time, _what(change)
    found += [(int(rows[node]), begin, span[1], what) for node, (begin, what) in since.items()]
    table = pd.DataFrame(found, columns=["row", "start", "end", "what"])
    return table[(table["end"] > span[0]) & (table["start"] < span[1])].reset_index(drop=True)


def _what(change: Change) -> str:
    if change.kind == "reservation":
        return "maintenance" if "MAINT" in change.flags else "reserved"
    return {"drain": "drained"}.get(change.kind, change.kind)

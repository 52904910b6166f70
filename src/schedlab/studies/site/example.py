"""A synthetic site with a log, to see a site's report without a log.

The recorded starts are those of the site's own Slurm, simulated with what happened to the site: a
maintenance, an outage, drained nodes, and a controller whose periodic work begins at any second.
None of this is in the site's files. So the log is a model, and a simulation by the files has
something to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.machine import Change
from schedlab.core.requests import PREFIX, RAN_ON
from schedlab.files.io import whole
from schedlab.queue.site_run import simulate_site
from schedlab.queue.slurm_site import Phases
from schedlab.traces.columns import write_columns
from schedlab.traces.parts import OnePart
from schedlab.traces.slurm.hostlist import folded
from schedlab.traces.slurm.site_files import read_site
from schedlab.traces.swf import FIELDS, Header
from schedlab.workloads import site_files
from schedlab.workloads.site_jobs import DAY, HOUR, UNIX_START, generate

if TYPE_CHECKING:
    from schedlab.core.machine import Machine
    from schedlab.core.slurm_site import Site
    from schedlab.workloads.lublin import Seed

#: length and jobs of the usual log
DAYS, JOBS = 182, 30_000
#: seconds that a job keeps its nodes after its end (epilog), and the longest delay of its start
EPILOG, DELAY = 12, 5
LOG, CONF, ACCOUNTS, TRUTH = "log.parquet", "slurm.conf", "accounts.txt", "truth.csv"
#: status in the workload format of a job that ended, failed, or was ended
_ENDED, _FAILED, _KILLED = 1, 0, 5


@dataclass(frozen=True)
class Event:
    """What happened to nodes: when, in parts of the log, for how many seconds, and to which."""

    kind: str
    when: float
    seconds: int
    nodes: str
    why: str


#: nodes are a letter of the kind and the first number and the last one, "" are all
EVENTS = (
    Event("reservation", 0.31, 12 * HOUR, "", "maintenance"),
    Event("down", 0.55, 3 * DAY, "t 1 16", "outage of a rack"),
    Event("drain", 0.70, 21 * DAY, "t 40 43", "drained for memory tests"),
    Event("drain", 0.82, 9 * DAY, "g 1 2", "drained for new GPUs"),
)


@dataclass(frozen=True, eq=False)
class Example:
    """A synthetic site: its jobs with recorded waits, and a row for each event."""

    jobs: pd.DataFrame
    truth: pd.DataFrame


def make_example(
    folder: Path,
    seed: Seed = 1,
    days: float = DAYS,
    jobs: int = JOBS,
    events: Sequence[Event] = EVENTS,
) -> Example:
    """Write the files of a synthetic site into a folder.

    Parameters
    ----------
    folder : Path
        It gets ``slurm.conf``, ``accounts.txt``, ``log.parquet`` and ``truth.csv``. The last one
        has what happened to nodes.
    seed : int
        Source of random numbers.
    days : float
        Length of the log.
    jobs : int
        Number of its jobs.
    events : sequence of Event
        What happens to nodes.

    Raises
    ------
    ValueError
        There is no job, or the log is shorter than a day.
    """
    arrival, controller = np.random.default_rng(seed).spawn(2)
    drawn = generate(jobs, days, arrival)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ((CONF, site_files.slurm_conf()), (ACCOUNTS, site_files.accounts_script())):
        with whole(folder / name) as draft:
            draft.write_text(text, encoding="utf-8")
    site = read_site(folder / CONF, folder / ACCOUNTS)
    first = int(drawn["submit"].iloc[0])
    changes, truth = _changes(site.machine, events, days, first)
    phases = Phases(*controller.integers(0, (60, 60, 300)).tolist(), clock=UNIX_START + first)
    real = replace(site, machine=replace(site.machine, changes=changes))
    model = Jobs.from_frame(drawn.assign(estimate=drawn["requested_time"])).rebased()
    for change in changes:
        if change.kind == "down":
            model = _with_outage(model, change, real, phases)
    schedule = simulate_site(real, model, phases, EPILOG)
    drawn[RAN_ON] = _lists_of(schedule, site.machine)
    recorded = _recorded(drawn, schedule.start + first, schedule.end + first, controller)
    columns = [*FIELDS, *(name for name in recorded if name.startswith(PREFIX)), RAN_ON]
    header = (
        f" UnixStartTime: {UNIX_START}", " TimeZoneString: UTC",
        f" MaxProcs: {site.machine.processors}",
        " Note: a synthetic site; recorded starts are simulated",
    )  # fmt: skip
    with whole(folder / LOG) as draft:
        write_columns(draft, OnePart(recorded[columns]), Header(header))
    with whole(folder / TRUTH) as draft:
        truth.to_csv(draft, index=False)
    return Example(recorded, truth)


def _changes(
    machine: Machine, events: Sequence[Event], days: float, first: int
) -> tuple[tuple[Change, ...], pd.DataFrame]:
    """Return the changes of nodes from second `first` on, and a row for each event."""
    changes, rows = [], []
    for event in events:
        begin = int(event.when * days) * DAY + 7 * HOUR
        end = begin + min(event.seconds, int(days * DAY / 8))
        kind, *ends = event.nodes.split() or [""]
        low, high = map(int, ends or (1, len(machine)))
        nodes = tuple(
            place
            for place, name in enumerate(machine.names)
            if not kind or (name[0] == kind and low <= int(name[1:]) <= high)
        )
        at, until = max(begin - first, 0), end - first
        if event.kind == "reservation":
            known = max(at - 14 * DAY, 0)
            changes.append(
                Change(at, "reservation", nodes, until, known, "maint", flags=frozenset({"MAINT"}))
            )
        else:
            changes += [Change(at, event.kind, nodes), Change(until, "resume", nodes)]
        rows.append(
            {
                "from": pd.Timestamp(UNIX_START + begin, unit="s").isoformat(),
                "until": pd.Timestamp(UNIX_START + end, unit="s").isoformat(),
                "nodes": f"{kind}[{low:02d}-{high:02d}]" if kind else "all",
                "processors": int(machine.cpus[list(nodes)].sum()),
                "why": event.why,
            }
        )
    ordered = sorted(changes, key=lambda change: change.time)
    columns = ["from", "until", "nodes", "processors", "why"]
    return tuple(ordered), pd.DataFrame(rows, columns=columns)


def _with_outage(jobs: Jobs, change: Change, site: Site, phases: Phases) -> Jobs:
    """Return jobs, of which those that run on nodes of an outage end when it begins."""
    before = jobs.take(jobs.submit < change.time)
    schedule = simulate_site(site, before, phases, EPILOG)
    job, node, _ = schedule.extras["nodes"].T
    hit = np.unique(job[np.isin(node, change.nodes)])
    hit = hit[(schedule.start[hit] < change.time) & (schedule.end[hit] > change.time)]
    runtime = jobs.runtime.copy()
    runtime[hit] = change.time - schedule.start[hit]
    return replace(jobs, runtime=runtime)


def _lists_of(schedule: Schedule, machine: Machine) -> pd.Series:
    """Return the nodes of each job as Slurm writes them, "" for jobs that never start."""
    job, node, _ = schedule.extras["nodes"].T
    order = np.lexsort((node, job))
    job, names = job[order], np.array(machine.names, dtype=object)[node[order]]
    count = np.bincount(job, minlength=len(schedule.start))
    lists = np.full(len(count), "", dtype=object)
    alone = count[job] == 1
    lists[job[alone]] = names[alone]
    first = np.cumsum(count) - count
    for place in np.flatnonzero(count > 1).tolist():
        lists[place] = folded(names[first[place] : first[place] + count[place]])
    return pd.Series(lists)


def _recorded(
    drawn: pd.DataFrame, start: np.ndarray, end: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame:
    """Return the jobs that started, as an accounting has them, with fields of the log."""
    ran = start >= drawn["submit"].to_numpy()
    jobs, start, end = drawn[ran].reset_index(drop=True), start[ran], end[ran]
    runtime = np.maximum(end - start, 1)
    limit = jobs["requested_time"].to_numpy()
    status = np.where(rng.random(len(jobs)) < 0.05, _FAILED, _ENDED)
    status = np.where(runtime < jobs["runtime"], _FAILED, status)
    status = np.where(jobs["runtime"] >= limit, _KILLED, status)
    delay = rng.integers(0, DELAY + 1, len(jobs))
    codes = {
        field: pd.factorize(jobs[PREFIX + name], sort=True)[0] + 1
        for field, name in (("user", "user"), ("group", "account"), ("queue", "partition"))
    }
    qos = PREFIX + "qos"
    jobs = jobs.assign(
        **{qos: jobs[qos].replace("", "normal")},
        wait=start + delay - jobs["submit"],
        runtime=np.maximum(runtime - delay, 1),
        requested_procs=jobs["procs"],
        status=status,
        partition=codes["queue"],
        **codes,
    )
    return jobs.reindex(columns=[*FIELDS, *(n for n in jobs if n not in FIELDS)], fill_value=-1)

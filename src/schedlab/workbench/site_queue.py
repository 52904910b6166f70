"""A site's present queue as a state of its own Slurm, from which a simulation goes on."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from schedlab.core.jobs import Jobs
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Site
from schedlab.queue.site_problem import SiteProblem, complete, problem_of
from schedlab.queue.slurm_site import Phases, kernel_of
from schedlab.traces.slurm.hostlist import expand
from schedlab.traces.slurm.queue_entries import HOLDING, QueueError, QueueFile
from schedlab.traces.slurm.sacct_limits import YEAR
from schedlab.traces.slurm.slurm_json import is_json, read_squeue_json
from schedlab.traces.slurm.squeue_text import SITE_COMMAND, read_squeue_text
from schedlab.workbench.queue_state import other_names, sorted_entries, why_never, why_stuck

if TYPE_CHECKING:
    from schedlab.kernels.site.site import SiteKernel
    from schedlab.queue.site_dialect import Points

QueuePath = str | os.PathLike[str]
#: read the site for a Unix time of second 0
ReadSite = Callable[[int], Site]
#: points by which recorded priorities may differ from computed ones
CLOSE = 2
#: parts of the periods of both schedulers after which their next passes come, if not drawn
HALF = (0.5, 0.5)
#: seconds that a job keeps its nodes beyond its run time
STOPPING = 1


@dataclass(frozen=True, eq=False)
class SiteQueue:
    """Running and waiting jobs on a site's own Slurm; made by `load_site_queue`.

    Parameters
    ----------
    source : QueueFile
        The queue as read, with local times.
    site : Site
        The site; its changes of nodes are on the clock of `jobs`.
    jobs : Jobs
        Running and waiting jobs in order of submission, numbered by their places, with requests.
        Run times are time limits. Seconds are from `origin` on.
    entries : pandas.DataFrame
        The rows of the queue in the order of `jobs`.
    where : mapping of int to dict
        Processors by node of each running job.
    stuck : pandas.DataFrame
        id and why of jobs that cannot start at present, and are not simulated.
    now, origin : int
        The present time in seconds from `origin` on, and `origin` on the clock of `source`.
    notes : tuple of str
        Assumptions.
    """

    source: QueueFile
    site: Site
    jobs: Jobs
    entries: pd.DataFrame
    where: Mapping[int, Mapping[int, int]]
    stuck: pd.DataFrame
    now: int
    origin: int
    notes: tuple[str, ...]

    @cached_property
    def runs(self) -> np.ndarray:
        """Whether each job runs."""
        return self.entries["state"].isin(HOLDING).to_numpy()

    @cached_property
    def elapsed(self) -> np.ndarray:
        """Seconds that each job has run; 0 for waiting ones."""
        start = self.entries["start"].to_numpy() - self.origin
        return np.where(self.runs, np.maximum(self.now - start, 0), 0)

    @cached_property
    def problem(self) -> SiteProblem:
        """Arrays of the simulation, in which all jobs run until their limits."""
        return self.problem_with(self.jobs)

    @cached_property
    def points(self) -> np.ndarray:
        """Points that lead from computed to recorded priorities.

        They are 0 where these are not known, or differ by what jobs age in a period of calculation.
        """
        problem = problem_of(self.site, self.jobs, self.jobs.requests)
        pairs, priority = self.kernel(problem).queue()
        job = np.repeat(np.arange(len(self.jobs)), np.diff(problem.pair_of))[pairs]
        computed = pd.Series(priority).groupby(job).max()
        recorded = self.entries["priority"].to_numpy()
        points = np.zeros(len(self.jobs))
        known = computed.index.to_numpy()[recorded[computed.index] > 0]
        points[known] = recorded[known] - computed[known].to_numpy()
        return np.where(np.abs(points) <= CLOSE + self.aging, 0.0, points)

    @property
    def aging(self) -> float:
        """Points by which a job ages between two calculations of priorities."""
        weights = self.site.priorities
        return weights.age * weights.calc_period / max(weights.max_age, 1)

    def problem_with(self, jobs: Jobs) -> SiteProblem:
        """Return the arrays of these jobs, and perhaps further ones, with `points`."""
        given = np.zeros(len(jobs))
        given[: len(self.points)] = self.points
        return problem_of(self.site, jobs, jobs.requests, given, STOPPING)

    def kernel(
        self,
        problem: SiteProblem,
        watched: int = -1,
        given: Points | None = None,
        parts: tuple[float, float] = HALF,
    ) -> SiteKernel:
        """Return the kernel of a problem at the present: running jobs on their nodes, a queue.

        The next backfill pass and the next main pass come after these parts of their periods.
        Waiting jobs have the points that a policy gives at present. Raises `QueueError` if a job
        runs that the site's files do not let start.
        """
        rules = problem.site.scheduling
        phases = Phases(
            backfill=self.now + int(rules.bf_interval * parts[0]),
            main=self.now + int(max(rules.sched_interval, 0) * parts[1]),
            clock=self.origin,
        )
        kernel = kernel_of(problem, phases, watched=watched)
        for job, why in problem.never:
            if job in self.where:  # the kernel has no place for it
                raise QueueError(
                    f"{self.source.path}: job {self.entries['id'][job]} runs, but by the site's "
                    f"files it never starts: {why}; write the queue and the site's files, with its "
                    "accounts, at the same time"
                )
        for job, where in self.where.items():
            kernel.put(int(problem.pair_of[job]), dict(where), self.now - int(self.elapsed[job]))
        if given is not None:
            waits = np.flatnonzero(~self.runs)
            kernel.give(waits, given.of(waits, self.now))
        accrue = np.full(len(problem.submit), self.now, dtype=np.int64)
        accrue[: len(self.jobs)] = self.accrue
        kernel.resume(self.now, accrue)
        return kernel

    @cached_property
    def accrue(self) -> np.ndarray:
        """Since when the priority of each job ages."""
        submit, eligible, accrue = (
            self.entries[name].to_numpy() - self.origin for name in ("submit", "eligible", "accrue")
        )
        known = self.entries["accrue"].to_numpy() >= 0
        return np.minimum(np.where(known, accrue, np.maximum(submit, eligible)), self.now)

    def changed(self, **changes: object) -> SiteQueue:
        """Return the queue with the same jobs as they might be, or a site, and the same points."""
        other = replace(self, **changes)
        other.__dict__["points"] = self.points
        return other

    def place(self, name: str) -> int:
        """Return the place of a job by its id; ValueError if it is not simulated."""
        places = np.flatnonzero(self.entries["id"] == name)
        if len(places):
            return int(places[0])
        waits = ", ".join(self.entries["id"][~self.runs].head(5))
        raise ValueError(f"{self.source.path}: no job {name} waits; {waits or 'none'} do")


def load_site_queue(queue: QueuePath, read: ReadSite, at: str | None = None) -> SiteQueue:
    """Return the present queue of a site with its own Slurm.

    Parameters
    ----------
    queue : path
        Output of `schedlab.traces.slurm.squeue_text.SITE_COMMAND`, or of ``squeue --json``.
    read : callable
        Returns the site for the Unix time of second 0, on a clock of local times.
    at : str, optional
        Time of the queue; by default from the file.

    Raises
    ------
    ValueError
        A file cannot be read, or the jobs do not fit on the nodes; the message names the file, the
        place, the field and a remedy.
    """
    source = read_squeue_json(queue, at) if is_json(queue) else read_squeue_text(queue, at)
    if not source.has_requests:
        raise QueueError(
            f"{queue}: it does not have what jobs ask for; write it with {SITE_COMMAND}"
        )
    source = _local(source)
    return queue_on_site(source, read)


def queue_on_site(source: QueueFile, read: ReadSite) -> SiteQueue:
    """Return a queue that was read, on the site that `read` returns; see `load_site_queue`."""
    entries, notes = source.entries, list(source.notes)
    entries = entries[~entries["id"].duplicated()]
    if not len(entries):
        raise QueueError(f"{source.path}: no job runs and none waits; write it when there are jobs")
    origin = int(min(source.now, entries["submit"].min()))
    site = complete(read(origin))
    entries = _limits(entries, site, source.now, notes)
    runs = entries["state"].isin(HOLDING)
    running, waiting = sorted_entries(entries[runs]), sorted_entries(entries[~runs])
    running, waiting = (
        rows.assign(also=rows["id"].map(other_names)) for rows in (running, waiting)
    )
    waiting["why"] = [why_never(job, {}) for job in waiting.to_dict("records")]
    why, after = why_stuck(running, waiting, site.machine.processors)
    free = np.array([not cause for cause in why], dtype=bool)
    stuck = pd.DataFrame({"id": waiting["id"], "why": why})[~free].reset_index(drop=True)
    every = pd.concat([running, waiting], ignore_index=True)
    kept = every[np.r_[np.ones(len(running), dtype=bool), free]].sort_values(
        "submit", kind="stable"
    )
    place = {old: new for new, old in enumerate(kept.index)}
    waits_for: dict[int, list[int]] = {}
    for job, blocker in after:
        if job in place and blocker in place:
            waits_for.setdefault(place[job], []).append(place[blocker])
    kept = kept.reset_index(drop=True)
    jobs = _jobs(kept, origin, source.now, waits_for)
    where = _places(source, kept, site, notes)
    return SiteQueue(
        source, site, jobs, kept, where, stuck, source.now - origin, origin, tuple(notes)
    )


def _local(source: QueueFile) -> QueueFile:
    """Return a queue with local times in place of Unix times, as texts of Slurm have them."""
    if source.clock != "unix":
        return source
    moment = datetime.fromtimestamp(source.now, UTC).astimezone()
    ahead = int(moment.utcoffset().total_seconds())
    times = {
        name: source.entries[name].where(source.entries[name] < 0, source.entries[name] + ahead)
        for name in ("submit", "start", "begin", "eligible", "accrue", "planned")
    }
    return replace(
        source, entries=source.entries.assign(**times), now=source.now + ahead, clock="local"
    )


def _limits(entries: pd.DataFrame, site: Site, now: int, notes: list[str]) -> pd.DataFrame:
    """Return entries with a time limit each: the longest of the partition, or a year."""
    longest = {each.name: each.max_time or YEAR for each in site.machine.partitions}
    usual = entries["partition"].map(lambda name: longest.get(name.partition(",")[0], YEAR))
    none = entries["limit"] <= 0
    if none.any():
        notes.append(
            f"time limits: {int(none.sum())} of {len(entries)} jobs have none: taken as their "
            "partition's, or a year"
        )
    start = entries["start"].where(entries["start"] >= 0, entries["submit"])
    held = entries["state"].isin(HOLDING)
    limit = entries["limit"].where(~none, usual)
    past = held & (start + limit <= now)
    if past.any():
        notes.append(
            f"time limits: {int(past.sum())} running jobs have exceeded their limit: taken as over"
        )
    over = past | (entries["state"] == "ending")
    limit = limit.where(~over, np.maximum(now - start + 1, 1))
    # jobs that run were not submitted after their start
    submit = entries["submit"].where(~held, np.minimum(entries["submit"], start))
    return entries.assign(
        limit=limit.astype("int64"),
        start=entries["start"].where(~held, np.minimum(start, now)),
        submit=np.minimum(submit, now),
    )


def _jobs(
    entries: pd.DataFrame, origin: int, now: int, waits_for: Mapping[int, Sequence[int]]
) -> Jobs:
    """Return the jobs of entries in their order, with requests."""
    array = entries["id"].str.extract(r"^(\d+)_")[0]
    frame = pd.DataFrame(
        {
            "nodes": entries["asked_nodes"],
            "begin": (entries["begin"] - origin).where(entries["begin"] > now, -1),
            "array": array.fillna("-1").astype("int64"),
            "after": [
                ",".join(map(str, waits_for.get(place, []))) for place in range(len(entries))
            ],
        }
        | {
            name: entries[name]
            for name in (
                *("most_nodes", "tasks", "cpus_per_task", "memory", "per_cpu", "exclusive"),
                *("nice", "gres", "features", "partition", "qos", "account", "user", "reservation"),
            )
        }
    )
    limit = entries["limit"].to_numpy()
    submit = entries["submit"].to_numpy() - origin
    numbers = np.arange(len(entries))
    return Jobs(numbers, submit, limit, limit, entries["procs"], Requests.from_frame(frame))


def _places(
    source: QueueFile, entries: pd.DataFrame, site: Site, notes: list[str]
) -> dict[int, dict[int, int]]:
    """Return the processors by node of running jobs: those recorded, or spread over their nodes."""
    machine = site.machine
    number = {name: k for k, name in enumerate(machine.names)}
    free = machine.cpus.copy()
    where: dict[int, dict[int, int]] = {}
    spread: list[tuple[int, list[int], int]] = []
    for place, job in enumerate(entries.to_dict("records")):
        if job["state"] not in HOLDING:
            continue
        try:
            names = expand(job["nodes"]) if job["nodes"] else []
        except ValueError as problem:
            raise _wrong(source, job, f"has no meaning: {problem}") from None
        if lost := [name for name in names if name not in number]:
            raise _wrong(source, job, f"has {lost[0]}, which is no node of the site's files")
        if not names:
            raise _wrong(source, job, "is empty")
        exact = dict(part.rsplit(":", 1) for part in job["where"].split())
        if job["exclusive"]:
            exact = {name: machine.cpus[number[name]] for name in names}
        if exact.keys() == set(names) or len(names) == 1:
            cpus = {name: int(exact.get(name, job["procs"])) for name in names}
            where[place] = {number[name]: cpus[name] for name in names}
            for node, count in where[place].items():
                free[node] -= count
        else:
            spread.append((place, [number[name] for name in names], job["procs"]))
    for place, shares in shared_out(free, spread).items():
        where[place] = shares
        for node, count in shares.items():
            free[node] -= count
    if (over := np.flatnonzero(free < 0)).size:
        node = over[0]
        job = next(k for k, nodes in where.items() if node in nodes)
        raise _wrong(
            source,
            entries.loc[job],
            f"has {machine.names[node]}, on which {machine.cpus[node] - free[node]} processors are "
            f"in use of {machine.cpus[node]}",
        )
    if spread:
        notes.append(
            f"processors: those on each node are not known of {len(spread)} running jobs: chosen "
            "so that all fit"
        )
    return where


def shared_out(
    free: np.ndarray, jobs: Sequence[tuple[int, Sequence[int], int]]
) -> dict[int, dict[int, int]]:
    """Return processors on each node for jobs with their nodes and processors.

    Each has one processor of each of its nodes. The others are a largest flow from jobs to nodes,
    and any that does not fit is on a job's last node.

    Examples
    --------
    >>> shared_out(np.array([4, 1, 4]), [(7, [0, 1, 2], 7), (8, [0, 1], 2)])
    {7: {0: 3, 1: 1, 2: 3}, 8: {0: 1, 1: 1}}
    """
    count, nodes = len(jobs), len(free)
    capacity = np.zeros((count + nodes + 2,) * 2, dtype=np.int32)
    source, sink = count + nodes, count + nodes + 1
    capacity[count : count + nodes, sink] = free
    for k, (_, of, procs) in enumerate(jobs):
        capacity[source, k] = max(procs - len(of), 0)
        capacity[k, [count + node for node in of]] = max(procs - len(of), 0)
        capacity[[count + node for node in of], sink] -= 1
    capacity = np.maximum(capacity, 0)
    flow = maximum_flow(csr_array(capacity), source, sink).flow.toarray()
    shares = {}
    for k, (place, of, procs) in enumerate(jobs):
        given = {node: 1 + int(flow[k, count + node]) for node in of}
        given[of[-1]] += max(procs - sum(given.values()), 0)
        shares[place] = given
    return shares


def _wrong(source: QueueFile, job: Mapping, text: str) -> QueueError:
    return QueueError(
        f"{source.path}: job {job['id']}: field NODELIST '{job['nodes']}' {text}; write the queue "
        "and the site's files at the same time"
    )

"""A site's present queue: read, and converted to a state that can be simulated."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_unpacked
from schedlab.queue.forecast import QueueState
from schedlab.traces.dependencies import depends_on
from schedlab.traces.slurm.queue_entries import HOLDING, QueueError, QueueFile
from schedlab.traces.slurm.sacct_limits import YEAR
from schedlab.traces.slurm.sinfo_text import is_closed, read_sinfo_text
from schedlab.traces.slurm.slurm_json import is_json, read_nodes_json, read_squeue_json
from schedlab.traces.slurm.squeue_text import read_squeue_text
from schedlab.traces.swf_queue import read_swf_queue

#: Slurm's reasons of jobs that cannot start without an intervention
STUCK = {
    "JobHeldUser": "held by its user",
    "JobHeldAdmin": "held by an administrator",
    "DependencyNeverSatisfied": "depends on what never comes",
    "PartitionDown": "its partition is down",
    "PartitionInactive": "its partition is inactive",
    "PartitionConfig": "its partition does not allow it",
    "PartitionTimeLimit": "its limit is above its partition's",
    "PartitionNodeLimit": "more nodes than its partition allows",
    "BadConstraints": "no nodes are as it wants them",
    "InvalidAccount": "its account is not valid",
    "InvalidQOS": "its quality of service is not valid",
}
#: first words of reasons that are limits of users, groups or times; they are ignored here
LIMITS = ("QOS", "Assoc", "Max", "Reservation", "Licenses", "ReqNodeNotAvail", "JobArrayTaskLimit")


@dataclass(frozen=True, eq=False)
class QueueNow:
    """Queue that can be simulated; made by `load_queue`.

    Parameters
    ----------
    source : QueueFile
        The queue as read.
    standing : QueueState
        Running and waiting jobs, with times relative to `origin`.
    origin : int
        The first submission or start of these jobs, on the clock of `source`.
    jobs : pandas.DataFrame, shape (w, 6)
        id, user, partition, procs, limit and priority (-1: none) of the waiting jobs, in the order
        of `standing`.
    stuck : pandas.DataFrame
        id and why of the jobs that cannot start at present.
    notes : tuple of str
        Assumptions.
    """

    source: QueueFile
    standing: QueueState
    origin: int
    jobs: pd.DataFrame
    stuck: pd.DataFrame
    notes: tuple[str, ...]

    @property
    def has_priorities(self) -> bool:
        """Whether the priorities of all waiting jobs at the site are known."""
        return len(self.jobs) > 0 and bool((self.jobs["priority"] >= 0).all())


def load_queue(
    queue: str | os.PathLike[str],
    machine: str | os.PathLike[str],
    partition: str | None = None,
    processors: int | None = None,
    at: str | None = None,
) -> QueueNow:
    """Read the running and waiting jobs of a site, and the size of its machine.

    Parameters
    ----------
    queue, machine : path-like
        The output of squeue and sinfo, with `schedlab.traces.slurm.squeue_text.COMMAND` and
        `schedlab.traces.slurm.sinfo_text.COMMAND` or with ``--json``; or two SWF logs with the
        running and the waiting jobs.
    partition : str, optional
        Jobs and nodes of this partition only; by default all of them, as one pool.
    processors : int, optional
        Size of the machine; by default from sinfo, or from the header's MaxProcs.
    at : str, optional
        Time of the queue, in seconds or like 2026-11-22T12:00:00; by default from the files.

    Raises
    ------
    ValueError
        A file cannot be read, the machine is too small for the running jobs, or there are no jobs.
        The message names the file, the place, the field and a remedy.
    """
    nodes = None
    if is_json(queue):
        source = read_squeue_json(queue, at)
    elif _is_squeue(queue, machine):
        source = read_squeue_text(queue, at)
    else:
        source, header = read_swf_queue(queue, machine, at)
        processors = processors or header.integer("MaxProcs")
        if processors is None:
            raise QueueError(f"{queue}: the header has no MaxProcs; give --processors")
    if source.clock != "seconds":
        nodes = read_nodes_json(machine) if is_json(machine) else read_sinfo_text(machine)
    entries, notes = source.entries, []
    if partition is not None:
        entries, nodes = _of(partition, entries, nodes, (queue, machine))
    if not len(entries):
        raise QueueError(f"{queue}: no job runs and none waits; write it when there are jobs")
    runs = entries["state"].isin(HOLDING)
    busy = int(entries.loc[runs, "procs"].sum())
    if processors is None:
        processors = _size(nodes, busy, machine, notes)
    if busy > processors:
        raise QueueError(
            f"{queue}: field CPUS: {busy} processors are in use, but {machine} has {processors}; "
            "write both files at the same time and of the same partitions, or give --processors"
        )
    if partition is None and nodes is not None and nodes["partition"].nunique() > 1:
        names = ", ".join(sorted(nodes["partition"].unique()))
        notes.append(f"partitions: {names} are taken as one pool; --partition takes one alone")
    return _build_queue(source, entries, runs, processors, notes)


def _is_squeue(*paths: str | os.PathLike[str]) -> bool:
    """Return whether the files are from squeue and sinfo, and not logs of running and waiting jobs.

    The first file that is not empty decides, by its first line that is no comment, because a log's
    header may contain bars.
    """
    for content in map(read_unpacked, paths):
        if content.strip():
            lines = (line.strip() for line in content.splitlines())
            first = next((line for line in lines if line and not line.startswith(b";")), b"")
            return b"|" in first or first.startswith(b"{")
    return True


def _of(
    partition: str, entries: pd.DataFrame, nodes: pd.DataFrame | None, paths: tuple
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the jobs and nodes of one partition."""
    mine = entries["partition"].str.split(",").map(lambda names: partition in names).astype(bool)
    if nodes is not None:
        if not (nodes["partition"] == partition).any():
            raise QueueError(
                f"{paths[1]}: field PARTITION: no '{partition}' in it; it has "
                f"{', '.join(sorted(nodes['partition'].unique()))}"
            )
        nodes = nodes[nodes["partition"] == partition]
    return entries[mine], nodes


def _size(nodes: pd.DataFrame, busy: int, path: object, notes: list[str]) -> int:
    """Return the number of usable processors, counting each node once."""
    once = nodes.drop_duplicates("name")
    if not len(once):
        raise QueueError(f"{path}: there is no node in it; write it again")
    closed = once["state"].map(is_closed).astype(bool)
    used = int(once["used"].sum())
    if len(out := once[closed]):
        notes.append(
            f"nodes: {len(out)} of {len(once)} take no jobs ({', '.join(out['name'].head(5))}): "
            f"their idle processors are left out, {out['used'].sum()} in use count as if they came "
            "back"
        )
    idle = int(once.loc[~closed, "idle"].sum())
    if used > busy:
        notes.append(
            f"processors: {used - busy} are in use by jobs that are not in the queue that was "
            "read: taken as never free"
        )
    return idle + used - max(used - busy, 0)


def _build_queue(
    source: QueueFile, entries: pd.DataFrame, runs: pd.Series, processors: int, notes: list[str]
) -> QueueNow:
    now = source.now
    ends = entries["state"] == "ending"
    entries = entries.assign(
        # a limit below its run time so far, so that it ends in a second, like a job past its limit
        limit=entries["limit"].where(entries["limit"] > 0, YEAR).mask(ends, 1),
        start=entries["start"].where(~ends | (entries["start"] >= 0), entries["submit"]),
        submit=entries["submit"].where(entries["begin"] <= now, entries["begin"]),
    )
    if endless := int((entries["limit"] == YEAR).sum()):
        notes.append(
            f"time limits: {endless} of {len(entries)} jobs have none: taken as a year, as Slurm "
            "does"
        )
    over = runs & ~ends & (entries["start"] + entries["limit"] <= now)
    if past := int(over.sum()):
        notes.append(
            f"time limits: {past} of {int(runs.sum())} running jobs have exceeded their limit: "
            "taken as over in a second"
        )
    running = _sorted(
        entries[runs].assign(submit=lambda rows: rows[["submit", "start"]].min(axis=1))
    )
    waiting = _sorted(entries[~runs])
    why, after = _stuck(running, waiting, processors)
    free = np.array([not cause for cause in why], dtype=bool)
    stuck = pd.DataFrame({"id": waiting["id"], "why": why})[~free].reset_index(drop=True)
    # places among the remaining jobs
    place = np.r_[np.arange(len(running)), len(running) + np.cumsum(free) - 1]
    pairs = [(place[job], place[blocker]) for job, blocker in after if free[job - len(running)]]
    waiting = waiting[free].reset_index(drop=True)
    if limited := int(waiting["reason"].str.startswith(LIMITS).sum()):
        notes.append(
            f"limits, reservations, licences: {limited} of {len(waiting)} jobs wait for one: taken "
            "as if there were none"
        )
    if later := int((waiting["submit"] > now).sum()):
        notes.append(
            f"begin times: {later} of {len(waiting)} jobs come later: they wait from then on"
        )
    origin = int(min([now, *running["submit"], *waiting["submit"]]))
    started = np.minimum(running["start"].to_numpy(), now) - origin
    standing = QueueState(
        processors,
        now - origin,
        _jobs(running, origin, now),
        started,
        _jobs(waiting, origin, None),
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
    )
    columns = waiting[["id", "user", "partition", "procs", "limit", "priority"]]
    return QueueNow(source, standing, origin, columns, stuck, tuple(notes) + source.notes)


def _sorted(entries: pd.DataFrame) -> pd.DataFrame:
    """Return entries by submission, then by their ids."""
    parts = entries["id"].str.extract(r"^(\d+)(?:\D+(\d+))?").fillna("0").astype("int64")
    keys = entries.assign(one=parts[0], two=parts[1])
    return keys.sort_values(["submit", "one", "two"], kind="stable").reset_index(drop=True)


def _jobs(entries: pd.DataFrame, origin: int, latest: int | None) -> Jobs:
    submit = entries["submit"] if latest is None else entries["submit"].clip(upper=latest)
    limit = entries["limit"]
    return Jobs(np.arange(len(entries)), submit - origin, limit, limit, entries["procs"])


def _stuck(
    running: pd.DataFrame, waiting: pd.DataFrame, processors: int
) -> tuple[list[str], list[tuple[int, int]]]:
    """Return why waiting jobs cannot start (empty if they can), and pairs of dependent jobs."""
    places = _places([*running["id"], *waiting["id"]])
    first, why, after = len(running), [], []
    for place, job in enumerate(waiting.to_dict("records"), first):
        cause = STUCK.get(job["reason"], "")
        if job["state"] == "suspended":
            cause = cause or "suspended"
        if job["priority"] == 0:
            cause = cause or "held (its priority is 0)"
        if job["procs"] > processors:
            cause = cause or f"needs {job['procs']} processors, there are {processors}"
        blockers, problem = depends_on(job["after"], places)
        cause = cause or problem
        if not cause and any(blocker >= place for blocker in blockers):
            cause = f"waits for '{job['after']}', which was submitted later"
        # the jobs before it are already decided
        for blocker in blockers if not cause else ():
            if blocker >= first and why[blocker - first]:
                cause = f"waits for job {waiting['id'][blocker - first]}, which cannot start"
                break
        why.append(cause)
        after += [(place, blocker) for blocker in blockers]
    return why, after


def _places(ids: list[str]) -> Mapping[str, list[int]]:
    """Return the places of every job, every task, and all tasks of every array."""
    by_name: dict[str, list[int]] = {}
    for place, name in enumerate(ids):
        by_name.setdefault(name, []).append(place)
        if "_" in name:
            by_name.setdefault(name.partition("_")[0], []).append(place)
    return by_name

"""A site's present queue: read, and converted to a state that can be simulated."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_unpacked
from schedlab.queue.forecast import QueueState
from schedlab.traces.content import name_binary, read_head
from schedlab.traces.dependencies import depends_on
from schedlab.traces.slurm.pending_reasons import classify_reason
from schedlab.traces.slurm.queue_entries import (
    HOLDING,
    MOST_PROCESSORS,
    QueueError,
    QueueFile,
)
from schedlab.traces.slurm.sacct_limits import YEAR
from schedlab.traces.slurm.sinfo_text import read_sinfo_text
from schedlab.traces.slurm.slurm_json import is_json, read_nodes_json, read_squeue_json
from schedlab.traces.slurm.squeue_text import read_squeue_text
from schedlab.traces.swf_queue import read_swf_queue
from schedlab.workbench.usable_nodes import partition_sizes, usable_processors


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
    jobs : pandas.DataFrame, shape (w, 7)
        id, user, partition, procs, limit, priority (-1: none) and held_by of the waiting jobs, in
        the order of `standing`. `held_by` is a limit, which is ignored here, or empty.
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
    for path in (queue, machine):
        if binary := name_binary(read_head(path)):
            raise QueueError(f"{path}: {binary}")
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
    if (again := entries["id"].duplicated()).any():
        notes.append(f"jobs: {int(again.sum())} are listed again: only their first lines count")
        entries = entries[~again]
    if partition is not None:
        entries, nodes = _of(partition, entries, nodes, (queue, machine), notes)
    if not len(entries):
        raise QueueError(f"{queue}: no job runs and none waits; write it when there are jobs")
    entries = _plan_times(entries, source.now, notes)
    runs = entries["state"].isin(HOLDING)
    sizes: dict[str, int] = {}
    if processors is None:
        sizes = partition_sizes(nodes)
        processors, leaving = usable_processors(nodes, entries[runs], (queue, machine), notes)
        entries["procs"] = entries["procs"].sub(leaving, fill_value=0).astype("int64")
    elif nodes is not None:
        sizes = nodes.groupby("partition")["total"].sum().to_dict()
    busy = int(entries.loc[runs, "procs"].sum())
    if busy > processors:
        raise QueueError(
            f"{queue}: field CPUS: {busy} processors are in use, but {machine} has {processors}; "
            "write both files at the same time and of the same partitions, or give --processors"
        )
    if processors > MOST_PROCESSORS:
        raise QueueError(
            f"{machine}: {processors:,} processors, must be at most {MOST_PROCESSORS:,}; give "
            "--processors"
        )
    if partition is None and nodes is not None and nodes["partition"].nunique() > 1:
        names = ", ".join(sorted(nodes["partition"].unique()))
        notes.append(f"partitions: {names} are taken as one pool; --partition takes one alone")
    return _build_queue(source, entries, runs, processors, sizes, notes)


def _is_squeue(*paths: str | os.PathLike[str]) -> bool:
    """Return whether the files are from squeue and sinfo, and not logs of running and waiting jobs.

    The first file that is not empty decides, by its first line that is no comment, because a log's
    header may contain bars: a log has numbers there.
    """
    for content in map(read_unpacked, paths):
        if content.strip():
            lines = (line.strip() for line in content.splitlines())
            first = next((line for line in lines if line and not line.startswith(b";")), b"")
            is_log = not first or re.match(rb"[-+.\d]+\s+[-+.\d]+\s", first + b"\n")
            return not is_log
    return True


def _of(
    partition: str,
    entries: pd.DataFrame,
    nodes: pd.DataFrame | None,
    paths: tuple,
    notes: list[str],
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the jobs and nodes of one partition, and a note on components in other ones."""
    mine = entries["partition"].str.split(",").map(lambda names: partition in names).astype(bool)
    leaders = entries["id"].str.extract(r"^(\d+)\+")[0]
    if parted := len({*leaders[mine].dropna()} & {*leaders[~mine].dropna()}):
        notes.append(
            f"heterogeneous jobs: {parted} have components in other partitions: these are left out"
        )
    if nodes is not None:
        if not (nodes["partition"] == partition).any():
            raise QueueError(
                f"{paths[1]}: field PARTITION: no '{partition}' in it; it has "
                f"{', '.join(sorted(nodes['partition'].unique()))}"
            )
        nodes = nodes[nodes["partition"] == partition]
    return entries[mine], nodes


def _plan_times(entries: pd.DataFrame, now: int, notes: list[str]) -> pd.DataFrame:
    """Return entries with a time limit each, and with the begin time for a later submission."""
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
    runs = entries["state"] == "running"
    if past := int((runs & (entries["start"] + entries["limit"] <= now)).sum()):
        notes.append(
            f"time limits: {past} of {int((runs | ends).sum())} running jobs have exceeded their "
            "limit: taken as over in a second"
        )
    return entries


def _build_queue(
    source: QueueFile,
    entries: pd.DataFrame,
    runs: pd.Series,
    processors: int,
    sizes: Mapping[str, int],
    notes: list[str],
) -> QueueNow:
    now = source.now
    entries = entries.assign(also=entries["id"].map(other_names))
    running = sorted_entries(
        entries[runs].assign(submit=lambda rows: rows[["submit", "start"]].min(axis=1))
    )
    waiting = entries[~runs]
    kinds = waiting["reason"].map(classify_reason)
    waiting = waiting.assign(
        why=[why_never(job, sizes) for job in waiting.to_dict("records")],
        held_by=[reason if kind == "limit" else "" for kind, reason in kinds],
        unknown=[reason if kind == "unknown" else "" for kind, reason in kinds],
    )
    waiting = sorted_entries(_release(running, _join_components(sorted_entries(waiting), notes)))
    why, after = why_stuck(running, waiting, processors)
    free = np.array([not cause for cause in why], dtype=bool)
    stuck = pd.DataFrame({"id": waiting["id"], "why": why})[~free].reset_index(drop=True)
    # places among the remaining jobs; a job that leaves with all its processors has none
    stays = (running["procs"] > 0).to_numpy()
    place = np.cumsum(np.r_[stays, free]) - 1
    pairs = [
        (place[job], place[blocker])
        for job, blocker in after
        if free[job - len(running)] and (blocker >= len(running) or stays[blocker])
    ]
    running = running[stays].reset_index(drop=True)
    waiting = waiting[free].reset_index(drop=True)
    if len(names := waiting.loc[waiting["unknown"] != "", "unknown"]):
        notes.append(
            f"reasons: {len(names)} of {len(waiting)} jobs wait for a reason that schedlab does "
            f"not know ({', '.join(names.unique()[:5])}): taken as able to start"
        )
    without = waiting["priority"] < 0
    if without.any() and not without.all():
        notes.append(
            f"priorities: {int(without.sum())} of {len(waiting)} jobs have none: the site's order "
            "is not predicted"
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
    columns = waiting[["id", "user", "partition", "procs", "limit", "priority", "held_by"]]
    return QueueNow(source, standing, origin, columns, stuck, tuple(notes) + source.notes)


def sorted_entries(entries: pd.DataFrame) -> pd.DataFrame:
    """Return entries by submission, then by their ids."""
    parts = entries["id"].str.extract(r"^(\d+)(?:\D+(\d+))?").fillna("0").astype("int64")
    keys = entries.assign(one=parts[0], two=parts[1])
    ordered = keys.sort_values(["submit", "one", "two"], kind="stable")
    return ordered.drop(columns=["one", "two"]).reset_index(drop=True)


def _jobs(entries: pd.DataFrame, origin: int, latest: int | None) -> Jobs:
    submit = entries["submit"] if latest is None else entries["submit"].clip(upper=latest)
    limit = entries["limit"]
    return Jobs(np.arange(len(entries)), submit - origin, limit, limit, entries["procs"])


def other_names(name: str) -> list[str]:
    """Return further ids of a task or a component; components follow the whole job's id."""
    leader, plus, offset = name.partition("+")
    if plus:
        return list(dict.fromkeys([leader, str(int(leader) + int(offset))]))
    return [name.partition("_")[0]] if "_" in name else []


def _join_components(waiting: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Return entries in which the components of a job, which start together, are one."""
    is_component = waiting["id"].str.contains("+", regex=False)
    if not is_component.any():
        return waiting

    def first(texts: pd.Series) -> str:
        return next(filter(None, texts), "")

    def joined(texts: pd.Series) -> str:
        return ",".join(dict.fromkeys(filter(None, texts)))

    rules = dict.fromkeys(waiting.columns, "first") | {
        **{"procs": "sum", "limit": "max", "begin": "max", "also": "sum"},
        **{"why": first, "held_by": first, "unknown": first, "partition": joined, "after": joined},
    }
    components = waiting[is_component]
    leader = components["id"].str.partition("+")[0].rename("leader")
    groups = components.groupby(leader, sort=False)
    if several := int((groups["limit"].nunique() > 1).sum()):
        notes.append(
            f"heterogeneous jobs: {several} of {len(groups)} have components with other limits: "
            "taken as long as their longest"
        )
    jobs = groups.agg(rules).assign(id=lambda rows: rows.index)
    return pd.concat([waiting[~is_component], jobs], ignore_index=True)


def _release(running: pd.DataFrame, waiting: pd.DataFrame) -> pd.DataFrame:
    """Let jobs that depend on a job that leaves with its nodes come when that one ends."""
    ends = (running["start"] + running["limit"]).where(running["procs"] == 0)
    if ends.isna().all():
        return waiting
    places = places_of(running, waiting)
    release = [
        max([ends[job] for job in depends_on(after, places)[0] if job < len(running)], default=0)
        for after in waiting["after"]
    ]
    return waiting.assign(submit=np.fmax(waiting["submit"], release).astype("int64"))


def why_never(job: Mapping, sizes: Mapping[str, int]) -> str:
    """Return why a job or component cannot start by itself; empty if it can."""
    kind, words = classify_reason(job["reason"])
    if kind == "never":
        return words
    if job["state"] == "suspended":
        return "suspended"
    if job["state"] == "held":
        return "held since its requeue"
    if job["priority"] == 0:
        return "held (its priority is 0)"
    partitions = job["partition"].split(",")
    if sizes.keys() >= set(partitions):
        size = max(sizes[name] for name in partitions)
        if job["procs"] > size and len(sizes) > 1:
            return f"needs {job['procs']} processors, its partition has {size}"
    return ""


def why_stuck(
    running: pd.DataFrame, waiting: pd.DataFrame, processors: int
) -> tuple[list[str], list[tuple[int, int]]]:
    """Return why waiting jobs cannot start (empty if they can), and pairs of dependent jobs."""
    places = places_of(running, waiting)
    first, why, after = len(running), [], []
    for place, job in enumerate(waiting.to_dict("records"), first):
        cause = job["why"]
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


def places_of(running: pd.DataFrame, waiting: pd.DataFrame) -> Mapping[str, list[int]]:
    """Return the places of jobs by their ids, and by all other names for them."""
    by_name: dict[str, list[int]] = {}
    names = pd.concat([running[["id", "also"]], waiting[["id", "also"]]])
    for place, (name, also) in enumerate(zip(names["id"], names["also"], strict=True)):
        for each in {name, *also}:
            by_name.setdefault(each, []).append(place)
    return by_name

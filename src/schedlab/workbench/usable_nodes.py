"""Processors of a site's nodes on which waiting jobs can start, and those that leave with a job."""

from itertools import islice

import pandas as pd

from schedlab.traces.machine_size import MOST_NODES, expand_nodes
from schedlab.traces.slurm.queue_entries import QueueError
from schedlab.traces.slurm.sinfo_text import is_closed

#: how many nodes and jobs a note names
NAMED = 5
#: texts of a list of nodes that is unknown
NO_NODES = ("", "(null)", "N/A")


def open_nodes(nodes: pd.DataFrame) -> pd.Series:
    """Return which rows are of nodes that take jobs."""
    return ~nodes["state"].map(is_closed).astype(bool)


def partition_sizes(nodes: pd.DataFrame) -> dict[str, int]:
    """Return the processors of each partition's open nodes."""
    sizes = (nodes["idle"] + nodes["used"]).where(open_nodes(nodes), 0)
    return sizes.groupby(nodes["partition"]).sum().to_dict()


def usable_processors(
    nodes: pd.DataFrame, running: pd.DataFrame, paths: tuple, notes: list[str]
) -> tuple[int, pd.Series]:
    """Return the size of the machine, and how many processors of each running job leave it.

    A closed node leaves when the jobs on it end. Each node counts once.
    """
    once = nodes.drop_duplicates("name")
    if not len(once):
        raise QueueError(f"{paths[1]}: there is no node in it; write it again")
    is_open = open_nodes(once)
    partitions = nodes.groupby("name")["partition"].agg(set).to_dict()
    leaving = _leaving(running, once[~is_open], partitions, paths[0])
    if not is_open.all():
        notes.append(_note(once, once[~is_open], running, leaving))
    used = int(once.loc[is_open, "used"].sum())
    foreign = max(used - int((running["procs"] - leaving).sum()), 0)
    if foreign:
        notes.append(
            f"processors: {foreign} are in use by jobs that are not in the queue that was read: "
            "taken as never free"
        )
    return int(once.loc[is_open, "idle"].sum()) + used - foreign, leaving


def _leaving(
    running: pd.DataFrame, closed: pd.DataFrame, partitions: dict[str, set[str]], path: object
) -> pd.Series:
    """Return how many processors of each running job are on closed nodes.

    Jobs that only have this node come before wider ones, and these before jobs of unknown nodes,
    which may be on any of their partition. Among equals, the first choice is one that has as many
    processors as the node has in use, then those that end first, so that the machine is never too
    large.
    """
    busy = closed[closed["used"] > 0]
    used = dict(zip(busy["name"], busy["used"], strict=True))
    ends = (running["start"] + running["limit"]).sort_values(kind="stable").index if used else ()
    jobs_by_node: dict[str, list] = {node: [] for node in used}
    is_wide = {}
    for job in ends:
        text, queues = running.at[job, "nodes"], running.at[job, "partition"].split(",")
        if text in NO_NODES:
            names = {node for node in used if not partitions[node].isdisjoint(queues)}
        else:
            try:
                names = set(islice(expand_nodes(text), MOST_NODES))
            except ValueError as error:
                raise QueueError(f"{path}: job {running.at[job, 'id']}: nodes {error}") from None
            is_wide[job] = len(names) > 1
        for node in names & used.keys():
            jobs_by_node[node].append(job)
    staying = running["procs"].to_dict()
    for node, count in used.items():
        for job in sorted(
            jobs_by_node[node],
            key=lambda job: (is_wide.get(job, 2), staying[job] != used[node]),
        ):
            share = min(staying[job], count)
            staying[job] -= share
            count -= share
    return running["procs"] - pd.Series(staying, index=running.index, dtype="int64")


def _note(
    nodes: pd.DataFrame, closed: pd.DataFrame, running: pd.DataFrame, leaving: pd.Series
) -> str:
    """Return a note that names closed nodes with their states, and the jobs on them."""
    states = [
        f"{_names(names)}: {state or 'no state'}"
        for state, names in closed.groupby("state", sort=False)["name"]
    ]
    note = f"nodes: {len(closed)} of {len(nodes)} take no jobs ({'; '.join(states)})"
    if not closed["used"].any():
        return note
    jobs = running[leaving > 0]
    those = f"jobs {_names(jobs['id'])} end" if len(jobs) else "the jobs there end"
    note += f"; {closed['used'].sum()} processors in use on them leave when {those}"
    if jobs["nodes"].isin(NO_NODES).any():
        note += " (assumed by size and end: the list of jobs has no nodes)"
    return note


def _names(names: pd.Series) -> str:
    more = [f"{len(names) - NAMED:,} more"] if len(names) > NAMED else []
    return ", ".join([*names.head(NAMED), *more])

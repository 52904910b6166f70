"""The nodes on which the jobs of a log ran, by its record (Slurm's NodeList)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.requests import RAN_ON
from schedlab.traces.slurm.hostlist import expand

if TYPE_CHECKING:
    from schedlab.core.machine import Machine
    from schedlab.workbench.log import Log


@dataclass(frozen=True, eq=False)
class Record:
    """Recorded use of a machine: a value for each node of each job that started.

    `node` is its place in `Machine.names`, -1 for nodes that the machine does not have. `begin` and
    `end` are seconds, `job` is the place in the log. `share` is the share of jobs with a recorded
    start whose nodes are known, `names` are those that the machine does not have, by job.
    """

    nodes: int
    job: np.ndarray
    node: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    share: float
    names: dict[int, str]

    def used(self, begin: int, end: int) -> np.ndarray:
        """Return for how many seconds each node was in use in a span; float, shape (nodes,)."""
        inside = np.minimum(self.end, end) - np.maximum(self.begin, begin)
        counts = (inside > 0) & (self.node >= 0)
        return np.bincount(self.node[counts], inside[counts], self.nodes)


def record_of(log: Log, machine: Machine) -> Record | None:
    """Return the recorded use of a machine's nodes; None if the log has no nodes of jobs."""
    if RAN_ON not in log.frame:
        return None
    lists = log.frame[RAN_ON].astype("category").cat
    place = {name: number for number, name in enumerate(machine.names)}
    # many jobs have the same text, which is read once
    names = [expand(text) if text else [] for text in lists.categories.astype(str)]
    places = [np.array([place.get(name, -1) for name in each], dtype=np.int64) for each in names]
    places.append(np.empty(0, dtype=np.int64))  # of missing texts, whose code is -1
    length = np.array([len(each) for each in places])
    code, wait = lists.codes.to_numpy(), log.frame["wait"].to_numpy()
    started = wait >= 0
    count = np.where(started, length[code], 0)
    job = np.repeat(np.arange(len(log)), count)
    within = np.arange(len(job)) - np.repeat(np.cumsum(count) - count, count)
    first = np.cumsum(length) - length
    node = np.concatenate(places)[first[code[job]] + within]
    start = log.jobs.submit + wait
    unknown = np.flatnonzero(node < 0)
    return Record(
        len(machine),
        *(job, node, start[job], (start + log.jobs.runtime)[job]),
        float((count[started] > 0).mean()) if started.any() else 0.0,
        {int(job[at]): names[code[job[at]]][within[at]] for at in unknown[::-1].tolist()},
    )

"""Pools of a site: nodes that partitions share, with the jobs that ran on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.machine import amount

if TYPE_CHECKING:
    from schedlab.core.machine import Machine
    from schedlab.core.slurm_site import Site
    from schedlab.workbench.site_results import SiteResult


@dataclass(frozen=True, eq=False)
class Pool:
    """Nodes that partitions share, and their n jobs with recorded waits.

    `places` are places of nodes. `size` is how many nodes a job uses: the largest share that it has
    of processors, memory or generic resources. `start` is as recorded.
    """

    partitions: tuple[str, ...]
    places: tuple[int, ...]
    by_kind: tuple[int, ...]
    number: np.ndarray
    user: np.ndarray
    submit: np.ndarray
    runtime: np.ndarray
    limit: np.ndarray
    size: np.ndarray
    start: np.ndarray
    simulated: np.ndarray
    is_site: bool = False

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.places)

    @classmethod
    def of_site(cls, pools: Sequence[Pool]) -> Pool:
        """Return all nodes and jobs of several pools as one."""
        names = ("partitions", "places", "by_kind")
        texts = {name: tuple(chain(*(getattr(pool, name) for pool in pools))) for name in names}
        columns = {
            each.name: np.concatenate([getattr(pool, each.name) for pool in pools])
            for each in fields(cls)
            if each.name not in (*names, "is_site")
        }
        return cls(**texts, **columns, is_site=True)


def pools_of(result: SiteResult) -> Iterator[Pool]:
    """Yield the pools of a site that have jobs with recorded waits."""
    site, jobs = result.site, result.log.jobs
    assert site is not None
    machine = site.machine
    group = groups_of(machine)
    first = _first_nodes(result)
    size = sizes_of(result, site, first)
    wait = result.log.frame["wait"].to_numpy()
    user = pd.factorize(result.schedule.extras["jobs"]["user"])[0]
    for number in range(int(group.max(initial=-1)) + 1):
        places = np.flatnonzero(group == number)
        chosen = np.flatnonzero((group[first] == number) & (wait >= 0))
        if not len(chosen):
            continue
        part = jobs.take(chosen)
        inside = set(places.tolist())
        names = tuple(each.name for each in machine.partitions if inside & set(each.nodes))
        yield Pool(
            names,
            tuple(places.tolist()),
            _by_kind(machine, places),
            part.number,
            user[chosen],
            part.submit,
            part.runtime,
            part.estimate,
            size[chosen],
            part.submit + wait[chosen],
            result.schedule.start[chosen],
        )


def groups_of(machine: Machine) -> np.ndarray:
    """Return the number of each node's pool; -1 for nodes of no partition."""
    group = np.full(len(machine), -1)
    if not machine.partitions:
        return np.zeros(len(machine), dtype=np.int64)
    for number, partition in enumerate(machine.partitions):
        places = list(partition.nodes)
        joined = np.unique(group[places])
        group[np.isin(group, joined[joined >= 0])] = number
        group[places] = number
    known = group >= 0
    group[known] = np.unique(group[known], return_inverse=True)[1]
    return group


def sizes_of(result: SiteResult, site: Site, first: np.ndarray) -> np.ndarray:
    """Return how many nodes each job uses, by the kind of its first node in the simulation."""
    machine, had = site.machine, result.schedule.extras["jobs"]
    kind = machine.kind[first]
    columns = [
        name
        for name in had.select_dtypes("integer")
        if name != "node" and (name != "mem" or site.memory_counts) and name != "requeued"
    ]
    size = np.zeros(len(had))
    for name in columns:
        most = np.array([amount(each, name) for each in machine.kinds], dtype=float)[kind]
        size = np.maximum(size, np.divide(had[name], most, out=np.zeros(len(had)), where=most > 0))
    nodes = had["node"].to_numpy(dtype=float)
    return np.where(nodes > 0, np.minimum(size, nodes), size)


def _first_nodes(result: SiteResult) -> np.ndarray:
    """Return the first node of each job in the simulation."""
    job, node, _ = result.schedule.extras["nodes"].T
    first = np.zeros(len(result.log), dtype=np.int64)
    first[job[::-1]] = node[::-1]
    return first


def _by_kind(machine: Machine, places: np.ndarray) -> tuple[int, ...]:
    """Return nodes, last ones first, those of the kind with most nodes first."""
    counts = np.bincount(machine.kind[places], minlength=len(machine.kinds))
    order = np.lexsort((-places, -counts[machine.kind[places]]))
    return tuple(places[order].tolist())

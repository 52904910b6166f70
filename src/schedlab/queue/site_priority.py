"""What does not change of priorities, and weights of usage, as arrays for the kernel.

The fixed part of a pair's priority is of its size, partition, QOS, association, TRES and nice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.machine import amount
from schedlab.core.slurm_site import MINUTE
from schedlab.queue.site_limits import CPU, FIRST_GRES, NODES, amount_places
from schedlab.queue.site_requests import ALL_MEMORY, PER_CPU

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.core.machine import Machine
    from schedlab.core.slurm_site import Site


def node_gres(machine: Machine, names: Sequence[str]) -> np.ndarray:
    """Return how much each node has of each generic resource."""
    of_kind = [[amount(kind, name) for name in names] for kind in machine.kinds]
    shape = len(machine.kinds), len(names)
    return np.array(of_kind, dtype=np.int64).reshape(shape)[machine.kind]


def members_of(machine: Machine) -> np.ndarray:
    """Return the nodes of each partition as rows of bool."""
    members = np.zeros((len(machine.partitions), len(machine)), dtype=bool)
    for row, partition in zip(members, machine.partitions, strict=True):
        row[list(partition.nodes)] = True
    return members


def billing_of(machine: Machine, names: Sequence[str]) -> np.ndarray:
    """Return the weight of each amount of a job for usage, by partition; default: processors."""
    places = amount_places(names)
    billing = np.zeros((len(machine.partitions), FIRST_GRES + len(names)))
    for row, partition in zip(billing, machine.partitions, strict=True):
        for tres, weight in (partition.billing or {"cpu": 1.0}).items():
            if (place := places.get(tres.casefold())) is not None:
                row[place] = weight
    return billing


def requested(site: Site, numbers: np.ndarray, class_gres: np.ndarray) -> np.ndarray:
    """Return the amounts that each class of requests asks for."""
    nodes, cpus, memory, mode = numbers[:, 1], numbers[:, 3], numbers[:, 5], numbers[:, 6]
    whole = max(kind.memory or 0 for kind in site.machine.kinds)
    asked = np.where(mode == PER_CPU, memory * cpus, memory * nodes)
    asked = np.where(mode == ALL_MEMORY, whole * nodes, asked)
    return np.column_stack([np.ones_like(nodes), cpus, asked, nodes, class_gres * nodes[:, None]])


def fixed_points(
    site: Site,
    names: Sequence[str],
    asked: np.ndarray,
    place: np.ndarray,
    qos: Sequence[str],
    association: np.ndarray,
    limit: np.ndarray,
) -> np.ndarray:
    """Return the fixed part of the priority of each pair, without nice.

    Parameters
    ----------
    site, names :
        The site and its generic resources.
    asked : ndarray of shape (pairs, amounts)
        As from `requested`.
    place, association, limit : ndarray of shape (pairs,)
        Partition, association, and time limit in seconds.
    qos : sequence of str
        Name of each pair's QOS.
    """
    weights, machine = site.priorities, site.machine
    if not weights.multifactor or not len(asked):
        return np.zeros(len(asked))
    flags = {flag.upper() for flag in weights.flags}

    def factor(values: Sequence[int], flag: str) -> np.ndarray:
        """Return values relative to the largest, unless a flag asks for raw ones."""
        top = max(values, default=0)
        is_raw = top <= 0 or not flags.isdisjoint({"NO_NORMAL_ALL", flag})
        return np.array(values, dtype=float) / (1 if is_raw else top)

    total = weights.jobsize * _size(site, asked, limit, flags)
    of_partition = factor([each.job_factor for each in machine.partitions], "NO_NORMAL_PART")
    total += weights.partition * of_partition[place]
    of_qos = dict(
        zip(
            [each.name for each in site.qos],
            factor([each.priority for each in site.qos], "NO_NORMAL_QOS").tolist(),
            strict=True,
        )
    )
    total += weights.qos * np.array([of_qos.get(name, 0.0) for name in qos])
    levels = factor([each.priority for each in site.associations], "NO_NORMAL_ASSOC")
    total += weights.assoc * levels[association]
    kinds = [[0, kind.cpus, kind.memory or 0, 1] for kind in machine.kinds]
    per_node = np.hstack([np.array(kinds)[machine.kind], node_gres(machine, names)])
    totals = members_of(machine).astype(np.int64) @ per_node
    if not flags.isdisjoint({"NO_NORMAL_ALL", "NO_NORMAL_TRES"}):
        totals[:] = 1
    places = amount_places(names)
    for tres, weight in weights.tres.items():
        column = places.get(tres.casefold())
        if column is not None:
            total += weight * asked[:, column] / np.maximum(totals[place, column], 1)
    return np.asarray(total)


def _size(site: Site, asked: np.ndarray, limit: np.ndarray, flags: set[str]) -> np.ndarray:
    """Return the factor of a job's size: its part of nodes and processors, or of both by time."""
    nodes, cpus = asked[:, NODES], asked[:, CPU]
    every, processors = len(site.machine), site.machine.processors
    if "SMALL_RELATIVE_TO_TIME" in flags:
        minutes = limit // MINUTE
        size = np.maximum(nodes * processors / every, cpus) / minutes / processors
    else:
        size = (nodes / every + cpus / processors) / 2
    size = np.clip(size, 0, 1)
    return np.asarray(1 - size if site.priorities.favor_small else size)

"""Clusters that a job fits on, its distribution over their nodes, and why it fits on none."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from schedlab.core.machine import Machine
from schedlab.planning.machine import clusters_of
from schedlab.planning.requests import Requests
from schedlab.planning.settings import Limits, Planning

#: columns of `spreads` for a job on a cluster
SPREAD = ("nodes", "more", "few", "whole", "ram")


class Refusal(NamedTuple):
    """Reason why a job can run on no cluster.

    `place` is that of the job in the requests. `field` and `value` are the reason; `why` are the
    words that follow them.
    """

    place: int
    number: int
    field: str
    value: int
    why: str


def spreads(requests: Requests, machine: Machine) -> np.ndarray:
    """Return how each job is distributed over the nodes of each cluster.

    A job uses as many nodes as it requests, or as few as have the processors and, in equal shares,
    the memory, whichever is more. It never uses more nodes than it has processors. Its processors
    are distributed as evenly as possible. On a cluster without memory accounting it uses no
    memory. The result is int64, shape (n, m, 5), for n jobs and m clusters:

    - ``nodes``: number of nodes; 0 if it does not fit on this cluster.
    - ``more``: processors on the first nodes; ``few``: number of nodes with that many, the others
      have one less.
    - ``whole``: whether it requests whole nodes; ``ram``: KB on each node.
    """
    procs, spreads_by_cluster = requests.jobs.procs, []
    for cluster in clusters_of(machine):
        cpus, ram = cluster.kind.cpus, cluster.kind.memory
        memory = requests.memory if ram is not None else np.zeros_like(requests.memory)
        nodes = np.maximum(requests.nodes, -(-procs // cpus))
        nodes = np.maximum(nodes, -(-memory // (ram or 1)))
        fits = nodes <= np.minimum(procs, cluster.nodes)
        nodes = np.where(fits, nodes, 1)
        rest = procs % nodes
        columns = (
            np.where(fits, nodes, 0),
            procs // nodes + (rest > 0),
            np.where(rest > 0, rest, nodes),
            requests.exclusive,
            -(-memory // nodes),
        )
        spreads_by_cluster.append(np.stack([column.astype(np.int64) for column in columns], axis=1))
    return np.ascontiguousarray(np.stack(spreads_by_cluster, axis=1))


def long_most(machine: Machine, limits: Limits) -> np.ndarray:
    """Return the processors of each cluster that long jobs may use together, int32."""
    return np.array(
        [limits.long_most(cluster.processors) for cluster in clusters_of(machine)], dtype=np.int32
    )


def fitting(
    requests: Requests, machine: Machine, settings: Planning
) -> tuple[np.ndarray, list[Refusal]]:
    """Return the clusters on which each job can ever run, and why some jobs can run on none.

    Clusters are uint64, shape (n,), with bit c for the c-th.
    """
    jobs, limits, clusters = requests.jobs, settings.limits, clusters_of(machine)
    bits = np.uint64(1) << np.arange(len(clusters), dtype=np.uint64)
    sizes = ", ".join(f"{cluster.name} {cluster.processors}" for cluster in clusters)
    is_long = (
        np.zeros(len(jobs), dtype=bool) if limits.long is None else jobs.estimate > limits.long
    )
    tests: list[tuple[str, np.ndarray, np.ndarray, str]] = [
        ("clusters", requests.clusters, (requests.clusters[:, None] & bits) > 0, "names none"),
        (
            "procs",
            jobs.procs,
            jobs.procs[:, None] <= [cluster.processors for cluster in clusters],
            f"is more than any cluster has that the job may use ({sizes})",
        ),
        (
            "procs",
            jobs.procs,
            np.repeat(jobs.procs[:, None] <= (limits.user or jobs.procs[:, None]), len(bits), 1),
            f"is more than a user may hold ({limits.user})",
        ),
        (
            "procs",
            jobs.procs,
            ~is_long[:, None] | (jobs.procs[:, None] <= long_most(machine, limits)),
            f"is more than the {limits.share} of a cluster that jobs of more than {limits.long} s "
            "may hold",
        ),
    ]
    if settings.mode == "nodes":
        spread = spreads(requests, machine)[:, :, 0] > 0
        without_memory = replace(requests, memory=np.zeros_like(requests.memory))
        by_nodes = spreads(without_memory, machine)[:, :, 0] > 0
        tests += [
            ("nodes", requests.nodes, by_nodes, "cannot be had of any cluster for its processors"),
            ("memory", requests.memory, spread, "KB fit in the nodes of no cluster"),
        ]
    allowed, refused = np.ones((len(jobs), len(bits)), dtype=bool), []
    for field, values, fits, why in tests:
        could = allowed.any(axis=1)
        allowed &= fits
        for place in np.flatnonzero(could & ~allowed.any(axis=1)):
            row = int(place), int(jobs.number[place]), field, int(values[place]), why
            refused.append(Refusal(*row))
    return (allowed * bits).sum(axis=1, dtype=np.uint64), refused

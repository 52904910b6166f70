"""Clusters that are planned, each separately."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from schedlab.core.machine import Cluster, Machine, NodeKind

#: largest number of clusters in the kernel
MOST_CLUSTERS = 64
#: largest number of processors of a cluster in the kernel
MOST_CPUS = 2**31 - 2


def clusters_of(machine: Machine) -> tuple[Cluster, ...]:
    """Return the clusters of a machine, each with a separate plan.

    If a job could start equally early on two clusters, it is planned on the first. Raises
    ValueError if there are too many clusters or processors for the kernel.
    """
    clusters = machine.clusters
    if len(clusters) > MOST_CLUSTERS:
        raise ValueError(f"the machine has {len(clusters)} clusters, at most {MOST_CLUSTERS}")
    for cluster in clusters:
        if cluster.processors > MOST_CPUS:
            raise ValueError(
                f"cluster {cluster.name}: {cluster.processors} processors, at most {MOST_CPUS}"
            )
    return clusters


def machine_of(table: pd.DataFrame | Sequence[Mapping[str, Any]]) -> Machine:
    """Return the machine of a table: ``cluster``, ``nodes``, ``cpus``, optionally ``ram`` (KB).

    The rows may also be given as a list of mappings.
    Raises ValueError if a column is missing, or a cluster is out of range.
    """
    table = pd.DataFrame(table)
    if lacking := {"cluster", "nodes", "cpus"} - set(table):
        raise ValueError(f"table of clusters: no column {', '.join(sorted(lacking))}")
    ram = table["ram"] if "ram" in table else [None] * len(table)
    clusters = []
    for name, nodes, cpus, size in zip(
        table["cluster"], table["nodes"], table["cpus"], ram, strict=True
    ):
        try:
            kind = NodeKind(int(cpus), None if pd.isna(size) else int(size))
        except ValueError as error:
            raise ValueError(f"cluster {name}: {error}") from error
        clusters.append(Cluster(str(name), int(nodes), kind))
    return Machine.of_clusters(*clusters)

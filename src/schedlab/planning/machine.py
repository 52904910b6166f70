"""Clusters of nodes with processors and memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pandas as pd

#: largest number of clusters in the kernel
MOST_CLUSTERS = 64
#: largest number of processors in the kernel
MOST_CPUS = 2**31 - 2


@dataclass(frozen=True)
class Cluster:
    """Identical nodes with `cpus` processors and `ram` KB each; None if memory is not counted.

    Raises ValueError, with cluster and field, if a number is below 1, or there are too many
    processors for the kernel.
    """

    name: str
    nodes: int
    cpus: int
    ram: int | None = None

    def __post_init__(self) -> None:
        for field in ("nodes", "cpus", "ram"):
            value = getattr(self, field)
            if value is not None and value < 1:
                raise ValueError(f"cluster {self.name}: {field} is {value}, must be at least 1")
        if self.processors > MOST_CPUS:
            raise ValueError(
                f"cluster {self.name}: {self.nodes} nodes of {self.cpus} cpus are "
                f"{self.processors} processors, must be at most {MOST_CPUS}"
            )

    @property
    def processors(self) -> int:
        """Processors of all nodes."""
        return self.nodes * self.cpus

    @property
    def memory(self) -> int | None:
        """Memory of all nodes in KB."""
        return None if self.ram is None else self.nodes * self.ram


@dataclass(frozen=True)
class Machine:
    """Clusters, each with a separate plan.

    If a job could start equally early on two clusters, it is planned on the first. Raises
    ValueError if there is no cluster, there are too many, or two have the same name.

    Examples
    --------
    The machine of the log wagap-2013:

    >>> machine = Machine(
    ...     (Cluster("zewura", 20, 80, 529_426_432), Cluster("zegox", 48, 12, 94_035_968))
    ... )
    >>> machine.processors, machine.memory
    (2176, 15102255104)
    """

    clusters: tuple[Cluster, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.clusters) <= MOST_CLUSTERS:
            raise ValueError(
                f"the machine has {len(self.clusters)} clusters, must have 1 to {MOST_CLUSTERS}"
            )
        names = [cluster.name for cluster in self.clusters]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"cluster {name}: two clusters have this name")

    @classmethod
    def plain(cls, processors: int, name: str = "all") -> Self:
        """Return one cluster whose nodes have one processor each and memory that is not counted."""
        return cls((Cluster(name, processors, 1),))

    @classmethod
    def from_table(cls, table: pd.DataFrame | Sequence[Mapping[str, Any]]) -> Self:
        """Return the machine of a table: ``cluster``, ``nodes``, ``cpus``, optionally ``ram`` (KB).

        The rows may also be given as a list of mappings.
        Raises ValueError if a column is missing, or a cluster is out of range.
        """
        table = pd.DataFrame(table)
        if lacking := {"cluster", "nodes", "cpus"} - set(table):
            raise ValueError(f"table of clusters: no column {', '.join(sorted(lacking))}")
        ram = table["ram"] if "ram" in table else [None] * len(table)
        return cls(
            tuple(
                Cluster(str(name), int(nodes), int(cpus), None if pd.isna(size) else int(size))
                for name, nodes, cpus, size in zip(
                    table["cluster"], table["nodes"], table["cpus"], ram, strict=True
                )
            )
        )

    @property
    def processors(self) -> int:
        """Processors of all clusters."""
        return sum(cluster.processors for cluster in self.clusters)

    @property
    def memory(self) -> int | None:
        """Memory of all clusters in KB; None if it is unknown for one of them."""
        sizes = [cluster.memory for cluster in self.clusters]
        known = [size for size in sizes if size is not None]
        return sum(known) if len(known) == len(sizes) else None

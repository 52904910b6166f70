"""The machine: kinds of nodes, partitions, and what changes over time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class NodeKind:
    """Nodes that differ in nothing.

    `memory` is what jobs can have, in the unit in which they request it: MB in Slurm, KB in
    planning; None: memory is not counted. `gres` counts generic resources by name, ``{"gpu": 2}``,
    or with a type, ``{"gpu:v100": 2}``. Slurm allocates nodes of a smaller `weight` first, and
    whole cores of `threads` processors each. Co-scheduling divides `sockets`.

    Raises ValueError, with the field, if a number is below its least value.
    """

    cpus: int
    memory: int | None = None
    gres: Mapping[str, int] = field(default_factory=dict)
    features: frozenset[str] = frozenset()
    weight: int = 1
    threads: int = 1
    sockets: int = 1

    def __post_init__(self) -> None:
        least_of = {"cpus": 1, "memory": 1, "weight": 0, "threads": 1, "sockets": 1}
        for name, least in least_of.items():
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"node: {name} is {value}, must be at least {least}")

    def key(self) -> tuple[object, ...]:
        """Return what two equal kinds have in common, hashable."""
        gres = tuple(sorted(self.gres.items()))
        return self.cpus, self.memory, gres, self.features, self.weight, self.threads, self.sockets


@dataclass(frozen=True)
class Cluster:
    """A name for equal nodes. Raises ValueError if there is none."""

    name: str
    nodes: int
    kind: NodeKind

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise ValueError(f"cluster {self.name}: nodes is {self.nodes}, must be at least 1")

    @property
    def processors(self) -> int:
        """Processors of all nodes."""
        return self.nodes * self.kind.cpus

    @property
    def memory(self) -> int | None:
        """Memory of all nodes; None if it is not counted."""
        return None if self.kind.memory is None else self.nodes * self.kind.memory


@dataclass(frozen=True)
class Partition:
    """Nodes under common rules; times in seconds, memory in MB, None: no such rule.

    `nodes` are places in `Machine.names`. `tier` orders partitions in the queue, `job_factor` is
    their part of the priority. Qos and accounts are allowed unless an `allow_` set lacks them or a
    `deny_` set has them. `billing` weights TRES, for usage.
    """

    name: str
    nodes: tuple[int, ...]
    tier: int = 1
    job_factor: int = 1
    max_time: int | None = None
    default_time: int | None = None
    min_nodes: int = 0
    max_nodes: int | None = None
    max_cpus_per_node: int | None = None
    memory_per_cpu: int | None = None
    memory_per_node: int | None = None
    most_memory_per_cpu: int | None = None
    most_memory_per_node: int | None = None
    billing: Mapping[str, float] = field(default_factory=dict)
    qos: str = ""
    allow_qos: frozenset[str] | None = None
    deny_qos: frozenset[str] = frozenset()
    allow_accounts: frozenset[str] | None = None
    deny_accounts: frozenset[str] = frozenset()
    exclusive: bool = False
    preempt: str = ""
    grace: int = 0
    up: bool = True
    default: bool = False


@dataclass(frozen=True)
class Change:
    """Something that happens to nodes at a time.

    A drained node takes no new jobs; a down one loses its jobs too; both end with ``resume``.
    A reservation keeps nodes from `time` to `end` for its `users` and `accounts`; one of
    maintenance has no users. `known` is when it is created (before it, nothing plans around it).
    """

    time: int
    kind: Literal["drain", "down", "resume", "reservation", "delete"]
    nodes: tuple[int, ...]
    end: int | None = None
    known: int | None = None
    name: str = ""
    users: frozenset[str] = frozenset()
    accounts: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Machine:
    """Nodes of some kinds, in partitions.

    Parameters
    ----------
    kinds : sequence of NodeKind
        The kinds of nodes.
    kind : ndarray of int32, shape (nodes,)
        Kind of each node, in the natural order of their names (``b1, n2, n10``), in which Slurm
        numbers them.
    names : tuple of str
        Name of each node.
    partitions : tuple of Partition
        Partitions; empty: one partition of all nodes without rules.
    changes : tuple of Change
        What happens to nodes, in order of time.

    Examples
    --------
    >>> Machine.of_processors(128).processors
    128
    """

    kinds: Sequence[NodeKind]
    kind: NDArray[np.int32]
    names: tuple[str, ...] = ()
    partitions: tuple[Partition, ...] = ()
    changes: tuple[Change, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.kind):
            raise ValueError("machine: there is no node")
        if self.names and len(self.names) != len(self.kind):
            raise ValueError(f"machine: {len(self.names)} names for {len(self.kind)} nodes")
        for partition in self.partitions:
            if not partition.nodes:
                raise ValueError(f"partition {partition.name}: has no node")

    @classmethod
    def of_processors(cls, processors: int) -> Self:
        """Return the simplest machine: nodes of one processor, and nothing else to ask for."""
        if processors < 1:
            raise ValueError(f"machine: {processors} processors, must be at least 1")
        return cls((NodeKind(1),), np.zeros(processors, dtype=np.int32))

    @classmethod
    def of_clusters(cls, *clusters: Cluster) -> Self:
        """Return a machine with a partition for each cluster.

        Raises ValueError if two have the same name.

        Examples
        --------
        The machine of the log wagap-2013, with memory in KB:

        >>> machine = Machine.of_clusters(
        ...     Cluster("zewura", 20, NodeKind(80, 529_426_432)),
        ...     Cluster("zegox", 48, NodeKind(12, 94_035_968)),
        ... )
        >>> machine.processors, machine.memory
        (2176, 15102255104)
        """
        names = [cluster.name for cluster in clusters]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"cluster {name}: two clusters have this name")
        counts = [cluster.nodes for cluster in clusters]
        kind = np.repeat(np.arange(len(clusters), dtype=np.int32), counts)
        ends = np.cumsum(counts).tolist()
        partitions = tuple(
            Partition(name, tuple(range(end - count, end)))
            for name, count, end in zip(names, counts, ends, strict=True)
        )
        return cls(tuple(cluster.kind for cluster in clusters), kind, partitions=partitions)

    @classmethod
    def of_nodes(
        cls, nodes: Mapping[str, NodeKind], partitions: tuple[Partition, ...] = ()
    ) -> Self:
        """Return the machine of nodes by name, in natural order; equal kinds become one."""
        names = tuple(sorted(nodes, key=natural))
        kinds: dict[tuple[object, ...], NodeKind] = {}
        for name in names:
            kinds.setdefault(nodes[name].key(), nodes[name])
        place = {key: number for number, key in enumerate(kinds)}
        kind = np.array([place[nodes[name].key()] for name in names], dtype=np.int32)
        return cls(tuple(kinds.values()), kind, names, partitions)

    def __len__(self) -> int:
        return len(self.kind)

    @cached_property
    def cpus(self) -> NDArray[np.int64]:
        """Processors of each node."""
        return np.array([kind.cpus for kind in self.kinds], dtype=np.int64)[self.kind]

    @property
    def processors(self) -> int:
        """Processors of all nodes."""
        return int(self.cpus.sum())

    @property
    def memory(self) -> int | None:
        """Memory of all nodes; None if that of a kind is not counted."""
        counted = all(kind.memory is not None for kind in self.kinds)
        return self.total("mem") if counted else None

    @cached_property
    def clusters(self) -> tuple[Cluster, ...]:
        """The partitions as clusters; without partitions one of all nodes, with the name ``all``.

        Raises ValueError if nodes of a partition differ, or two partitions have a node in common.
        """
        parts = self.partitions or (Partition("all", tuple(range(len(self)))),)
        if len({node for part in parts for node in part.nodes}) < sum(
            len(part.nodes) for part in parts
        ):
            raise ValueError("machine: two partitions have a node in common")
        clusters = []
        for part in parts:
            kinds = set(self.kind[list(part.nodes)].tolist())
            if len(kinds) > 1:
                raise ValueError(f"partition {part.name}: its nodes are of {len(kinds)} kinds")
            clusters.append(Cluster(part.name, len(part.nodes), self.kinds[kinds.pop()]))
        return tuple(clusters)

    def total(self, tres: str, nodes: Sequence[int] | None = None) -> int:
        """Return how much of a trackable resource (cpu, mem, node, gres/…) the nodes have."""
        kinds = self.kind if nodes is None else self.kind[list(nodes)]
        counts = np.bincount(kinds, minlength=len(self.kinds))
        return sum(
            int(count) * amount(kind, tres) for kind, count in zip(self.kinds, counts, strict=True)
        )


def amount(kind: NodeKind, tres: str) -> int:
    """Return how much of a trackable resource a node of a kind has.

    Untyped GPUs (``gres/gpu``) count those of all types.
    """
    match tres:
        case "cpu":
            return kind.cpus
        case "mem":
            return kind.memory or 0
        case "node":
            return 1
    name = tres.removeprefix("gres/")
    return sum(
        count for gres, count in kind.gres.items() if gres == name or gres.startswith(f"{name}:")
    )


def natural(name: str) -> tuple[object, ...]:
    """Return the key of the natural order of names, in which n2 is before n10."""
    parts = re.split(r"(\d+)", name)
    return tuple(int(part) if part.isdigit() else part for part in parts)

"""Which nodes a job gets: the twin of `site_nodes.pxd`, written to be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

NO_MEMORY, PER_NODE, PER_CPU, ALL_MEMORY = range(4)


@dataclass
class Node:
    """What a node has, and what is free."""

    cpus: int
    memory: int
    gres: list[int]
    weight: int
    leaf: int = -1
    free_cpus: int = 0
    free_memory: int = 0
    free_gres: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.free_cpus, self.free_memory, self.free_gres = self.cpus, self.memory, list(self.gres)


@dataclass(frozen=True)
class Asked:
    """A class of equal requests."""

    partition: int
    nodes: int
    most_nodes: int
    cpus: int
    per_task: int
    memory: int
    mode: int
    exclusive: bool
    gres: tuple[int, ...]
    static: frozenset[int]

    def offer(self, node: Node) -> int:
        """Processors that a node can give now; 0 if it cannot serve the request."""
        if self.exclusive and node.free_cpus < node.cpus:
            return 0
        if any(free < wanted for free, wanted in zip(node.free_gres, self.gres, strict=True)):
            return 0
        cpus = node.free_cpus
        if self.mode == PER_CPU:
            cpus = min(cpus, node.free_memory // self.memory)
        least = {PER_NODE: self.memory, ALL_MEMORY: node.memory}.get(self.mode, 0)
        if node.free_memory < least:
            return 0
        return max(cpus - cpus % self.per_task, 0)

    def takes(self, node: Node, cpus: int) -> tuple[int, int, list[int]]:
        """Processors, memory and gres that a job occupies of a node where it got processors."""
        if self.exclusive:
            cpus = node.cpus
        memory = {
            NO_MEMORY: 0,
            PER_NODE: self.memory,
            PER_CPU: min(self.memory * cpus, node.free_memory),
            ALL_MEMORY: node.memory,
        }[self.mode]
        return cpus, memory, list(node.gres) if self.exclusive else list(self.gres)


def choose(asked: Asked, nodes: list[Node], usable: set[int]) -> dict[int, int] | None:
    """Choose processors on nodes, as they are free now; None if they do not suffice.

    If a choice fails, nodes with few processors are left out, until only enough nodes are left.
    """
    offers = {place: cpus for place in sorted(usable) if (cpus := asked.offer(nodes[place]))}
    if len(offers) < asked.nodes:
        return None
    if nodes[0].leaf >= 0:
        return pick_by_switch(asked, nodes, offers)
    chosen = pick(asked, nodes, offers)
    for few in range(1, max(offers.values(), default=0) + 1):
        if chosen is not None or len(offers) <= asked.nodes:
            return chosen
        before = len(offers)
        for place in list(offers):
            if offers[place] <= few and len(offers) > asked.nodes:
                del offers[place]
        if len(offers) < before:
            chosen = pick(asked, nodes, offers)
    return chosen


def runs_of(nodes: list[Node], offers: dict[int, int]) -> list[list[int]]:
    """Return stretches of neighboring nodes of equal weight."""
    keyed = enumerate(sorted(offers))
    grouped = groupby(keyed, key=lambda pair: (pair[1] - pair[0], nodes[pair[1]].weight))
    return [[place for _, place in run] for _, run in grouped]


def pick_by_switch(
    asked: Asked, nodes: list[Node], offers: dict[int, int]
) -> dict[int, int] | None:
    """Choose with a tree of switches.

    Weights are added, the lightest first, until their nodes suffice. All nodes of lighter weights
    than the last are taken; the rest is of the leaf switch with the fewest processors that
    suffices, else of the largest and more, nodes in their order.
    """
    if asked.most_nodes == 1:
        offers = {place: cpus for place, cpus in offers.items() if cpus >= asked.cpus}
    heaviest, total, count = -1, 0, 0
    for weight in sorted({nodes[place].weight for place in offers}):
        some = [place for place in offers if nodes[place].weight == weight]
        heaviest = weight
        total, count = total + sum(offers[place] for place in some), count + len(some)
        if total >= asked.cpus and count >= asked.nodes:
            break
    else:
        return None
    need, taken = asked.cpus, dict[int, int]()

    def take(places: list[int]) -> None:
        nonlocal need
        for place in places:
            is_enough = need <= 0 and len(taken) >= asked.nodes
            if is_enough or len(taken) == asked.most_nodes:
                return
            if len(taken) == asked.most_nodes - 1 and offers[place] < need:
                continue
            later = max(asked.nodes - len(taken) - 1, 0)
            taken[place] = max(min(offers[place], need - later), 1)
            need -= taken[place]

    take([place for place in sorted(offers) if nodes[place].weight < heaviest])
    left = {place for place in offers if nodes[place].weight == heaviest}
    while left and not (need <= 0 and len(taken) >= asked.nodes):
        wanted = max(asked.nodes - len(taken), 0)
        keys = {}
        for leaf in sorted({nodes[place].leaf for place in left}):
            places = [place for place in left if nodes[place].leaf == leaf]
            cpus = sum(offers[place] for place in places)
            enough = cpus >= need and len(places) >= wanted
            keys[leaf] = (not enough, cpus if enough else -cpus)
        best = min(keys, key=lambda leaf: keys[leaf])
        places = sorted(place for place in left if nodes[place].leaf == best)
        take(places)
        left -= set(places)
    return taken if need <= 0 and len(taken) >= asked.nodes else None


def pick(asked: Asked, nodes: list[Node], offers: dict[int, int]) -> dict[int, int] | None:
    """Choose among nodes that offer processors: run after run, the lightest first.

    Among equally light runs the smallest sufficient, else the largest is next. If one node is
    wanted and the run has one that suffices, it is the one with the fewest processors.
    """
    left, need, taken = dict(offers), asked.cpus, dict[int, int]()
    while left and len(taken) < asked.most_nodes:
        wanted = max(asked.nodes - len(taken), 0)
        best, best_key = None, None
        for run in runs_of(nodes, left):
            cpus = sum(left[place] for place in run)
            enough = cpus >= need and len(run) >= wanted
            key = (nodes[run[0]].weight, not enough, cpus if enough else -cpus)
            if best_key is None or key < best_key:
                best, best_key = run, key
        alone = [place for place in best if left[place] >= need]
        if wanted <= 1 and alone:
            best = [min(alone, key=lambda place: left[place])]
        for place in best:
            cpus = left.pop(place)
            if len(taken) == asked.most_nodes - 1 and cpus < need:
                continue
            later = max(asked.nodes - len(taken) - 1, 0)
            taken[place] = max(min(cpus, need - later), 1)
            need -= taken[place]
            if len(taken) == asked.most_nodes or (need <= 0 and len(taken) >= asked.nodes):
                break
        if need <= 0 and len(taken) >= asked.nodes:
            return taken
    return None

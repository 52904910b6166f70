"""Requests of jobs on a site's machine: classes of equal ones, and nodes that can serve them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from schedlab.core.slurm_site import MINUTE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from schedlab.core.machine import Machine, NodeKind, Partition
    from schedlab.core.requests import Requests
    from schedlab.core.slurm_site import Site

#: how memory is asked for: not counted, per node, per processor, all of each node
NO_MEMORY, PER_NODE, PER_CPU, ALL_MEMORY = range(4)
#: larger numbers count as this: sums of them stay below 2^63
MOST = 2**31 - 1

_GRES = re.compile(r"(?:gres[:/])?([\w.-]+?)(?::(\d*[A-Za-z_][\w.-]*))?(?:[:=](\d+))?")


def time_limits(estimate: ArrayLike) -> np.ndarray:
    """Return time limits of estimates in seconds: whole minutes, rounded up, at least one."""
    minutes = -(-np.asarray(estimate, dtype=np.int64) // MINUTE)
    return np.clip(minutes, 1, MOST) * MINUTE


class Asked(NamedTuple):
    """Request of a job in a partition; equal ones are one class.

    `gres` has the amounts per node in the order of `gres_names`. `features` is as in the log.
    """

    partition: int
    nodes: int
    most_nodes: int
    cpus: int
    per_task: int
    memory: int
    mode: int
    gres: tuple[int, ...]
    features: str
    exclusive: bool


def gres_names(site: Site, texts: Iterable[str]) -> tuple[str, ...]:
    """Return names of nodes' generic resources that requests ask for, or limits or weights count.

    A resource with a type counts without it, too. A request that is none is left to `asked_of`.
    """
    names = {gres for kind in site.machine.kinds for gres in kind.gres}
    names |= {name.partition(":")[0] for name in names}
    levels = [each.limits for each in site.qos] + [each.limits for each in site.associations]
    maps = [each for level in levels for each in vars(level).values() if isinstance(each, Mapping)]
    maps += [part.billing for part in site.machine.partitions] + [site.priorities.tres]
    wanted = {tres.casefold() for each in maps for tres in each}
    for text in texts:
        with suppress(ValueError):
            wanted |= {f"gres/{name}".casefold() for name in parse_gres(text)}
    return tuple(sorted(name for name in names if f"gres/{name}".casefold() in wanted))


@cache
def parse_gres(text: str) -> dict[str, int]:
    """Return the amounts per node of a request such as ``gpu:v100:2,shard:4``.

    A typed amount counts for the resource without type, too. Raises ValueError for anything else.
    """
    amounts: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        match = _GRES.fullmatch(part)
        if not match:
            raise ValueError(f"gres '{part}' is not like gpu:2 or gpu:v100:2")
        name, kind, count = match[1], match[2], min(int(match[3] or 1), MOST)
        amounts[name] = amounts.get(name, 0) + count
        if kind:
            amounts[f"{name}:{kind}"] = amounts.get(f"{name}:{kind}", 0) + count
    return amounts


def has_features(kind: NodeKind, wanted: str) -> bool:
    """Return whether a kind of node has the features of a constraint of names, ``&`` and ``|``."""
    have = {feature.casefold() for feature in kind.features}
    return any(
        all(name.strip().casefold() in have for name in part.split("&"))
        for part in wanted.replace(",", "&").split("|")
    )


def asked_of(
    requests: Requests, job: int, procs: int, partition: int, site: Site, names: Sequence[str]
) -> Asked:
    """Return the request of a job in a partition, with the partition's defaults.

    Without tasks and nodes, a job asks for its processors on any nodes. Raises ValueError for
    generic resources that no node has, and for constraints with other operators than ``&`` and
    ``|``, which Slurm tries with some nodes at a time.
    """
    rules = site.machine.partitions[partition]
    nodes, tasks = int(requests.nodes[job]), int(requests.tasks[job])
    per_task = max(int(requests.cpus_per_task[job]), 1)
    tasks = tasks or max(nodes, -(-procs // per_task))
    most = max(int(requests.most_nodes[job]) or nodes or max(tasks, rules.min_nodes), nodes)
    wanted, features = parse_gres(requests.gres[job]), requests.features[job]
    if unknown := wanted.keys() - set(names):
        raise ValueError(f"no node has gres '{min(unknown)}'")
    if re.search(r"[\[\]*()]", features):
        raise ValueError(f"constraint '{features}': only names joined by & or | are modeled")
    memory, mode = _memory(requests, job, rules, site)
    return Asked(
        partition=partition,
        nodes=min(max(nodes, rules.min_nodes, 1), MOST),
        most_nodes=min(most, MOST if rules.max_nodes is None else rules.max_nodes),
        cpus=min(tasks * per_task, MOST),
        per_task=min(per_task, MOST),
        memory=min(memory, MOST),
        mode=mode,
        gres=tuple(wanted.get(name, 0) for name in names),
        features=features,
        exclusive=bool(requests.exclusive[job]) or rules.exclusive,
    )


def _memory(requests: Requests, job: int, rules: Partition, site: Site) -> tuple[int, int]:
    """Return MB and how they are asked for; without request and default: all of each node."""
    if not site.memory_counts:
        return 0, NO_MEMORY
    memory = int(requests.memory[job])
    if memory > 0:
        return memory, PER_CPU if requests.per_cpu[job] else PER_NODE
    if memory < 0:
        for per_cpu, per_node in (
            (rules.memory_per_cpu, rules.memory_per_node),
            (site.default_memory_per_cpu, site.default_memory_per_node),
        ):
            if per_cpu:
                return per_cpu, PER_CPU
            if per_node:
                return per_node, PER_NODE
    return 0, ALL_MEMORY


def serves(kind: NodeKind, asked: Asked) -> bool:
    """Return whether an idle node of a kind can have one node's share of a request.

    Generic resources are not part of this test in Slurm: a node without them only never offers
    processors.
    """
    least = asked.cpus if asked.most_nodes == 1 else asked.per_task
    if kind.cpus < least or (asked.features and not has_features(kind, asked.features)):
        return False
    share = asked.memory * (least if asked.mode == PER_CPU else 1)
    return kind.memory is None or kind.memory >= share


def class_arrays(
    asked: Sequence[Asked], machine: Machine, names: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return classes of requests as arrays for the kernel, R classes, N nodes, G resources.

    Their numbers (int64 of shape (R, 8): the fields of `Asked` but gres and features), their gres
    per node (int64, (R, G)), distinct sets of nodes that can have one node's share of a request
    (bool, (S, N)), and the set of each class (int64, (R,)).
    """
    sets: dict[tuple[int, bytes], int] = {}
    class_static = np.zeros(len(asked), dtype=np.int64)
    for place, request in enumerate(asked):
        fit = np.array([serves(kind, request) for kind in machine.kinds])
        class_static[place] = sets.setdefault((request.partition, fit.tobytes()), len(sets))
    static = np.zeros((len(sets), len(machine)), dtype=bool)
    for row, (partition, of_kinds) in zip(static, sets, strict=True):
        nodes = np.array(machine.partitions[partition].nodes)
        row[nodes] = np.frombuffer(of_kinds, dtype=bool)[machine.kind[nodes]]
    numbers = np.array([(*each[:7], each.exclusive) for each in asked], dtype=np.int64)
    gres = np.array([each.gres for each in asked], dtype=np.int64)
    return numbers.reshape(-1, 8), gres.reshape(len(asked), len(names)), static, class_static

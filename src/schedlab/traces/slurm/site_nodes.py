"""Nodes, partitions, switches, and changes of nodes of a site's Slurm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schedlab.core.machine import Machine, NodeKind, Partition
from schedlab.core.slurm_site import NotModeled
from schedlab.traces.slurm.conf_text import Record, Setting
from schedlab.traces.slurm.hostlist import expand
from schedlab.traces.slurm.site_keys import interpret

Left = list[NotModeled]
_COUNT = re.compile(r"(\d+)([KMGT]?)", re.ASCII)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def part_of(meanings: Mapping[str, object], group: str) -> dict[str, Any]:
    """Return the meanings of a group's fields (``site.kill_wait``) that are not None."""
    prefix = f"{group}."
    return {
        name.removeprefix(prefix): value
        for name, value in meanings.items()
        if name.startswith(prefix) and value is not None
    }


def names_of(setting: Setting) -> list[str]:
    """Return the names of a host list; `SiteFileError` if it has no meaning."""
    try:
        return expand(setting.value)
    except ValueError as problem:
        raise setting.error(str(problem)) from None


@dataclass
class Nodes:
    """Nodes by name, and states of those that have one; `future` ones are not there yet."""

    kinds: dict[str, NodeKind] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    future: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, records: Iterable[Record], gres: Iterable[Record], left: Left) -> Nodes:
        """Return the nodes of records; later settings of a node override earlier ones."""
        settings: dict[str, dict[str, Setting]] = {}
        lists: dict[str, Setting] = {}
        for record in records:
            for name in names_of(record.name):
                settings.setdefault(name, {}).update(record.settings)
                lists[name] = record.name
        devices = _devices(gres, left)
        nodes = cls()
        meanings: dict[tuple[Setting, ...], dict[str, Any]] = {}
        for name, pairs in settings.items():
            lines = tuple(pairs.values())
            if lines not in meanings:
                meanings[lines] = part_of(interpret("node", lines, left), "node")
            values = meanings[lines]
            state = values.get("state", "")
            if "FUTURE" in state:
                nodes.future.add(name)
                continue
            nodes.states[name] = state
            counts = _gres(values.get("gres", ""), [*devices.get("", []), *devices.get(name, [])])
            try:
                nodes.kinds[name] = _kind(values, counts)
            except ValueError as problem:
                raise lists[name].error(f"{problem}; correct the line of the node") from None
        return nodes


def _kind(values: Mapping[str, Any], gres: dict[str, int]) -> NodeKind:
    """Return the kind of a node with values."""
    threads = values.get("threads", 1)
    sockets = values.get("sockets", values.get("boards", 1) * values.get("sockets_per_board", 1))
    cores = sockets * values.get("cores", 1)
    cpus = values.get("cpus", cores * threads)
    # as many CPUs as cores: hyperthreads are not given to jobs
    threads = 1 if cpus == cores else threads
    memory = values.get("memory")
    return NodeKind(
        cpus - values.get("reserved", 0) * threads,
        None if memory is None else memory - values.get("reserved_memory", 0),
        gres,
        values.get("features", frozenset()),
        values.get("weight", 1),
        threads,
    )


def _devices(records: Iterable[Record], left: Left) -> dict[str, list[tuple[str, str, int]]]:
    """Return name, type and number of resources in gres.conf, by node; "" is every node."""
    devices: dict[str, list[tuple[str, str, int]]] = {}
    for record in records:
        values = part_of(interpret("gres", record.settings.values(), left), "gres")
        files = record.settings.get("file")
        count = values.get("count", len(names_of(files)) if files else 1)
        nodes = record.settings.get("nodename")
        for node in names_of(nodes) if nodes else [""]:
            each = values.get("name", ""), values.get("type", ""), count
            devices.setdefault(node, []).append(each)
    return devices


def _gres(text: str, devices: Sequence[tuple[str, str, int]]) -> dict[str, int]:
    """Return the numbers of a node's resources by name, or name and type.

    The node's line has the names; `devices` has numbers, and types, that the line leaves out.
    """
    counts: dict[str, int] = {}
    for each in re.sub(r"\([^)]*\)", "", text).split(","):
        parts = each.split(":")
        if not each or "no_consume" in parts:
            continue
        size = _COUNT.fullmatch(parts[-1])
        name = ":".join(parts[:-1] if size else parts)
        count = int(size[1]) * 1024 ** _POWERS[size[2]] if size else 0
        alike = [device for device in devices if name in (device[0], f"{device[0]}:{device[1]}")]
        number = sum(device[2] for device in alike)
        count = count or (0 if size else number or 1)
        if ":" not in name and number == count and all(device[1] for device in alike):
            for _, kind, each_count in alike:
                counts[f"{name}:{kind}"] = counts.get(f"{name}:{kind}", 0) + each_count
        elif count:
            counts[name] = counts.get(name, 0) + count
    return counts


def partitions_of(
    records: Iterable[Record],
    sets: Iterable[Record],
    nodes: Nodes,
    machine: Machine,
    common: Mapping[str, int | None],
    left: Left,
) -> tuple[Partition, ...]:
    """Return the partitions; `common` are the cluster's memory per processor and node."""
    place = {name: number for number, name in enumerate(machine.names)}
    groups = {each.name.value: _set(each, nodes, left) for each in sets}
    settings: dict[str, dict[str, Setting]] = {}
    lines: dict[str, Setting] = {}
    for record in records:
        settings.setdefault(record.name.value, {}).update(record.settings)
        lines[record.name.value] = record.name
    partitions = []
    for name, pairs in settings.items():
        values = part_of(interpret("partition", pairs.values(), left), "partition")
        places = _places(pairs["nodes"], groups, nodes, place) if "nodes" in values else ()
        if not places:
            left.append(NotModeled(*lines[name], "a partition without nodes"))
            continue
        values["nodes"] = places
        if (priority := values.pop("priority", None)) is not None:
            values = {"tier": priority, "job_factor": priority} | values
        for least in ("memory", "most_memory"):
            per = (f"{least}_per_cpu", f"{least}_per_node")
            if not values.keys() & set(per):
                values |= {each: common.get(each) for each in per}
        partitions.append(Partition(name, **values))
    return tuple(partitions)


def _set(record: Record, nodes: Nodes, left: Left) -> list[str]:
    """Return the nodes of a NodeSet line."""
    values = part_of(interpret("nodeset", record.settings.values(), left), "nodeset")
    names = names_of(record.settings["nodes"]) if "nodes" in values else []
    feature = values.get("feature")
    return names + [name for name, kind in nodes.kinds.items() if feature in kind.features]


def _places(
    setting: Setting, groups: Mapping[str, list[str]], nodes: Nodes, place: Mapping[str, int]
) -> tuple[int, ...]:
    """Return the places of a partition's nodes in order."""
    if setting.value.casefold() == "all":
        return tuple(sorted(place.values()))
    places = set()
    for item in names_of(setting):
        for name in groups.get(item, [item]):
            if name not in place and name not in nodes.future:
                raise setting.error(f"node {name} has no line; add NodeName={name} or correct it")
            if name in place:
                places.add(place[name])
    return tuple(sorted(places))


def switches_of(
    records: Iterable[Record], machine: Machine, left: Left
) -> tuple[tuple[int, ...], ...]:
    """Return the nodes of the leaf switches in the file's order; those without a line are left."""
    place = {name: number for number, name in enumerate(machine.names)}
    switches = []
    for record in records:
        if "nodes" not in part_of(interpret("topology", record.settings.values(), left), "switch"):
            continue
        setting = record.settings["nodes"]
        names = names_of(setting)
        if missing := [name for name in names if name not in place]:
            note = "no such nodes in slurm.conf"
            left.append(NotModeled(*setting._replace(value=",".join(missing)), note))
        switches.append(tuple(sorted(place[name] for name in names if name in place)))
    return tuple(each for each in switches if each)

"""A site in a small YAML file, for logs that have queues and limits only."""

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from schedlab.core.machine import Machine, NodeKind, Partition
from schedlab.core.slurm_site import Limits, Priorities, Qos, Site
from schedlab.files.config import DURATION, ConfigError, load
from schedlab.files.durations import optional_seconds
from schedlab.files.known_words import nearest

#: points of a priority of 1 of a QOS: a policy's points are fewer
QOS_WEIGHT = 100_000
_COUNT = {"type": "integer", "minimum": 1}
_TIME = {"type": "string", "format": DURATION}
#: whose limit: the fields of `Limits` for jobs and for other amounts
_WHOSE = {
    "all": ("grp_jobs", "grp_tres"),
    "user": ("max_jobs_pu", "max_tres_pu"),
    "account": ("max_jobs_pa", "max_tres_pa"),
    "job": ("", "max_tres_pj"),
}
#: amounts and their names in Slurm
_AMOUNTS = {"cpus": "cpu", "memory": "mem", "nodes": "node", "gpus": "gres/gpu"}


def _table(required: tuple[str, ...], **properties: object) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


def _named(entry: Mapping[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "object", "minProperties": least, "additionalProperties": entry}


_NODES = _table(("count", "cpus"), count=_COUNT, cpus=_COUNT, memory=_COUNT, gpus=_COUNT)
_PARTITION = _table(
    (),
    nodes={"type": "array", "minItems": 1, "items": {"type": "string"}},
    max_time=_TIME,
    default_time=_TIME,
    memory_per_cpu=_COUNT,
    priority=_COUNT,
    qos={"type": "string"},
)
_QOS = _table(
    (),
    priority={"type": "integer", "minimum": 0},
    limits=_table(
        (),
        **{
            whose: _table((), **dict.fromkeys((*(["jobs"] if jobs else []), *_AMOUNTS), _COUNT))
            for whose, (jobs, _) in _WHOSE.items()
        },
    ),
)
_FILE = _table(
    ("nodes",), nodes=_named(_NODES, least=1), partitions=_named(_PARTITION), qos=_named(_QOS)
)


def read_yaml_site(path: str | os.PathLike[str]) -> Site:
    """Return the site that a YAML file describes.

    Parameters
    ----------
    path : path
        ``nodes`` by group: count, cpus, memory (MB) and gpus of each. ``partitions`` by name:
        nodes (groups; all by default), max_time and default_time (durations), memory_per_cpu (MB,
        of jobs that ask for none), priority and qos. The first is the default. ``qos`` by name:
        priority, and limits of all, a user, an account or a job in jobs, cpus, memory (MB), nodes
        and gpus.

    Raises
    ------
    schedlab.files.config.ConfigError
        With file and key, if the file is not valid.
    """
    data = load(path, _FILE)
    groups: dict[str, list[str]] = {}
    nodes = {}
    for group, each in data["nodes"].items():
        gres = {"gpu": each["gpus"]} if "gpus" in each else {}
        kind = NodeKind(each["cpus"], each.get("memory"), gres)
        groups[group] = [f"{group}-{number}" for number in range(1, each["count"] + 1)]
        nodes |= dict.fromkeys(groups[group], kind)
    qos = tuple(_qos(name, each) for name, each in data.get("qos", {}).items())
    machine = Machine.of_nodes(nodes)
    place = {name: number for number, name in enumerate(machine.names)}
    partitions = []
    for name, each in data.get("partitions", {}).items():
        key = f"{path}: key 'partitions.{name}."
        _check(each.get("nodes", ()), groups, f"{key}nodes'")
        _check([each["qos"]] if "qos" in each else (), {one.name for one in qos}, f"{key}qos'")
        names = [node for group in each.get("nodes", groups) for node in groups[group]]
        partitions.append(
            Partition(
                name,
                tuple(sorted(place[node] for node in names)),
                tier=each.get("priority", 1),
                max_time=optional_seconds(each.get("max_time"), f"{key}max_time'"),
                default_time=optional_seconds(each.get("default_time"), f"{key}default_time'"),
                memory_per_cpu=each.get("memory_per_cpu"),
                qos=each.get("qos", ""),
                default=not partitions,
            )
        )
    return Site(
        Machine(machine.kinds, machine.kind, machine.names, tuple(partitions)),
        Priorities(qos=QOS_WEIGHT, flags=frozenset({"NO_NORMAL_QOS"})),
        qos=qos,
        enforce=frozenset({"limits"}),
        memory_counts=any(kind.memory for kind in machine.kinds),
    )


def _qos(name: str, each: Mapping[str, Any]) -> Qos:
    """Return a QOS of the file."""
    limits: dict[str, Any] = {}
    for whose, amounts in each.get("limits", {}).items():
        jobs, tres = _WHOSE[whose]
        limits[tres] = {_AMOUNTS[key]: most for key, most in amounts.items() if key != "jobs"}
        if "jobs" in amounts:
            limits[jobs] = amounts["jobs"]
    return Qos(name, each.get("priority", 0), Limits(**limits))


def _check(names: Iterable[str], known: Collection[str], key: str) -> None:
    """Raise ConfigError if a name is not known."""
    for name in names:
        if name not in known:
            raise ConfigError(f"{key}: there is no '{name}'{nearest(name, known)}")

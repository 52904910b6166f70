"""Changes of a site's Slurm, one setting at a time.

A change is a text as ``--slurm-set`` takes it, so that what is simulated is what a site would
paste. `CHANGES` has a row for each setting with the values to try.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from schedlab.core.machine import NodeKind
from schedlab.queue.site_dialect import usual_points
from schedlab.report.words import number_of
from schedlab.traces.slurm.site_keys import read_keys

if TYPE_CHECKING:
    from schedlab.core.machine import Machine
    from schedlab.core.slurm_site import Site

WEIGHTS, SCHEDULERS, POINTS = "weights", "schedulers", "points"
QOS, PARTITIONS, NODES = "QOS", "partitions", "nodes"
#: groups from which a change may be recommended: others take rights from users, or cost money
FREE = (WEIGHTS, SCHEDULERS, POINTS)
#: values by what they mean
MOST, LEAST, NONE = "most", "least", "none"
#: share of the nodes of a kind that is drained or added, and name of those added
SHARE, ADDED = 0.1, "added"
DRAINED, MORE = "drained", "added"
#: changes of nodes after which they take jobs again, or no more
_MOVES = ("drain", "down", "resume")


class Row(NamedTuple):
    """A setting and the values to try.

    A value is a number, a multiple of today's (``x2``), `MOST` or `LEAST` (the largest or smallest
    weight, priority, tier or factor that the site has) or `NONE` (no limit).
    """

    group: str
    key: str
    values: tuple[str, ...]


_WEIGHT = ("0", "x3", MOST)
_LIMIT = ("x2", NONE)
CHANGES = (
    *(Row(WEIGHTS, f"PriorityWeight{name}", _WEIGHT) for name in (
        "Age", "Fairshare", "JobSize", "Partition", "QOS",
    )),
    Row(WEIGHTS, "PriorityWeightTRES", ("0", MOST)),
    Row(WEIGHTS, "PriorityFavorSmall", ("YES", "NO")),
    Row(SCHEDULERS, "bf_interval", ("30", "60", "300")),
    Row(SCHEDULERS, "bf_window", ("x0.5", "x2")),
    Row(SCHEDULERS, "bf_resolution", ("60", "300", "600")),
    Row(SCHEDULERS, "bf_max_job_test", ("100", "500", "2000")),
    Row(SCHEDULERS, "bf_max_job_user", ("0", "10", "50")),
    Row(SCHEDULERS, "default_queue_depth", ("100", "1000")),
    Row(QOS, "Priority", ("0", MOST)),
    *(Row(QOS, key, _LIMIT) for key in ("MaxJobsPerUser", "MaxJobsPerAccount", "GrpJobs")),
    *(Row(QOS, key, _LIMIT) for key in ("MaxTRESPerUser", "MaxTRESPerAccount", "GrpTRES")),
    Row(PARTITIONS, "PriorityTier", (LEAST, MOST)),
    Row(PARTITIONS, "PriorityJobFactor", ("0", MOST)),
    Row(PARTITIONS, "MaxNodes", ("x0.5", NONE)),
    Row(PARTITIONS, "DefaultTime", ("x0.5",)),
)  # fmt: skip
#: policies whose order becomes points, by name
POLICIES = ("f1", "spf", "r * n")


class Limit(NamedTuple):
    """A default limit of a partition, in seconds, and the one in its place."""

    partition: str
    before: int
    after: int


@dataclass(frozen=True)
class Change:
    """A changed setting.

    Parameters
    ----------
    group, label : str
        What is changed, and a short name of the change.
    texts : tuple of str
        Settings as of ``--slurm-set``; empty for a policy.
    policy : str
        A policy whose order becomes points; "" for settings.
    limit : Limit or None
        The limit that jobs without one of their own get, if that changes.
    today : str
        Today's value.
    """

    group: str
    label: str
    texts: tuple[str, ...] = ()
    policy: str = ""
    limit: Limit | None = None
    today: str = ""

    @property
    def is_free(self) -> bool:
        """Whether it may be recommended: it takes no right from users and costs no money."""
        return self.group in FREE


def changes_of(site: Site) -> list[Change]:
    """Return the changes of a site's settings, each of which differs from today's."""
    changes = []
    for row in CHANGES:
        match row.group:
            case "QOS":
                changes += _of_qos(row, site) if site.qos else []
            case "partitions":
                changes += _of_partitions(row, site)
            case _:
                changes += _of_conf(row, site)
    if site.priorities.multifactor:
        changes += [Change(POINTS, f"points by {one}", policy=one) for one in POLICIES]
    return [*changes, *_of_nodes(site.machine)]


def field_of(file: str, key: str) -> tuple[str, str, str]:
    """Return the part and the field of a setting, and the form of its text."""
    rows = read_keys()
    row = (
        rows.get((file, key.casefold()), {}).get("")
        if file != "conf" or key[0].isupper()
        else (rows["conf", "schedulerparameters"][key.casefold()])
    )
    assert row is not None
    part, _, name = row.field.partition(".")
    return part, name, row.form


def _of_conf(row: Row, site: Site) -> Iterator[Change]:
    """Yield the changes of a key of slurm.conf, or an option of SchedulerParameters."""
    part, name, form = field_of("conf", row.key)
    if part == "priorities" and not site.priorities.multifactor:
        return
    today = getattr(getattr(site, part), name)
    if name == "tres":
        yield from _of_tres_weight(row, site)
        return
    if form == "yes":
        values = {"YES": True, "NO": False}
        for text in row.values:
            if values[text] != today:
                setting = f"{row.key}={text}"
                yield Change(row.group, setting, (setting,), today="YES" if today else "NO")
        return
    unit = 60 if form == "minutes" else 1
    # a weight that is on is not also tried as large as the largest
    for value in _others(row, today // unit, 0 if today else usual_points(site)):
        text = f"{row.key}={value}"
        yield Change(row.group, text, (text,), today=str(today // unit))


def _of_tres_weight(row: Row, site: Site) -> Iterator[Change]:
    today = site.priorities.tres
    for value in row.values:
        text = f"{row.key}=cpu={usual_points(site)}" if value == MOST else f"{row.key}=cpu=0"
        if (value == MOST) != any(today.values()):
            weights = ",".join(f"{name}={weight:g}" for name, weight in sorted(today.items()))
            yield Change(row.group, text, (text,), today=weights or "none")


def _others(row: Row, today: int | None, most: int = 0, least: int = 0) -> list[int]:
    """Return the values of a row as numbers, without today's and without repetitions.

    `most` and `least` are what these words mean; -1 is no limit. Multiples are of a number that is
    not 0.
    """
    meant = {MOST: most, LEAST: least, NONE: -1}
    numbers = [
        meant[value]
        if value in meant
        else max(round((today or 0) * float(value[1:])), 1)
        if value[0] == "x"
        else int(value)
        for value in row.values
        if today or value[0] != "x"
    ]
    return [number for number in dict.fromkeys(numbers) if number != today]


def _of_qos(row: Row, site: Site) -> Iterator[Change]:
    """Yield the changes of a key of each QOS."""
    part, name, _ = field_of("qos", row.key)
    most = max(each.priority for each in site.qos)
    for qos in site.qos:
        command = f"modify qos {qos.name} set {row.key}="
        if part == "qos":
            values = _others(row, qos.priority, most)
            for value in values:
                label = f"QOS {qos.name}: {row.key}={value}"
                yield Change(QOS, label, (f"{command}{value}",), today=str(qos.priority))
            continue
        today = getattr(qos.limits, name)
        for tres, amount in today.items() if hasattr(today, "items") else [("", today)]:
            for value in _others(row, amount) if amount else ():
                text = f"{tres}={value}" if tres else str(value)
                label = f"QOS {qos.name}: {row.key}={'no limit' if value < 0 else text}"
                yield Change(QOS, label, (f"{command}{text}",), today=f"{tres}={amount}".strip("="))


def _of_partitions(row: Row, site: Site) -> Iterator[Change]:
    """Yield the changes of a key of each partition."""
    _, name, _ = field_of("partition", row.key)
    partitions = site.machine.partitions
    values = [getattr(each, name) for each in partitions]
    known = [value for value in values if value is not None]
    for partition, today in zip(partitions, values, strict=True):
        limit = None
        if name in ("tier", "job_factor"):
            others = _others(row, today, max(known), min(known)) if len(known) > 1 else []
        else:
            others = _others(row, today) if today else []
        for value in others:
            written = "UNLIMITED" if value < 0 else str(value)
            if name == "default_time":
                minutes = max(value // 60, 1)
                written = str(minutes)
                limit = Limit(partition.name, today, 60 * minutes)
            yield Change(
                PARTITIONS,
                f"partition {partition.name}: {row.key}={written}",
                (f"PartitionName={partition.name} {row.key}={written}",),
                limit=limit,
                today=str(today // 60 if name == "default_time" else today),
            )


def _of_nodes(machine: Machine) -> Iterator[Change]:
    """Yield fewer and more nodes of each kind; nodes that leave and come back are not drained."""
    moved = {node for change in machine.changes if change.kind in _MOVES for node in change.nodes}
    for number, kind in enumerate(machine.kinds):
        places = [place for place, one in enumerate(machine.kind) if one == number]
        few = max(round(len(places) * SHARE), 1)
        if not machine.names:
            continue
        names = [machine.names[place] for place in places]
        first = names[0]
        drained = ",".join([machine.names[place] for place in places if place not in moved][:few])
        if len(drained.split(",")) == few and drained:
            label = f"{few} of {number_of(len(names), 'node')} like {first} {DRAINED}"
            texts = (f"NodeName={drained} State=DRAIN",)
            yield Change(NODES, label, texts, today=str(len(names)))
        added = f"{ADDED}{number}n[1-{few}]"
        lines = [f"NodeName={added} {_spec_of(kind)}"]
        for partition in machine.partitions:
            if places[0] in partition.nodes:
                members = ",".join(machine.names[place] for place in partition.nodes)
                lines.append(f"PartitionName={partition.name} Nodes={members},{added}")
        label = f"{number_of(few, 'node')} like {first} {MORE}"
        yield Change(NODES, label, tuple(lines), today=str(len(names)))


def _spec_of(kind: NodeKind) -> str:
    """Return the pairs of a NodeName line that describe a kind of nodes."""
    parts: Mapping[str, object] = {
        "CPUs": kind.cpus,
        "CoresPerSocket": kind.cpus // kind.threads,
        "ThreadsPerCore": kind.threads,
        "RealMemory": kind.memory,
        "Gres": ",".join(f"{name}:{count}" for name, count in kind.gres.items()),
        "Feature": ",".join(sorted(kind.features)),
        "Weight": kind.weight,
    }
    return " ".join(f"{key}={value}" for key, value in parts.items() if value not in (None, ""))


#: columns of a table of changes
COLUMNS = ("group", "label", "texts", "policy", "today")


def table_of(changes: Iterable[Change]) -> pd.DataFrame:
    """Return a row per change, with its texts as a list."""
    rows = [(one.group, one.label, list(one.texts), one.policy, one.today) for one in changes]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def changes_in(table: pd.DataFrame) -> list[Change]:
    """Return the changes of a table from `table_of`, without changed default limits."""
    return [
        Change(row.group, row.label, tuple(row.texts), row.policy, today=row.today)
        for row in table.itertuples()
    ]

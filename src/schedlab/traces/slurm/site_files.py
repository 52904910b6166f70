"""A site's Slurm from its files: slurm.conf or dumps of scontrol, and files of sacctmgr."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from schedlab.core.machine import Machine
from schedlab.core.slurm_site import (
    VERSIONS,
    NotModeled,
    Priorities,
    Qos,
    Scheduling,
    Site,
)
from schedlab.files.known_words import nearest
from schedlab.traces.slurm.accounts import Accounts
from schedlab.traces.slurm.conf_text import (
    KINDS,
    Record,
    Setting,
    SiteFileError,
    pairs_of,
    read_conf,
    text_of,
)
from schedlab.traces.slurm.sacct_times import zone_of
from schedlab.traces.slurm.sacctmgr_text import change_accounts, is_command, read_accounts
from schedlab.traces.slurm.scontrol_text import is_scontrol, read_scontrol
from schedlab.traces.slurm.site_changes import reservations_of, states_of
from schedlab.traces.slurm.site_keys import interpret, read_keys
from schedlab.traces.slurm.site_nodes import (
    Nodes,
    names_of,
    part_of,
    partitions_of,
    switches_of,
)

SitePath = str | os.PathLike[str]
#: files that are read if they are in the folder of slurm.conf, and the kind of their lines
NEIGHBORS = {"gres.conf": "gres", "topology.conf": "topology"}
TREE = "topology/tree"
#: before this release, jobs are in order of submission unless PriorityType says otherwise
MULTIFACTOR_SINCE = VERSIONS[1]
#: lines of other files than slurm.conf
LINES = {
    "gres": re.compile(r"^\s*(NodeName=\S+\s+)?Name=\w+\s.*\b(Count|File|Type)=", re.I | re.M),
    "topology": re.compile(r"^\s*SwitchName=", re.I | re.M),
}
#: note on a QOS that partitions or accounts name, and no file has
UNDEFINED = "without priority and limits; add a file of sacctmgr that has it"
#: where settings in place of those of files are from, and the key whose members they may be
CHANGE, PARAMETERS = "--slurm-set", "SchedulerParameters"
MEMORY = ("memory_per_cpu", "memory_per_node")


def read_site(
    conf: SitePath,
    accounts: SitePath | Iterable[SitePath] = (),
    *,
    version: str = VERSIONS[0],
    more: Iterable[SitePath] = (),
    origin: int | None = None,
    zone: str = "UTC",
    changed: Iterable[str] = (),
) -> Site:
    """Return a site's Slurm from its files.

    Parameters
    ----------
    conf : path
        slurm.conf, or the output of ``scontrol show config``, ``partition`` and ``node``. The
        files gres.conf and topology.conf of its folder are read, too.
    accounts : path or iterable of paths
        Commands of sacctmgr (with ``sacctmgr -i`` or without), the output of ``sacctmgr dump``,
        tables of ``sacctmgr show assoc|qos|user -P``, and of ``sshare -a -P`` for the usage at the
        beginning. Without a file there are no QOS and no associations but the root.
    version : {"22.05", "24.11", "25.11"}
        Release whose rules apply.
    more : iterable of paths
        Files in place of those in the folder, and dumps of scontrol, whose settings override those
        of slurm.conf. Nodes that a dump shows drained or down are so from the beginning.
    origin : int, optional
        Unix time of second 0, for reservations of a dump; without it they are not modeled.
    zone : str
        Time zone of a dump's times.
    changed : iterable of str
        Settings in place of those of the files: ``PriorityWeightAge=1000``; a member of
        SchedulerParameters such as ``bf_interval=60``; a line of nodes or a partition such as
        ``PartitionName=long PriorityTier=2``; or a command of sacctmgr such as ``modify qos high
        set Priority=2``.

    Returns
    -------
    Site
        `Site.not_modeled` lists each setting that is read and left out, with file and line.

    Raises
    ------
    SiteFileError
        A ValueError, if a line cannot be read or a setting is not supported; with file, line, key,
        value and what to do.
    """
    if version not in VERSIONS:
        raise ValueError(f"version {version} is not modeled; choose one of {', '.join(VERSIONS)}")
    left: list[NotModeled] = []
    kinds: defaultdict[str, list[Record]] = defaultdict(list)
    for record in _records(Path(conf), [Path(each) for each in more]):
        kinds[record.kind].append(record)
    texts = list(changed)
    commands = [text for text in texts if is_command(text)]
    for record in [_line(text) for text in texts if text not in commands and _is_line(text)]:
        _check_name(record, kinds[record.kind])
        kinds[record.kind].append(record)
    settings = [text for text in texts if text not in commands and not _is_line(text)]
    nodes = Nodes.of(kinds["node"], kinds["gres"], left)
    if not nodes.kinds:
        raise SiteFileError(
            f"{conf}: has no node; give its NodeName lines, or add the output of scontrol show node"
        )
    machine = Machine.of_nodes(nodes.kinds)
    values = _configuration(kinds["conf"], settings, version, left)
    memory = {name: values.get(f"default_{name}") for name in MEMORY}
    memory |= {f"most_{name}": values.pop(f"most_{name}", None) for name in MEMORY}
    is_tree, cluster = values.pop("topology", "") == TREE, values.pop("cluster", "")
    partitions = partitions_of(kinds["partition"], kinds["nodeset"], nodes, machine, memory, left)
    changes = states_of(nodes, kinds["downnodes"], machine, left)
    changes += reservations_of(kinds["reservation"], machine, origin, zone_of(zone), left)
    for other in ("frontend", "block"):
        for record in kinds[other]:
            interpret(other, record.settings.values(), left)
    if is_tree:
        values["switches"] = switches_of(kinds["topology"], machine, left)
        if not values["switches"]:
            note = "no leaf switch; add a topology.conf"
            left.append(NotModeled(str(conf), 0, "TopologyPlugin", TREE, note))
    values |= _accounts(accounts, cluster, left, commands)
    associations = values.get("associations", ())
    names = {each.qos for each in partitions} | {each.default_qos for each in associations}
    names = names.union(*(each.qos or () for each in associations)) - {""}
    missing = sorted(names - {each.name for each in values.get("qos", ())})
    left += [NotModeled(str(conf), 0, "QOS", name, UNDEFINED) for name in missing]
    values["qos"] = (*values.get("qos", ()), *map(Qos, missing))
    return Site(
        replace(
            machine,
            partitions=partitions,
            changes=tuple(sorted(changes, key=lambda change: change.time)),
        ),
        version=version,
        not_modeled=tuple(dict.fromkeys(left)),
        **values,
    )


def _records(conf: Path, more: list[Path]) -> list[Record]:
    """Return the records of all files; those of a kind in `more` replace that of the folder."""
    records, given = _read(conf), [_read(each) for each in more]
    kinds = {record.kind for part in given for record in part}
    for name, kind in NEIGHBORS.items():
        if kind not in kinds and (path := conf.with_name(name)).is_file():
            records += read_conf(path, kind)
    return records + [record for part in given for record in part]


def _read(path: Path) -> list[Record]:
    """Return the records of a file of any kind."""
    text = text_of(path)
    if is_scontrol(text):
        return read_scontrol(path)
    kinds = {kind for kind, lines in LINES.items() if lines.search(text)}
    return read_conf(path, *kinds)


def _configuration(
    records: list[Record], changed: Iterable[str], version: str, left: list[NotModeled]
) -> dict[str, Any]:
    """Return the fields of `Site` that the keys of slurm.conf have, and some more."""
    settings = {key: each for record in records for key, each in record.settings.items()}
    meanings = interpret("conf", settings.values(), left)
    for text in changed:
        meanings |= _changed(text)
    values, priorities = part_of(meanings, "site"), part_of(meanings, "priorities")
    if "multifactor" not in priorities:
        priorities["multifactor"] = version >= MULTIFACTOR_SINCE
    if names := {name for name in values.pop("select", ()) if "default" not in name}:
        values["memory_counts"] = any("memory" in name for name in names)
        values["whole_cores"] = any(name.startswith("cr_core") for name in names)
    values["priorities"] = Priorities(**priorities)
    values["scheduling"] = Scheduling(**part_of(meanings, "scheduling"))
    return values


def _is_line(text: str) -> bool:
    """Return whether a changed setting is a line of nodes or a partition."""
    return text.split("=", 1)[0].strip().casefold() in KINDS["conf"]


def _line(text: str) -> Record:
    """Return the record of a line in place of one of the files."""
    first, *rest = pairs_of(CHANGE, 0, text)
    kind = KINDS["conf"][first.key.casefold()]
    left: list[NotModeled] = []
    meaning = interpret(kind, rest, left)
    if left:
        raise first.error(f"{left[0].key} is not modeled: {left[0].note}")
    if not meaning:
        raise first.error("changes nothing here")
    return Record(kind, first, {each.key.casefold(): each for each in rest})


def _check_name(record: Record, lines: Iterable[Record]) -> None:
    """Check that what a changed line names is there; nodes may be new if it says what they have."""
    lines, what = list(lines), "node" if record.kind == "node" else "partition"
    names, known = [record.name.value], {each.name.value for each in lines}
    if what == "node":
        names, known = names_of(record.name), {one for each in lines for one in names_of(each.name)}
        if record.settings.keys() - {"state", "reason"}:
            return
    if missing := [name for name in names if name not in known]:
        raise record.name.error(f"there is no {what} {missing[0]}{nearest(missing[0], known)}")


def _changed(text: str) -> dict[str, object]:
    """Return the meaning of a setting in place of one of the files."""
    key, _, value = (part.strip() for part in text.partition("="))
    setting = Setting(CHANGE, 0, key, value)
    if ("conf", key.casefold()) not in read_keys():
        setting = Setting(CHANGE, 0, PARAMETERS, text)
        if key.casefold() not in read_keys()["conf", PARAMETERS.casefold()]:
            raise setting.error(f"{key} is no key of slurm.conf, and none of {PARAMETERS}")
    left: list[NotModeled] = []
    meaning = interpret("conf", [setting], left)
    if left:
        raise setting.error(f"is not modeled: {left[0].note}")
    if not meaning:
        raise setting.error("changes nothing here")
    return meaning


def _accounts(
    paths: SitePath | Iterable[SitePath],
    cluster: str,
    left: list[NotModeled],
    commands: Iterable[str],
) -> dict[str, Any]:
    """Return the fields of `Site` that files of accounts have, and commands of sacctmgr."""
    files = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not files:
        if command := next(iter(commands), None):
            raise SiteFileError(f"{CHANGE}: {command}: give a file of accounts (--accounts)")
        return {}
    accounts = Accounts(left)
    for path in files:
        read_accounts(Path(path), accounts, cluster)
    before = len(left)
    for command in commands:
        change_accounts(CHANGE, command, accounts)
    if left[before:]:
        raise SiteFileError(f"{CHANGE}: {left[before].key}: is not modeled: {left[before].note}")
    try:
        qos, associations = accounts.built()
    except SiteFileError as problem:
        raise SiteFileError(f"{files[0]}: {problem}") from None
    return {
        "qos": qos,
        "associations": associations,
        "usage": accounts.usage,
        "default_accounts": accounts.default_accounts,
    }

"""Node specifications of Torque, as some sites write them behind the fields of a log."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

EXCLUSIVE = "excl"
_HOST = re.compile(r"(?:host=)?([a-z_]+)\d+(?:\.[\w.-]+)?")


@dataclass(frozen=True)
class NodeSpec:
    """What a job asks of its nodes.

    Parameters
    ----------
    nodes : int
        How many; 0: it does not say.
    exclusive : bool
        Whether it wants them for itself.
    wanted, unwanted : frozenset of str
        Clusters that the nodes are to be of, by name, and those that they are not to be of.
    cpus : int or None
        Processors that a node is to have, used by the job or not.
    """

    nodes: int = 0
    exclusive: bool = False
    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()
    cpus: int | None = None


def parse_node_spec(text: str, clusters: Iterable[str]) -> NodeSpec:
    """Read a specification such as ``2:ppn=8:cl_zewura+1:ppn=2#excl``.

    It is parts of nodes that are alike, joined by ``+``; each is how many nodes (one if it does not
    say), processors of each that the job uses (``ppn``), and properties that they must have, or,
    behind ``^``, must not have. Of these, names of clusters (``cl_zewura``), processors of a node
    (``nodecpus80``) and single hosts (``zewura12.site.cz``) are read, a host as any of its
    cluster; a host that is not wanted leaves its cluster to the job. What no machine's table tells
    of (operating systems, mounts, buildings) is passed over.

    Parameters
    ----------
    text : str
        The specification; empty: nothing is asked.
    clusters : iterable of str
        Names of the machine's clusters: what begins like one of them and a number is a host of it.

    Examples
    --------
    >>> found = parse_node_spec("8:ppn=12:x86_64:cl_zegox#excl", ["zewura", "zegox"])
    >>> found.nodes, found.exclusive, sorted(found.wanted)
    (8, True, ['zegox'])
    """
    if not text:
        return NodeSpec()
    parts, _, flags = text.partition("#")
    known, nodes, wanted, unwanted, cpus = set(clusters), 0, set(), set(), None
    for part in parts.split("+"):
        first, *others = part.split(":")
        nodes += int(first) if first.isdigit() else 1
        for word in others if first.isdigit() else [first, *others]:
            name, host = word.removeprefix("^"), _HOST.fullmatch(word)
            if name.startswith("cl_"):
                (wanted if word == name else unwanted).add(name.removeprefix("cl_"))
            elif name.startswith("nodecpus") and word == name and name[8:].isdigit():
                cpus = int(name[8:])
            elif host and host[1] in known:
                wanted.add(host[1])
    return NodeSpec(
        nodes, EXCLUSIVE in flags.split("#"), frozenset(wanted), frozenset(unwanted), cpus
    )

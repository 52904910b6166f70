"""Node specifications of Torque, which some sites append to the fields of a log."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

EXCLUSIVE = "excl"
_HOST = re.compile(r"(?:host=)?([a-z_]+)\d+(?:\.[\w.-]+)?")


@dataclass(frozen=True)
class NodeSpec:
    """Request of a job for nodes; 0 nodes if not specified.

    `wanted` and `unwanted` are names of clusters that the nodes must, and must not, belong to. A
    node must have `cpus` processors, whether the job uses them or not.
    """

    nodes: int = 0
    exclusive: bool = False
    wanted: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()
    cpus: int | None = None


def parse_node_spec(text: str, clusters: Iterable[str]) -> NodeSpec:
    """Parse a specification such as ``2:ppn=8:cl_zewura+1:ppn=2#excl``.

    It has parts for groups of identical nodes, joined by ``+``. Each part has a number of nodes
    (default 1), processors per node that the job uses (``ppn``), and properties that the nodes must
    have, or, after ``^``, must not have. The parser reads names of clusters (``cl_zewura``),
    processors of a node (``nodecpus80``) and single hosts (``zewura12.site.cz``). A host means its
    whole cluster; an unwanted host does not exclude its cluster. Other properties (operating
    systems, mounts, buildings) are ignored. An empty text requests nothing. A name of `clusters`
    followed by a number is one of its hosts.

    Examples
    --------
    >>> found = parse_node_spec("8:ppn=12:x86_64:cl_zegox#excl", ["zewura", "zegox"])
    >>> found.nodes, found.exclusive, sorted(found.wanted)
    (8, True, ['zegox'])
    """
    if not text:
        return NodeSpec()
    parts, _, flags = text.partition("#")
    cluster_names, nodes, included, excluded, cpus = set(clusters), 0, set(), set(), None
    for part in parts.split("+"):
        first, *words = part.split(":")
        nodes += int(first) if first.isdigit() else 1
        for word in words if first.isdigit() else [first, *words]:
            name, host = word.removeprefix("^"), _HOST.fullmatch(word)
            if name.startswith("cl_"):
                (included if word == name else excluded).add(name.removeprefix("cl_"))
            elif name.startswith("nodecpus") and word == name and name[8:].isdigit():
                cpus = int(name[8:])
            elif host and host[1] in cluster_names:
                included.add(host[1])
    return NodeSpec(
        nodes, EXCLUSIVE in flags.split("#"), frozenset(included), frozenset(excluded), cpus
    )

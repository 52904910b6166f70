"""Size of a machine: from its partitions, or from the processors that jobs used.

References
----------
Slurm, scontrol(1), show partition: Nodes and TotalCPUs; sinfo(1).
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil

import numpy as np
import pandas as pd

from schedlab.traces.slurm.sacct_limits import is_sinfo, read_settings
from schedlab.traces.slurm.sinfo_text import read_sinfo_text

#: share of the time that a quantile of the processors in use covers
SHARE = 0.99
#: number of spans of time in which use is averaged
BINS = 1_000_000
#: limit on the nodes of a bracket; larger numbers are not a valid list
MOST_NODES = 1_000_000
_NO_NODES = frozenset({"", "(null)", "all"})
_PART = re.compile(r"((?:[^,\[\]]|\[[^\]]*\])+)(?:,|$)")


@dataclass(frozen=True)
class MachineSize:
    """The size of a machine: Slurm's CPUs of all distinct nodes, counting each node once.

    If `estimated`, the number is computed from the mean number of processors of a node, because
    partitions overlap in part.
    """

    processors: int
    nodes: int
    estimated: bool = False


def read_machine_size(path: str | os.PathLike[str]) -> MachineSize | None:
    """Read the size of a machine from the output of ``scontrol show partition`` or ``sinfo``."""
    if is_sinfo(path):
        totals = read_sinfo_text(path).groupby("name")["total"].max()
        return MachineSize(int(totals.sum()), len(totals)) if len(totals) else None
    partitions = []
    for cells in read_settings(path).values():
        line, names = cells.get("nodes", (0, ""))
        count_line, count = cells.get("totalcpus", (0, ""))
        if names.casefold() in _NO_NODES or not count:
            continue
        if not (count.isascii() and count.isdigit()):
            raise ValueError(f"{path}: line {count_line}: TotalCPUs '{count}' is not a number")
        try:
            nodes = frozenset(expand_nodes(names))
        except ValueError as error:
            raise ValueError(f"{path}: line {line}: Nodes {error}") from error
        partitions.append((nodes, int(count)))
    return add_up(partitions) if partitions else None


def expand_nodes(text: str) -> Iterator[str]:
    """Yield the nodes of a list in Slurm's notation; raise ValueError for another text."""
    parts = _PART.findall(text)
    if not parts or ",".join(parts) != text:
        raise ValueError(f"'{text}' is not a list of nodes like n[1-4,7],gpu1")
    for part in parts:
        pieces = re.split(r"\[([^\]]*)\]", part)
        choices = [
            _numbers(piece, text) if place % 2 else [piece] for place, piece in enumerate(pieces)
        ]
        yield from map("".join, product(*choices))


def _numbers(text: str, whole: str) -> list[str]:
    """Return the numbers of a bracket, with their leading zeros."""
    numbers = []
    for piece in text.split(","):
        match = re.fullmatch(r"([0-9]+)(?:-([0-9]+))?", piece)
        if not match or not 0 <= int(match[2] or match[1]) - int(match[1]) < MOST_NODES:
            raise ValueError(f"'{whole}' is not a list of nodes like n[1-4,7],gpu1")
        width = len(match[1])
        numbers += [
            str(number).zfill(width)
            for number in range(int(match[1]), int(match[2] or match[1]) + 1)
        ]
    return numbers


def add_up(partitions: Sequence[tuple[frozenset[str], int]]) -> MachineSize:
    """Add up the processors of partitions, given with their nodes, counting each node once.

    Small partitions come first: the processors that a larger one has in addition belong to its
    other nodes. This is exact if partitions are equal, nested or disjoint.
    """
    per_node: dict[str, Fraction] = {}
    group: dict[str, frozenset[str]] = {}
    estimated = False
    for nodes, total in sorted(partitions, key=lambda one: (len(one[0]), sorted(one[0]))):
        counted_nodes, new_nodes = nodes & per_node.keys(), nodes - per_node.keys()
        mean = Fraction(total, len(nodes))
        split = any(not group[node] <= nodes and per_node[node] != mean for node in counted_nodes)
        unassigned = total - sum(per_node[node] for node in counted_nodes)
        if not new_nodes:
            continue
        if unassigned < len(new_nodes):  # a node has at least one processor
            unassigned, split = mean * len(new_nodes), True
        estimated |= split
        per_node |= dict.fromkeys(new_nodes, Fraction(unassigned, len(new_nodes)))
        group |= dict.fromkeys(new_nodes, frozenset(new_nodes))
    return MachineSize(ceil(sum(per_node.values())), len(per_node), estimated)


def in_use(jobs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of processors that a log's jobs used, and the duration of each.

    Both arrays are int64, the second in seconds, with an entry for each time between two starts or
    ends, from the first start to the last end.
    """
    ran = jobs[(jobs["runtime"] > 0) & (jobs["procs"] > 0)]
    start = ran["submit"].to_numpy(dtype=np.int64) + ran["wait"].clip(lower=0).to_numpy()
    procs = ran["procs"].to_numpy(dtype=np.int64)
    times = np.concatenate([start, start + ran["runtime"].to_numpy(dtype=np.int64)])
    steps = np.concatenate([procs, -procs])
    order = np.argsort(times, kind="stable")
    # times with several starts or ends have spans of 0 s between them
    seconds = np.diff(times[order])
    used = np.cumsum(steps[order])[:-1]
    return used[seconds > 0], seconds[seconds > 0]


def overuse(jobs: pd.DataFrame, processors: int) -> tuple[float, int]:
    """Return for which share of the time more than the machine was in use, and the most in use."""
    start = (jobs["submit"] + jobs["wait"]).to_numpy(dtype=np.int64)
    end = start + jobs["runtime"].clip(lower=0).to_numpy(dtype=np.int64)
    if not len(start):
        return 0.0, 0
    zero = start.min()
    width = max(-(-int(end.max() - zero) // BINS), 1)
    procs = jobs["procs"].to_numpy(dtype=np.float64)
    level, part = np.zeros((2, int(end.max() - zero) // width + 1))
    for times, sign in ((start - zero, 1), (end - zero, -1)):
        places, into = np.divmod(times, width)
        level += sign * np.bincount(places, procs, len(level))
        part += sign * np.bincount(places, procs * (width - into), len(level))
    used = np.concatenate([[0], np.cumsum(level)[:-1]]) + part / width
    return float((used > processors).sum() / max((used > 0).sum(), 1)), int(used.max())


def usual_use(jobs: pd.DataFrame, share: float = SHARE) -> int:
    """Return the fewest processors that suffice for a share of the time and for the widest job."""
    used, seconds = in_use(jobs)
    widest = int(jobs["procs"].max()) if len(jobs) else 0
    if not len(used):
        return max(widest, 1)
    order = np.argsort(used, kind="stable")
    passed = np.cumsum(seconds[order])
    place = int(np.searchsorted(passed, share * passed[-1]))
    return max(int(used[order][place]), widest, 1)

"""Processors that no job may have for a time: drains, reservations, nodes that come later.

Queues that count processors see a change of nodes as a number of processors that are closed. A
reservation is known when it is created, a drain when it begins. Jobs on a
drained node go on; a reservation that is known before has no job on its nodes when it begins.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs
    from schedlab.core.machine import Change, Machine

#: the expected end of a closure whose end is not known, seconds
FOREVER = 2**50
#: columns of closures, times in seconds
COLUMNS = ("known", "begin", "end", "expected", "procs")

NO_CLOSURES = np.zeros((0, len(COLUMNS)), dtype=np.int64)


def closures_of(machine: Machine) -> np.ndarray:
    """Return the closures of a machine, int64 of shape (n, 5) with `COLUMNS`.

    Where two changes close a node at the same time, the earlier one does. A node that is resumed
    without a drain is closed from the beginning. Raises ValueError for a node that goes down: which
    job it had is not known where only processors are counted.
    """
    by_node: dict[int, list[Change]] = defaultdict(list)
    for change in sorted(machine.changes, key=lambda change: change.time):
        if change.kind in ("down", "delete"):
            raise ValueError(
                f"change at {change.time} s: '{change.kind}' needs a scheduler that knows nodes, "
                "as Slurm's does; where processors are counted, a node can be drained"
            )
        for node in change.nodes:
            by_node[node].append(change)
    closed: dict[tuple[int, ...], int] = defaultdict(int)
    for node, changes in by_node.items():
        for row in _of_node(changes):
            closed[row] += int(machine.cpus[node])
    rows = [(*row, procs) for row, procs in sorted(closed.items())]
    return np.array(rows, dtype=np.int64).reshape(-1, len(COLUMNS))


def _of_node(changes: list[Change]) -> list[tuple[int, int, int, int]]:
    """Return when a node is closed: known, begin, end and expected end of each time."""
    rows, until = [], 0
    for place, change in enumerate(changes):
        if change.kind == "resume":
            if change.time > until and not any(one.kind == "drain" for one in changes[:place]):
                rows.append((0, 0, change.time, FOREVER))
                until = change.time
            continue
        later = [after.time for after in changes[place + 1 :] if after.kind == "resume"]
        end = min([FOREVER if change.end is None else change.end, *later[: change.kind == "drain"]])
        begin = max(change.time, until)
        if begin < end:
            known = change.time if change.known is None else change.known
            expected = max(FOREVER if change.end is None else change.end, end)
            rows.append((max(min(known, begin), 0), begin, end, expected))
            until = end
    return rows


def check_open(jobs: Jobs, processors: int, closures: np.ndarray) -> None:
    """Raise ValueError if a job is wider than what is open in the end."""
    left = processors - int(closures[closures[:, 2] >= FOREVER, 4].sum())
    if (wide := np.flatnonzero(jobs.procs > left)).size:
        job = wide[0]
        raise ValueError(
            f"job {jobs.number[job]}: procs is {jobs.procs[job]}, but only {left} of {processors} "
            "processors stay open: it may never start"
        )

"""What jobs ask for beyond processors and time."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of texts, each kept once: `code` of each job is a place in `names`."""

    code: NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def of(cls, column: pd.Series) -> Self:
        """Return a column of texts; missing ones are empty."""
        code, names = pd.factorize(column.astype("object").where(column.notna(), ""))
        return cls(np.asarray(code, dtype=np.int32), tuple(map(str, names)))

    def __len__(self) -> int:
        return len(self.code)

    def __getitem__(self, job: int) -> str:
        return self.names[int(self.code[job])]

    def take(self, index: Any) -> Texts:
        """Return the texts at `index`."""
        return Texts(self.code[index], self.names)


@dataclass(frozen=True, eq=False)
class Requests:
    """Requests of n jobs in the order of `Jobs`, as a struct of arrays.

    Parameters
    ----------
    nodes, most_nodes : ndarray of int64, shape (n,)
        Least and largest number of nodes; 0: not given.
    tasks, cpus_per_task : ndarray of int64, shape (n,)
        Tasks, 0: not given, and processors of each, at least 1.
    memory : ndarray of int64, shape (n,)
        MB per node, or per processor where `per_cpu`; 0: all memory of its nodes, -1: not given.
    per_cpu : ndarray of bool, shape (n,)
        Whether memory is per processor.
    exclusive : ndarray of bool, shape (n,)
        Whether a job takes whole nodes.
    begin : ndarray of int64, shape (n,)
        Not before this time, as submit times; -1: at once.
    array : ndarray of int64, shape (n,)
        Number of the job array; -1: none.
    nice : ndarray of int64, shape (n,)
        Points that are taken from the priority.
    gres, features, partition, qos, account, user, reservation, after : Texts
        Generic resources per node (``gpu:2``), constraint (``ib&gpu``), partitions
        (comma-separated), names, and numbers of jobs that must end before (comma-separated).
    """

    nodes: NDArray[np.int64]
    most_nodes: NDArray[np.int64]
    tasks: NDArray[np.int64]
    cpus_per_task: NDArray[np.int64]
    memory: NDArray[np.int64]
    per_cpu: NDArray[np.bool_]
    exclusive: NDArray[np.bool_]
    begin: NDArray[np.int64]
    array: NDArray[np.int64]
    nice: NDArray[np.int64]
    gres: Texts
    features: Texts
    partition: Texts
    qos: Texts
    account: Texts
    user: Texts
    reservation: Texts
    after: Texts

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Self:
        """Return the requests of a data frame; a missing column is unknown for all jobs."""
        columns: dict[str, Any] = {}
        for name, default in DEFAULTS.items():
            column = frame[name] if name in frame else pd.Series(default, index=frame.index)
            if isinstance(default, str):
                columns[name] = Texts.of(column)
            else:
                values = column.to_numpy(dtype=type(default), na_value=default)
                columns[name] = values if isinstance(default, bool) else values.astype(np.int64)
        return cls(**columns)

    def __len__(self) -> int:
        return len(self.nodes)

    def take(self, index: Any) -> Requests:
        """Return the requests of the jobs at `index`."""
        taken: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            taken[field.name] = value.take(index) if isinstance(value, Texts) else value[index]
        return Requests(**taken)


#: columns of `Requests` and what they hold where nothing is known
DEFAULTS: dict[str, int | bool | str] = {
    **{"nodes": 0, "most_nodes": 0, "tasks": 0, "cpus_per_task": 1, "memory": UNKNOWN},
    **{"per_cpu": False, "exclusive": False, "begin": UNKNOWN, "array": UNKNOWN, "nice": 0},
    **dict.fromkeys(
        ("gres", "features", "partition", "qos", "account", "user", "reservation", "after"), ""
    ),
}

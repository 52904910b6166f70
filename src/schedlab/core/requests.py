"""What jobs ask for beyond processors and time."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
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
        if isinstance(column.dtype, pd.CategoricalDtype):
            code, names = column.cat.codes.to_numpy(), [*column.cat.categories, ""]
            code = np.where(code < 0, len(names) - 1, code)
        else:
            code, names = pd.factorize(column.astype("object").where(column.notna(), ""))
        return cls(np.asarray(code, dtype=np.int32), tuple(map(str, names)))

    def __len__(self) -> int:
        return len(self.code)

    def __getitem__(self, job: int) -> str:
        return self.names[int(self.code[job])]

    def take(self, index: Any) -> Texts:
        """Return the texts at `index`."""
        return Texts(self.code[index], self.names)

    def known(self) -> NDArray[np.bool_]:
        """Return which jobs have a text."""
        return np.array([name != "" for name in self.names], dtype=bool)[self.code]

    def column(self) -> pd.Categorical:
        """Return the texts as a column in which each is kept once."""
        place, names = pd.factorize(np.array(self.names, dtype=object))
        codes = self.code if len(names) == len(place) else place[self.code]
        kind = pd.CategoricalDtype(pd.Index(names, dtype="str"))
        return pd.Categorical.from_codes(codes, dtype=kind, validate=False)


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

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self | None:
        """Return the requests of `columns_in` a data frame of jobs, None if it has none."""
        columns = columns_in(frame)
        return cls.from_frame(pd.DataFrame(columns, frame.index)) if columns else None

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with the columns `DEFAULTS`; each text is kept once."""
        values = {name: getattr(self, name) for name in DEFAULTS}
        return pd.DataFrame(
            {
                n: value.column() if isinstance(value, Texts) else value
                for n, value in values.items()
            }
        )

    def known(self) -> dict[str, int]:
        """Return how many jobs have each request, by the names of `DEFAULTS`; without zeros."""
        known: dict[str, int] = {}
        for name, default in DEFAULTS.items():
            value = getattr(self, name)
            has_value = value.known() if isinstance(value, Texts) else value != default
            if count := int(np.count_nonzero(has_value)):
                known[name] = count
        return known

    def earlier(self, seconds: int) -> Requests:
        """Return the same requests on a clock that began some seconds later."""
        begin = np.where(self.begin < 0, self.begin, np.maximum(self.begin - seconds, 0))
        return replace(self, begin=begin)

    def __len__(self) -> int:
        return len(self.nodes)

    def take(self, index: Any) -> Requests:
        """Return the requests of the jobs at `index`."""
        taken: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            taken[field.name] = value.take(index) if isinstance(value, Texts) else value[index]
        return Requests(**taken)


def columns_in(frame: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the columns of requests in a data frame of jobs by their names in `DEFAULTS`.

    Columns of logs have names that begin with `PREFIX`. If there are none, names are plain. Then
    numbers in place of texts (user, account) are no requests, and `OF_LOGS` alone are none either.
    """
    columns = {name: frame[PREFIX + name] for name in DEFAULTS if PREFIX + name in frame}
    if columns:
        return columns
    for name, default in DEFAULTS.items():
        if name in frame and not (isinstance(default, str) and is_number(frame[name])):
            columns[name] = frame[name]
    return {} if columns.keys() <= OF_LOGS else columns


def is_number(column: pd.Series) -> bool:
    """Return whether a column has numbers."""
    return bool(pd.api.types.is_numeric_dtype(column))


#: columns of `Requests` and what they hold where nothing is known
DEFAULTS: dict[str, int | bool | str] = {
    **{"nodes": 0, "most_nodes": 0, "tasks": 0, "cpus_per_task": 1, "memory": UNKNOWN},
    **{"per_cpu": False, "exclusive": False, "begin": UNKNOWN, "array": UNKNOWN, "nice": 0},
    **dict.fromkeys(
        ("gres", "features", "partition", "qos", "account", "user", "reservation", "after"), ""
    ),
}
#: fields of logs with these names are no requests
OF_LOGS = frozenset({"nodes", "memory"})
#: begins the names of requests in the frames and files of logs, where `OF_LOGS`, user, account and
#: partition are other columns
PREFIX = "request."
COLUMNS = tuple(PREFIX + name for name in DEFAULTS)
#: column of logs with the nodes on which a job ran, as in Slurm's NodeList ("" if unknown)
RAN_ON = "ran_on"

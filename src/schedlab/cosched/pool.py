"""Pools of applications: their run times alone, and in pairs on shared nodes.

In a pool's measurements, every application runs alone on full nodes, and pairs of applications run
on shared nodes, each with half of every node. A pair that was not measured is nan here.
`schedlab.cosched.pairs` can complete it, and the result's label then states that.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd

PAIR_COLUMNS = ["name_A", "procs_A", "compact_A", "name_B", "procs_B", "compact_B", "co_A_B"]
BACK = "co_B_A"  # time of the other application, if a table has both in one row
MISSING = ("", "-")  # values of a table for a pair that was not measured
MOST_PROCESSES = 2**31 - 1
STAND_IN = "Table 4.1"  # beginning of the label of a substitute for a pool that is not available
FRAME_COLUMNS = {"name_A": str, "procs_A": "int64", "compact_A": float, "name_B": str}
FRAME_COLUMNS |= {"co_A_B": float, "speedup_A_B": float, "measured": bool, "pool": str}


class PoolError(ValueError):
    """A pool has an invalid value; the message names file, application and field."""


@dataclass(frozen=True, eq=False)
class Pool:
    """A applications, with run times alone and in pairs (kellari2025, section 4.2).

    Attributes
    ----------
    label : str
        Name of the pool where its numbers are shown.
    names : tuple of str, length A
        Applications, such as ``bt.D.256``: benchmark, problem class, processes.
    procs : ndarray of int32, shape (A,)
        Number of processes, one per core.
    compact : ndarray of float64, shape (A,)
        Run time alone on full nodes in seconds, T(a).
    coscheduled : ndarray of float64, shape (A, A)
        Run time of the row's application when it shares nodes with the column's, in seconds, C(a,
        b); nan if unknown.
    measured : ndarray of bool, shape (A, A)
        Whether the pair was measured; the others are nan or were completed.
    """

    label: str
    names: tuple[str, ...]
    procs: np.ndarray
    compact: np.ndarray
    coscheduled: np.ndarray
    measured: np.ndarray

    def __len__(self) -> int:
        return len(self.names)

    @property
    def speedup(self) -> np.ndarray:
        """Speedup of the row's application when paired with the column's, T(a) / C(a, b)."""
        return self.compact[:, None] / self.coscheduled

    def index(self, names: Iterable[str]) -> np.ndarray:
        """Return the places of applications; a `PoolError` names the first unknown one."""
        places = {name: place for place, name in enumerate(self.names)}
        names = list(names)
        if strange := [name for name in names if name not in places]:
            raise PoolError(
                f"{self.label}: application '{strange[0]}' is not in the pool; "
                f"its {len(self)} applications are {', '.join(self.names)}"
            )
        return np.array([places[name] for name in names], dtype=np.int32)

    def take(self, places: Sequence[int]) -> Self:
        """Return the pool with only the applications at `places`."""
        places = np.asarray(places)
        return replace(
            self,
            names=tuple(self.names[place] for place in places),
            procs=self.procs[places],
            compact=self.compact[places],
            coscheduled=self.coscheduled[np.ix_(places, places)],
            measured=self.measured[np.ix_(places, places)],
        )

    def completed(self, speedup: np.ndarray, how: str) -> Self:
        """Return the pool with `speedup` for unknown pairs, and with `how` in its label."""
        filled = np.where(np.isnan(self.coscheduled), self.compact[:, None] / speedup,
                          self.coscheduled)  # fmt: skip
        return replace(self, coscheduled=filled, label=f"{self.label}, {how}")

    def to_frame(self) -> pd.DataFrame:
        """Return every ordered pair as a row; unknown times and speedups are nan."""
        size = len(self)
        names = np.array(self.names, dtype=object)
        frame = {
            "name_A": names.repeat(size),
            "procs_A": self.procs.repeat(size),
            "compact_A": self.compact.repeat(size),
            "name_B": np.tile(names, size),
            "co_A_B": self.coscheduled.ravel(),
            "speedup_A_B": self.speedup.ravel(),
            "measured": self.measured.ravel(),
            "pool": self.label,
        }
        return pd.DataFrame(frame).astype(FRAME_COLUMNS)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Self:
        """Return the pool for the output of `to_frame`."""
        size = math.isqrt(len(frame))
        first_rows = frame.iloc[::size]
        return cls(
            frame["pool"].iloc[0],
            tuple(first_rows["name_A"]),
            first_rows["procs_A"].to_numpy(np.int32),
            first_rows["compact_A"].to_numpy(float),
            frame["co_A_B"].to_numpy(float).reshape(size, size),
            frame["measured"].to_numpy(bool).reshape(size, size),
        )


def read_pool(path: str | Path, label: str = "") -> Pool:
    """Read a pool from JSON in ELiSE's format, or from a table of pairs (.csv, .tsv).

    JSON is an object whose ``loads`` is a list of texts that are JSON themselves, one per
    application, with the times of its runs. A table has the columns name_A, procs_A, compact_A,
    name_B, procs_B, compact_B, co_A_B and optionally co_B_A. The label is by default the name of
    the file.

    Applications are sorted by name, then by processes. From JSON, T(a) is the median of the runs
    alone, C(a, b) the median of all runs paired with b, and C(a, a) the mean of the medians of the
    two copies.

    Raises `PoolError`, with file, application and field, if the file is not a pool; a time is
    missing, negative, zero or not finite; a process count is not a whole number from 1 to 2**31 -
    1; or a pair names an unknown application, or appears twice with different times.
    """
    path = Path(path)
    read = _read_loads if path.suffix == ".json" else _read_pairs
    return read(path, label or path.name)


def _loads(path: Path) -> list[dict]:
    """Return the applications of a JSON pool: an object whose `loads` are JSON texts."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        loads = [json.loads(text) for text in stored["loads"]]
    except (ValueError, KeyError, TypeError) as error:
        raise PoolError(f"{path}: not a pool: {type(error).__name__}: {error}") from None
    for number, load in enumerate(loads, start=1):
        for field in ("load_name", "num_of_processes", "compact_timelogs", "coscheduled_timelogs"):
            if not isinstance(load, dict) or field not in load:
                raise PoolError(f"{path}: application {number}: field '{field}' is missing")
        place = f"{path}: application {number}: field"
        _name(load["load_name"], f"{place} 'load_name'")
        if not isinstance(load["coscheduled_timelogs"], dict):
            raise PoolError(f"{place} 'coscheduled_timelogs': not an object of partners")
    return loads


def _read_loads(path: Path, label: str) -> Pool:
    procs, compact, runs = {}, {}, {}
    for load in _loads(path):
        name = load["load_name"]
        place = f"{path}: application '{name}'"
        if name in procs:
            raise PoolError(f"{place}: appears twice")
        procs[name] = _count(load["num_of_processes"], f"{place}: field 'num_of_processes'")
        field = f"{place}: field 'compact_timelogs'"
        compact[name] = float(np.median(_times(load["compact_timelogs"], field)))
        for partner, copies in load["coscheduled_timelogs"].items():
            field = f"{place}: field 'coscheduled_timelogs.{partner}'"
            if not isinstance(copies, list) or not copies:
                raise PoolError(f"{field}: no runs")
            copies = [_times(copy, field) for copy in copies]
            runs[name, partner] = (
                np.mean([np.median(copy) for copy in copies])
                if name == partner
                else np.median(np.concatenate(copies))
            )
    return _assemble(path, label, procs, compact, runs)


def _read_pairs(path: Path, label: str) -> Pool:
    procs, compact, runs = {}, {}, {}
    for line, row in _rows(path):
        for side in "AB":
            name = _name(row[f"name_{side}"], f"{path}:{line}: field 'name_{side}'")
            place = f"{path}:{line}: application '{name}': field"
            field = f"{place} 'procs_{side}'"
            _once(procs, name, _count(row[f"procs_{side}"], field), field)
            field = f"{place} 'compact_{side}'"
            _once(compact, name, _time(row[f"compact_{side}"], field), field)
        place = f"{path}:{line}: application '{row['name_A']}': field"
        pair = row["name_A"], row["name_B"]
        times = {
            column: _time(row[column], f"{place} '{column}'")
            for column in ("co_A_B", BACK)
            if row.get(column, "") not in MISSING
        }
        if pair[0] == pair[1] and times:  # two copies of one application
            times = {"co_A_B": sum(times.values()) / len(times)}
        for column, time in times.items():
            ordered = pair if column == "co_A_B" else pair[::-1]
            _once(runs, ordered, time, f"{place} '{column}': with '{row['name_B']}'")
    return _assemble(path, label, procs, compact, runs)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and values by column of a table of pairs."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        header = reader.fieldnames or []
        if lacking := [column for column in PAIR_COLUMNS if column not in header]:
            raise PoolError(f"{path}: not a table of pairs: column '{lacking[0]}' is missing")
        for row in reader:
            if None in row or None in row.values():  # too many or too few values
                raise PoolError(f"{path}:{reader.line_num}: not the header's {len(header)} cells")
            yield reader.line_num, row


def _once(values: dict, key: object, value: float, place: str) -> None:
    if values.setdefault(key, value) != value:
        raise PoolError(f"{place}: {value:g} here and {values[key]:g} above")


def _name(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise PoolError(f"{place}: {value!r} is not a name")
    return value


def _assemble(path: Path, label: str, procs: dict, compact: dict, runs: dict) -> Pool:
    names = sorted(procs, key=lambda name: (name.split(".")[:2], procs[name], name))
    places = {name: place for place, name in enumerate(names)}
    times = np.full((len(names), len(names)), np.nan)
    for (name, partner), time in runs.items():
        if partner not in places:
            raise PoolError(f"{path}: application '{name}': its partner '{partner}' has no entry")
        times[places[name], places[partner]] = time
    return Pool(
        label,
        tuple(names),
        np.array([procs[name] for name in names], dtype=np.int32),
        np.array([compact[name] for name in names], dtype=float),
        times,
        ~np.isnan(times),
    )


def _times(values: Any, place: str) -> np.ndarray:
    if not isinstance(values, list) or not values:
        raise PoolError(f"{place}: no times")
    return np.array([_time(value, place) for value in values])


def _time(value: Any, place: str) -> float:
    """Return a time in seconds; raise an error if it is not positive and finite."""
    try:
        if isinstance(value, bool):
            raise TypeError
        time = float(value)
    except (TypeError, ValueError, OverflowError):
        raise PoolError(f"{place}: {value!r:.40} is not a time in seconds") from None
    if not math.isfinite(time) or time <= 0:
        raise PoolError(f"{place}: {value} is not a time above 0 s")
    return time


def _count(value: Any, place: str) -> int:
    try:
        count = int(value)
    except (TypeError, ValueError, OverflowError):
        count = 0
    if not 1 <= count <= MOST_PROCESSES or str(value) != str(count):
        raise PoolError(f"{place}: {value!r} is not a whole number from 1 to {MOST_PROCESSES}")
    return count


def processes_class(procs: int) -> int:
    """Return the process count by which the thesis groups applications: the next power of two.

    >>> [processes_class(procs) for procs in (64, 121, 2025)]
    [64, 128, 2048]
    """
    return 1 << (int(procs) - 1).bit_length()


def printed_name(name: str) -> str:
    """Return an application's name as in the thesis, with the processes as a power of two."""
    benchmark, problem, processes = name.split(".")
    return f"{benchmark}.{problem}.{processes_class(int(processes))}"

"""Read a table of what changes in a machine: drains, reservations, processors that come or go."""

import csv
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from schedlab.core.machine import Change, Machine
from schedlab.files.config_files import ConfigError
from schedlab.files.durations import read_seconds
from schedlab.files.known_words import nearest

COLUMNS = ("kind", "time", "processors", "end", "known")
Kind = Literal["drain", "reservation"]
KINDS = ("drain", "reservation", "add", "remove")


@dataclass(frozen=True)
class _Row:
    """Processors that are closed from `begin` until `end`; None: indefinitely."""

    kind: str
    begin: int
    processors: int
    end: int | None
    known: int | None


def read_changes(path: str | Path, processors: int) -> Machine:
    """Return a machine of processors with the changes of a table with commas.

    Columns are ``kind``, ``time``, ``processors``, and optionally ``end`` and ``known``; times are
    seconds from the log's beginning, or durations (``3d``, ``12:00:00``). A ``drain`` begins at its
    time, is not known before, and jobs that run go on. A ``reservation`` is known from ``known``
    on, by default from the beginning; no job runs across its begin. Processors that one ``add``
    brings are not there before; a ``remove`` is a drain without an end. Changes at one time concern
    different processors.

    Raises
    ------
    ConfigError
        A column is unknown or missing, a value is not valid, or more processors are closed at one
        time than there are; with file, line and column.
    """
    with Path(path).open(newline="", encoding="utf-8") as file:
        table = csv.DictReader(file)
        for column in table.fieldnames or ():
            if column not in COLUMNS:
                raise ConfigError(f"{path}: no column '{column}'{nearest(column, COLUMNS)}")
        for column in COLUMNS[:3]:
            if column not in (table.fieldnames or ()):
                raise ConfigError(f"{path}: column {column} is missing")
        rows = [(table.line_num, _read(row, f"{path}: line {table.line_num}")) for row in table]
    changes: list[Change] = []
    used: list[tuple[int, float, set[int]]] = []
    for line, row in sorted(rows, key=lambda each: each[1].begin):
        until = float("inf") if row.end is None else row.end
        taken = [nodes for begin, end, nodes in used if begin < until and row.begin < end]
        free = [node for node in range(processors) if not any(node in nodes for nodes in taken)]
        if row.processors > len(free):
            raise ConfigError(
                f"{path}: line {line}: processors is {row.processors}, but only {len(free)} of "
                f"{processors} are open then"
            )
        nodes = tuple(free[: row.processors])
        used.append((row.begin, until, set(nodes)))
        if row.kind == "add":
            assert row.end is not None
            changes.append(Change(row.end, "resume", nodes))
        else:
            kind: Kind = "reservation" if row.kind == "reservation" else "drain"
            changes.append(Change(row.begin, kind, nodes, row.end, row.known))
    return replace(Machine.of_processors(processors), changes=tuple(changes))


def _read(row: dict[str, str], where: str) -> _Row:
    """Read one line; an added processor is closed from the beginning until its time."""
    kind = row["kind"]
    if kind not in KINDS:
        raise ConfigError(
            f"{where}: kind '{kind}' is not one of {', '.join(KINDS)}{nearest(kind, KINDS)}"
        )
    try:
        time, end, known = (_seconds(row.get(name), name) for name in ("time", "end", "known"))
        count = int(row["processors"])
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{where}: {error}") from error
    if time is None:
        raise ConfigError(f"{where}: time is empty")
    if count < 1:
        raise ConfigError(f"{where}: processors is {count}, must be at least 1")
    if kind in ("add", "remove") and (end is not None or known is not None):
        raise ConfigError(f"{where}: '{kind}' has no end, and is not known before")
    if kind == "reservation" and end is None:
        raise ConfigError(f"{where}: a reservation needs an end")
    if end is not None and end <= time:
        raise ConfigError(f"{where}: end is {end} s, must be after time, {time} s")
    if kind == "add":
        return _Row(kind, 0, count, time, None)
    return _Row(kind, time, count, end, 0 if kind == "reservation" and known is None else known)


def _seconds(text: str | None, name: str) -> int | None:
    """Return seconds of a number or a duration; None if there is none."""
    if not text:
        return None
    return int(text) if text.isascii() and text.isdigit() else read_seconds(text, name)

"""Records of another accounting than Slurm's, as dumps that the same import reads.

A record gives the texts of some fields of `schedlab.traces.slurm.sacct_lines.READ`, so that jobs,
ledger and losses are those of any accounting.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from schedlab.files.io import whole_lines
from schedlab.traces.slurm.sacct_lines import Dump, SacctError, Scanner

Record = TypeVar("Record")


class Other(Exception):
    """A record that is not the end of a job; the message is what it is."""


def numbered_lines(path: str | os.PathLike[str], size: int) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of a text with their numbers, part by part."""
    before = 0
    for text in whole_lines(path, size):
        lines = text.decode("utf-8", "backslashreplace").split("\n")[:-1]
        yield list(enumerate(lines, start=before + 1))
        before += len(lines)


def read_records(
    path: str | os.PathLike[str],
    fields: tuple[str, ...],
    parts: Iterable[list[tuple[int, Record]]],
    cells_of: Callable[[Record], Iterable[object] | None],
    place: str = "line",
) -> Iterator[Dump]:
    """Read numbered records, part by part.

    `cells_of` returns the values of the fields, or None for a record to skip. It raises `Other`,
    or ValueError with what is wrong with the record; both are rows of the ledger. `place` is what
    the numbers count.
    """
    scanner = Scanner(path, fields, True, False)
    for part in parts:
        others: dict[str, dict[int, str]] = {"record_other": {}, "line_unreadable": {}}
        fault, numbers, made = None, [], []
        for number, record in part:
            try:
                cells = cells_of(record)
            except Other as kind:
                others["record_other"][number] = str(kind)
                continue
            except ValueError as wrong:
                others["line_unreadable"][number] = str(wrong)
                fault = fault or SacctError(f"{path}: {place} {number}: {wrong}")
                continue
            if cells is not None:
                numbers.append(number)
                made.append(joined_cells(tuple(map(str, cells))))
        dump = scanner.scan("".join(made).encode("utf-8", "replace"), 0, others, fault)
        yield replace(dump, lines=np.array(numbers, dtype=np.int64)[dump.lines - 1], place=place)


def joined_cells(cells: tuple[str, ...]) -> str:
    """Return the line of some values; a separator within one becomes a slash."""
    line = "|".join(cells)
    if line.count("|") >= len(cells) or "\n" in line or "\r" in line:
        line = "|".join(" ".join(cell.replace("|", "/").split()) for cell in cells)
    return f"{line}\n"

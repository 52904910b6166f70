"""The scoreboard: every published number of all papers next to the computed one, in one table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.report.comparison import unexplained
from schedlab.report.verdicts import (
    APART,
    COMPUTED,
    DIFFERS,
    GRADES,
    KINDS,
    NOT_AVAILABLE,
    SAME_RANKING,
    VERDICTS,
    grade_of,
    is_compared,
)

COMPARISON = "_comparison"
SCORED_COLUMNS = ["file", "cells", "label", "computed", "kind", "basis", "headline"]
COLUMNS = [
    *("paper", "item", "label", "cell", "published", "computed", "difference", "relative"),
    *("verdict", "explained", "reason", "kind", "basis", "headline", "file", "command", "minutes"),
]
YES, NO = "yes", "no"
# Columns before the published number that describe the run and do not identify the number.
_NOT_KEYS = ("dialect", "ran_on", "users")
#: between the parts of the name of a number
JOINT = " | "


def read_scored(path: str | Path) -> pd.DataFrame:
    """Read which tables of a paper contain its published numbers, and how schedlab computes them.

    Raises ValueError if the columns differ, cells of a file appear twice, or a kind or headline is
    unknown. The file is TSV with these columns:

    - file, label: a table's name without its suffix, and its name in the paper.
    - cells: regular expression of the names of some numbers (`cells_of`), whose kind and basis are
      not those of the table. Empty: the table, which comes first.
    - computed: the column that is compared with the published number.
    - kind, basis: one of `KINDS`, and what the number comes from.
    - headline: yes or no; whether the table represents the paper.
    """
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != SCORED_COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {SCORED_COLUMNS}")
    for row, pattern in frame["cells"].items():
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{path}: line {row + 2}: cells {pattern!r}: {error}") from error
    if (odd := frame[~frame.duplicated("file") & frame["cells"].ne("")]).size:
        raise ValueError(f"{path}: line {odd.index[0] + 2}: the table's own line must come first")
    for column, allowed in (("kind", tuple(KINDS)), ("headline", (YES, NO))):
        if (odd := frame[~frame[column].isin(allowed)]).size:
            line, value = odd.index[0] + 2, odd[column].iloc[0]
            raise ValueError(
                f"{path}: line {line}: {column} must be one of {allowed}, is {value!r}"
            )
    if (again := frame[frame.duplicated(["file", "cells"])]).size:
        raise ValueError(f"{path}: line {again.index[0] + 2}: this file is listed already")
    return frame.set_index("file", drop=False)


def files_of(scored: pd.DataFrame) -> list[str]:
    """Return the files of a sheet from `read_scored`, each once, in their order."""
    return list(dict.fromkeys(scored["file"]))


def read_compared(path: str | Path) -> pd.DataFrame:
    """Read a table of published and computed numbers, every cell as text.

    Raises ValueError if a column published or verdict is missing, or a verdict is none of
    `VERDICTS`.
    """
    compared = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := {"published", "verdict"} - set(compared):
        raise ValueError(f"{path}: line 1: no column {' and '.join(sorted(missing))}")
    check_verdicts(compared, path)
    return compared


def check_verdicts(table: pd.DataFrame, path: str | Path) -> None:
    """Raise ValueError, with file and line, if the column verdict has none of `VERDICTS`."""
    if (odd := table[~table["verdict"].isin(VERDICTS)]).size:
        verdict = odd["verdict"].iloc[0]
        raise ValueError(
            f"{path}: line {odd.index[0] + 2}: verdict {verdict!r} is none of {VERDICTS}"
        )


def cells_of(compared: pd.DataFrame) -> pd.Series:
    """Return the name of every number of a comparison, from its key columns."""
    keys = compared.columns[: compared.columns.get_loc("published")].difference(
        _NOT_KEYS, sort=False
    )
    return compared[keys].agg(JOINT.join, axis=1)


def grade_numbers(compared: pd.DataFrame) -> pd.DataFrame:
    """Return dialect, cell, verdict and explained of every number of a comparison.

    explained is yes or no for a number that differs (with the same ranking, or not), and empty for
    the others.
    """
    return _mark_explained(compared).assign(
        dialect=compared.get("dialect", pd.Series("", compared.index)), cell=cells_of(compared)
    )


def _mark_explained(compared: pd.DataFrame) -> pd.DataFrame:
    """Return verdict and explained of every number of a comparison."""
    differs = compared["verdict"].isin([SAME_RANKING, DIFFERS])
    answers = np.where(unexplained(compared), NO, YES)
    return compared[["verdict"]].assign(explained=np.where(differs, answers, ""))


def of_the_paper(compared: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a comparison's first dialect, which is that of the paper."""
    if "dialect" not in compared or compared.empty:
        return compared
    return compared[compared["dialect"] == compared["dialect"].iloc[0]]


def provenance_of(numbers: pd.DataFrame, entries: pd.DataFrame) -> pd.DataFrame:
    """Return kind and basis of every number of a table, from its lines of `read_scored`.

    `numbers` has the columns cell and verdict. A number that was not compared has no kind.
    """
    table, *exceptions = entries.itertuples()
    provenance = pd.DataFrame({"kind": table.kind, "basis": table.basis}, numbers.index)
    for entry in exceptions:
        provenance.loc[numbers["cell"].str.fullmatch(entry.cells)] = [entry.kind, entry.basis]
    provenance.loc[~is_compared(numbers), "kind"] = ""
    return provenance


def _what_ran(compared: pd.DataFrame, column: str) -> pd.Series:
    """Return what replaced the data of numbers that were not compared; empty if it is not known."""
    nothing = pd.Series("", compared.index)
    ran_on = compared.get("ran_on", nothing)
    what = ("ran on " + ran_on).where(ran_on != "", compared.get("reason", nothing))
    return what.where(what != "", compared[column].where(compared[column] == NOT_AVAILABLE, ""))


def board_of(
    paper: str,
    files: Iterable[str | Path],
    scored: pd.DataFrame,
    command: str,
    minutes: Mapping[str, float],
) -> pd.DataFrame:
    """List the published numbers of a paper, in the order of its tables.

    `paper` is its key. `files` are its tables as .csv, each named as in `scored`, from
    `read_scored`; other files are skipped. `command` makes a file, with ``{}`` for its path.
    `minutes` has, by path, the minutes that it took to make a file, over all jobs behind it;
    unknown for a missing file.

    Columns are `COLUMNS`, a row per number in the dialect of the paper: difference (computed minus
    published) and relative (to the published number), nan for texts and for numbers that were not
    compared; explained as in `grade_numbers`; kind, empty if not compared; headline; minutes, nan
    if unknown.
    """
    boards = []
    for path in map(Path, files):
        if path.stem not in scored.index:
            continue
        compared, entries = of_the_paper(read_compared(path)), scored.loc[[path.stem]]
        entry = entries.iloc[0]
        available = is_compared(compared)
        printed, computed = (
            pd.to_numeric(compared[column], errors="coerce").where(available)
            for column in ("published", entry["computed"])
        )
        graded = grade_numbers(compared)
        provenance, what_ran = (
            provenance_of(graded, entries),
            _what_ran(compared, entry["computed"]),
        )
        board = graded.assign(
            kind=provenance["kind"],
            basis=provenance["basis"].where(available | (what_ran == ""), what_ran),
            paper=paper,
            item=path.stem.removesuffix(COMPARISON),
            label=entry["label"],
            published=compared["published"],
            computed=compared[entry["computed"]],
            difference=computed - printed,
            relative=((computed - printed) / printed.abs()).where(printed != 0),
            reason=compared.get("reason", ""),
            headline=entry["headline"],
            file=path.name,
            command=command.replace("{}", path.as_posix()),
            minutes=minutes.get(path.as_posix(), np.nan),
        )
        boards.append(board[COLUMNS])
    return pd.concat(boards) if boards else pd.DataFrame(columns=COLUMNS)


def read_board(path: str | Path) -> pd.DataFrame:
    """Read a scoreboard from its .csv, texts as texts and numbers as numbers.

    Raises ValueError if the columns are not those of a scoreboard.
    """
    board = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(board.columns) != COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {COLUMNS}")
    numbers = ["difference", "relative", "minutes"]
    return board.assign(**{name: pd.to_numeric(board[name]) for name in numbers})


def grades(board: pd.DataFrame) -> pd.Series:
    """Return the grade, of `GRADES`, of every number of a scoreboard."""
    pairs = zip(board["verdict"], board["explained"] == YES, strict=True)
    return pd.Series([grade_of(*pair) for pair in pairs], board.index, dtype=object)


def grades_of(compared: pd.DataFrame) -> dict[str, int]:
    """Count the grades of a comparison in the dialect of the paper; every grade is a key."""
    return counted(_mark_explained(of_the_paper(compared)))


def computed_numbers(board: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of a scoreboard that a run decides, or would decide with its data."""
    return board[~board["kind"].isin(list(APART))]


def counts_by_kind(board: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Count the grades of computed numbers, and apart those of each other kind that occurs."""
    counts = {COMPUTED: counted(computed_numbers(board))}
    for kind in APART:
        if (board["kind"] == kind).any():
            counts[kind] = counted(board[board["kind"] == kind])
    return counts


def counted(board: pd.DataFrame) -> dict[str, int]:
    """Count the grades of numbers of a scoreboard; every grade is a key."""
    counts = Counter(grades(board))
    return {grade: counts[grade] for grade in GRADES}

"""The scoreboard: every published number beside ours, of all papers, in one table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.report.comparison import unexplained
from schedlab.report.verdicts import (
    DIFFERS,
    GRADES,
    KINDS,
    NOT_AT_HAND,
    ORDERING_HOLDS,
    VERDICTS,
    grade_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

COMPARISON = "_comparison"
SCORED_COLUMNS = ["file", "label", "ours", "kind", "basis", "headline"]
COLUMNS = [
    *("paper", "item", "label", "cell", "published", "ours", "difference", "relative"),
    *("verdict", "explained", "reason", "kind", "basis", "headline", "file", "command", "minutes"),
]
YES, NO = "yes", "no"
# Columns before the printed number that do not say which number it is, but what ran for it.
_NOT_KEYS = ("dialect", "ran_on", "users")
_JOINT = " | "


def read_scored(path: str | Path) -> pd.DataFrame:
    """Read which tables of a paper hold its published numbers, and how ours came about.

    Parameters
    ----------
    path : path-like
        TSV with the columns file (a table's name without its suffix), label (as the paper calls
        it), ours (the column that was held against print), kind (of `KINDS`), basis (what ran) and
        headline (yes or no: whether the paper is told by it).

    Raises
    ------
    ValueError
        The columns are others, a file stands there twice, or a kind or headline is unknown.
    """
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != SCORED_COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {SCORED_COLUMNS}")
    for column, known in (("kind", tuple(KINDS)), ("headline", (YES, NO))):
        if (odd := frame[~frame[column].isin(known)]).size:
            line, said = odd.index[0] + 2, odd[column].iloc[0]
            raise ValueError(f"{path}: line {line}: {column} must be one of {known}, is {said!r}")
    if (again := frame[frame.duplicated("file")]).size:
        raise ValueError(f"{path}: line {again.index[0] + 2}: this file stands there already")
    return frame.set_index("file", drop=False)


def read_compared(path: str | Path) -> pd.DataFrame:
    """Read a table of published numbers beside ours, every cell the text that stands there.

    Raises
    ------
    ValueError
        It does not say published or verdict, or a verdict is none of `VERDICTS`.
    """
    compared = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := {"published", "verdict"} - set(compared):
        raise ValueError(f"{path}: line 1: no column {' and '.join(sorted(missing))}")
    if (odd := compared[~compared["verdict"].isin(VERDICTS)]).size:
        said = odd["verdict"].iloc[0]
        raise ValueError(f"{path}: line {odd.index[0] + 2}: verdict {said!r} is none of {VERDICTS}")
    return compared


def cells_of(compared: pd.DataFrame) -> pd.Series:
    """Name every number of a comparison by what stands before it: what it is of, not what ran."""
    keys = compared.columns[: compared.columns.get_loc("published")].difference(
        _NOT_KEYS, sort=False
    )
    return compared[keys].agg(_JOINT.join, axis=1)


def graded(compared: pd.DataFrame) -> pd.DataFrame:
    """Return dialect, cell, verdict and explained of every number of a comparison.

    explained is yes or no of a number that differs (in an ordering that holds, or not), and empty
    of the others.
    """
    return _explained(compared).assign(
        dialect=compared.get("dialect", pd.Series("", compared.index)), cell=cells_of(compared)
    )


def _explained(compared: pd.DataFrame) -> pd.DataFrame:
    """Return verdict and explained of every number of a comparison."""
    differs = compared["verdict"].isin([ORDERING_HOLDS, DIFFERS])
    known = np.where(unexplained(compared), NO, YES)
    return compared[["verdict"]].assign(explained=np.where(differs, known, ""))


def of_the_paper(compared: pd.DataFrame) -> pd.DataFrame:
    """Keep a comparison's first dialect, the paper's own; others say what it would be without."""
    if "dialect" not in compared or compared.empty:
        return compared
    return compared[compared["dialect"] == compared["dialect"].iloc[0]]


def board_of(
    paper: str,
    files: Iterable[str | Path],
    scored: pd.DataFrame,
    command: str,
    minutes: Mapping[str, float],
) -> pd.DataFrame:
    """List the published numbers of a paper, in the order of its tables.

    Parameters
    ----------
    paper : str
        Its key.
    files : iterable of path-like
        Its tables as .csv, each named as in `scored`; others are passed over.
    scored : DataFrame
        From `read_scored`.
    command : str
        What makes a file; its path stands in the place of ``{}``.
    minutes : mapping of path to float
        How long a file's making took, all jobs behind it; a file that is not there is not known.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, a row per number of the paper's own dialect: difference (ours less the
        printed number) and relative (of the printed number), nan of texts and of what was not held
        against print; explained as of `graded`; kind, empty of what was not held; headline;
        minutes, nan where not known.
    """
    boards = []
    for path in map(Path, files):
        if path.stem not in scored.index:
            continue
        compared, told = of_the_paper(read_compared(path)), scored.loc[path.stem]
        held = compared["verdict"] != NOT_AT_HAND
        printed, ours = (
            pd.to_numeric(compared[column], errors="coerce").where(held)
            for column in ("published", told["ours"])
        )
        board = graded(compared).assign(
            paper=paper,
            item=path.stem.removesuffix(COMPARISON),
            label=told["label"],
            published=compared["published"],
            ours=compared[told["ours"]],
            difference=ours - printed,
            relative=((ours - printed) / printed.abs()).where(printed != 0),
            reason=compared.get("reason", ""),
            kind=np.where(held, told["kind"], ""),
            basis=told["basis"],
            headline=told["headline"],
            file=path.name,
            command=command.replace("{}", path.as_posix()),
            minutes=minutes.get(path.as_posix(), np.nan),
        )
        boards.append(board[COLUMNS])
    return pd.concat(boards) if boards else pd.DataFrame(columns=COLUMNS)


def read_board(path: str | Path) -> pd.DataFrame:
    """Read a scoreboard as it was written, texts as texts and numbers as numbers.

    Raises
    ------
    ValueError
        The columns are not those of a scoreboard.
    """
    board = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(board.columns) != COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {COLUMNS}")
    numbers = ["difference", "relative", "minutes"]
    return board.assign(**{name: pd.to_numeric(board[name]) for name in numbers})


def grades(board: pd.DataFrame) -> pd.Series:
    """Return which of `GRADES` every number of a scoreboard has."""
    pairs = zip(board["verdict"], board["explained"] == YES, strict=True)
    return pd.Series([grade_of(*pair) for pair in pairs], board.index, dtype=object)


def grades_of(compared: pd.DataFrame) -> dict[str, int]:
    """Count the grades of a comparison, in the paper's own dialect; every grade is a key."""
    return counted(_explained(of_the_paper(compared)))


def counted(board: pd.DataFrame) -> dict[str, int]:
    """Count the grades of numbers of a scoreboard; every grade is a key."""
    found = Counter(grades(board))
    return {grade: found[grade] for grade in GRADES}

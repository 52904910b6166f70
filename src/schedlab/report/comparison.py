"""Published numbers, and the reasons of differences, each bound to the number that it explains."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.report.verdicts import DIFFERS, ORDERING_HOLDS, UNEXPLAINED, agrees

if TYPE_CHECKING:
    from pathlib import Path

PUBLISHED_COLUMNS = ["item", "row", "column", "value", "where"]
REASON_COLUMNS = ["item", "dialect", "row", "column", "explains", "reason"]
ANY = "*"
# What a reason explains: a number of ours, or all that are off by so much at most.
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_WITHIN = re.compile(r"within (\d+(?:\.\d+)?)%")


def read_published(path: str | Path, item: str) -> pd.DataFrame:
    """Read the printed numbers of one table or figure.

    Parameters
    ----------
    path : path-like
        TSV with the columns item, row, column, value, where; values keep their printed digits.
    item : str
        Such as ``table4``.

    Returns
    -------
    DataFrame of str
        One row per row of the item, one column per column of the item, both in printed order.

    Raises
    ------
    ValueError
        A column is missing, the item has no rows, or a number stands there twice.
    """
    frame = _read_tsv(path, PUBLISHED_COLUMNS)
    frame = frame[frame["item"] == item]
    if frame.empty:
        raise ValueError(f"{path}: no numbers of item {item!r}")
    if (again := frame[frame.duplicated(["row", "column"])]).size:
        raise ValueError(f"{path}: line {again.index[0] + 2}: {item} has this number already")
    table = frame.pivot(index="row", columns="column", values="value")
    table = table.reindex(index=frame["row"].unique(), columns=frame["column"].unique())
    return table.rename_axis(index=None, columns=None)


def read_reasons(path: str | Path, item: str) -> pd.DataFrame:
    """Read why numbers of `item` differ.

    Parameters
    ----------
    path : path-like
        TSV with the columns item, dialect, row, column (``*``: any of them), explains, reason.
        explains: the number of ours that the reason is of; of one for several numbers ``within
        20%``, by how much of the printed number ours may be off at most.
    item : str
        Such as ``table4``.

    Raises
    ------
    ValueError
        A column is missing, explains is neither, or a reason for several numbers has no limit.
    """
    frame = _read_tsv(path, REASON_COLUMNS)
    for line, entry in enumerate(frame.itertuples(), start=2):
        several = ANY in (entry.row, entry.column)
        form = _WITHIN if several else _NUMBER
        if not form.fullmatch(entry.explains):
            wanted = "'within 20%', for several numbers" if several else "the number of ours"
            raise ValueError(
                f"{path}: line {line}: explains must be {wanted}, is {entry.explains!r}"
            )
    return frame[frame["item"] == item].reset_index(drop=True)


def _read_tsv(path: str | Path, columns: list[str]) -> pd.DataFrame:
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != columns:
        raise ValueError(f"{path}: line 1: columns must be {columns}, are {list(frame.columns)}")
    return frame


def reason_for(
    reasons: pd.DataFrame, dialect: str, row: str, column: str, printed: str, ours: float
) -> str:
    """First reason that names this dialect, row and column, if it explains this number.

    Parameters
    ----------
    reasons : DataFrame
        From `read_reasons`.
    dialect, row, column : str
        Where the number stands.
    printed : str
        The published number.
    ours : float
        Ours.

    Returns
    -------
    str
        The reason. `UNEXPLAINED` where there is none; with what the reason does explain where ours
        is not that number (any more), or further off than the reason says.
    """
    for entry in reasons.itertuples():
        wanted = ((entry.dialect, dialect), (entry.row, row), (entry.column, column))
        if all(pattern in (ANY, given) for pattern, given in wanted):
            if _explains(entry.explains, printed, ours):
                return entry.reason
            return f"{UNEXPLAINED}: the reason that is known explains {entry.explains}, not this"
    return UNEXPLAINED


def _explains(what: str, printed: str, ours: float) -> bool:
    """Whether a number of ours is what a reason explains."""
    if limit := _WITHIN.fullmatch(what):
        return abs(ours - float(printed)) <= float(limit[1]) / 100 * abs(float(printed))
    return agrees(what, ours)


def unexplained(compared: pd.DataFrame) -> pd.Series:
    """Tell which numbers of a comparison differ for no known reason."""
    differ = compared["verdict"].isin([ORDERING_HOLDS, DIFFERS])
    if "reason" not in compared:
        return differ
    return differ & compared["reason"].str.startswith(UNEXPLAINED)


def ratio_of(printed: str, ours: float) -> float:
    """Return ours over the printed number, to four digits after the point."""
    return round(ours / float(printed), 4)


def order_of(row: pd.Series) -> str:
    """Name what a row or column holds, from the smallest number to the largest."""
    return " ".join(row.sort_values(kind="stable").index)

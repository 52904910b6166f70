"""Published numbers and the reasons of differences, and what a verdict on one of ours is."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import rankdata

if TYPE_CHECKING:
    from pathlib import Path

UNEXPLAINED = "unexplained"

PUBLISHED_COLUMNS = ["item", "row", "column", "value", "where"]
REASON_COLUMNS = ["item", "dialect", "row", "column", "reason"]
ANY = "*"


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
    """Read why numbers of `item` differ: columns dialect, row, column (``*`` = any), reason."""
    frame = _read_tsv(path, REASON_COLUMNS)
    return frame[frame["item"] == item].reset_index(drop=True)


def _read_tsv(path: str | Path, columns: list[str]) -> pd.DataFrame:
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != columns:
        raise ValueError(f"{path}: line 1: columns must be {columns}, are {list(frame.columns)}")
    return frame


def reason_for(reasons: pd.DataFrame, dialect: str, row: str, column: str) -> str:
    """First reason that names this dialect, row and column, else `UNEXPLAINED`."""
    for entry in reasons.itertuples(index=False):
        wanted = ((entry.dialect, dialect), (entry.row, row), (entry.column, column))
        if all(pattern in (ANY, given) for pattern, given in wanted):
            return entry.reason
    return UNEXPLAINED


def truncate(value: float, decimals: int) -> Decimal:
    """Cut `value` to `decimals` digits after the point, without rounding.

    The value is first rounded to nine decimals, so that a sum that falls short of a whole number
    only by floating point is not cut to the digit below.

    Examples
    --------
    >>> truncate(3630.6678, 2)
    Decimal('3630.66')
    """
    step = Decimal(1).scaleb(-decimals)
    return Decimal(f"{value:.9f}").quantize(step, rounding=ROUND_DOWN)


def agrees(printed: str, ours: float, slack: int = 1) -> bool:
    """Whether `ours`, cut to the printed digits, is within `slack` units of the last of them.

    Table 4 is printed cut in its first two rows and rounded in the others; one unit of slack
    covers both.

    Examples
    --------
    >>> agrees("3630.66", 3630.6678)
    True
    >>> agrees("17.32", 16.24)
    False
    """
    published = Decimal(printed)
    decimals = -published.as_tuple().exponent
    unit = Decimal(1).scaleb(-decimals)
    return abs(truncate(ours, decimals) - published) <= slack * unit


def same_order(published: pd.Series, ours: pd.Series) -> bool:
    """Whether two rows rank the policies alike."""
    return bool(np.array_equal(rankdata(published.astype(float)), rankdata(ours.astype(float))))


def ratio_of(printed: str, ours: float) -> float:
    """Return ours over the printed number, to four digits after the point."""
    return round(ours / float(printed), 4)


def order_of(row: pd.Series) -> str:
    """Name what a row or column holds, from the smallest number to the largest."""
    return " ".join(row.sort_values(kind="stable").index)

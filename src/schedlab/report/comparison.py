"""Published numbers, and the reason of each difference, bound to the number that it explains."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from schedlab.report.items import From, resource
from schedlab.report.verdicts import (
    CONSISTENT,
    DIFFERS,
    MATCH,
    NOT_AVAILABLE,
    SAME_RANKING,
    UNEXPLAINED,
    agrees,
    kendall,
    same_order,
    verdict_of,
)

PUBLISHED_COLUMNS = ["item", "row", "column", "value", "where"]
REASON_COLUMNS = ["item", "dialect", "row", "column", "explains", "reason"]
ANY = "*"
# What a reason explains: one computed number, or all within a relative difference.
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e\d+)?")
_WITHIN = re.compile(r"within (\d+(?:\.\d+)?)%")


def published_of(item: str) -> From:
    """Return the published numbers of an item as what a parameter of a marked function gets."""
    return From(resource("published.tsv"), lambda path: read_published(path, item))


def reasons_of(item: str) -> From:
    """Return the reasons of an item's differences as what a parameter of a marked function gets."""
    return From(resource("reasons.tsv"), lambda path: read_reasons(path, item))


def read_published(path: str | Path, item: str) -> pd.DataFrame:
    """Read the published numbers of one table or figure, such as ``table4``.

    The file is TSV with the columns item, row, column, value, where; values keep their published
    digits, as text. Rows and columns of the result are those of the item, in published order.
    Raises ValueError if a column is missing, the item has no rows, or a number appears twice.
    """
    frame = read_tsv(path, PUBLISHED_COLUMNS)
    frame = frame[frame["item"] == item]
    if frame.empty:
        raise ValueError(f"{path}: no numbers of item {item!r}")
    if (again := frame[frame.duplicated(["row", "column"])]).size:
        raise ValueError(f"{path}: line {again.index[0] + 2}: {item} has this number already")
    table = frame.pivot(index="row", columns="column", values="value")
    table = table.reindex(index=frame["row"].unique(), columns=frame["column"].unique())
    return table.rename_axis(index=None, columns=None)


def read_reasons(path: str | Path, item: str) -> pd.DataFrame:
    """Read the reasons why numbers of `item`, such as ``table4``, differ.

    The file is TSV with the columns item, dialect, row, column (``*``: any of them), explains,
    reason. explains is the computed number that the reason explains. A reason for several numbers
    has a limit instead, such as ``within 20%``: the largest difference relative to the published
    number. Raises ValueError if a column is missing, explains has neither form, or a reason for
    several numbers has no limit.
    """
    frame = read_tsv(path, REASON_COLUMNS)
    for line, entry in enumerate(frame.itertuples(), start=2):
        several = ANY in (entry.row, entry.column)
        form = _WITHIN if several else _NUMBER
        if not form.fullmatch(entry.explains):
            expected = "'within 20%', for several numbers" if several else "the computed number"
            raise ValueError(
                f"{path}: line {line}: explains must be {expected}, is {entry.explains!r}"
            )
    return frame[frame["item"] == item].reset_index(drop=True)


def read_tsv(path: str | Path, columns: list[str]) -> pd.DataFrame:
    """Read a table of text whose columns are exactly these."""
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != columns:
        raise ValueError(f"{path}: line 1: columns must be {columns}, are {list(frame.columns)}")
    return frame


def reason_for(
    reasons: pd.DataFrame, dialect: str, row: str, column: str, printed: str, computed: float
) -> str:
    """Return the first reason that names this dialect, row and column, if it explains this number.

    Without a reason the text is `UNEXPLAINED`. If the computed number is not the one that the
    reason explains, or differs by more than the reason allows, the text adds what the reason
    explains.
    """
    for entry in reasons.itertuples():
        pairs = ((entry.dialect, dialect), (entry.row, row), (entry.column, column))
        if all(pattern in (ANY, value) for pattern, value in pairs):
            if _explains(entry.explains, printed, computed):
                return entry.reason
            return f"{UNEXPLAINED}: the reason that is known explains {entry.explains}, not this"
    return UNEXPLAINED


def _explains(what: str, printed: str, computed: float) -> bool:
    if limit := _WITHIN.fullmatch(what):
        return abs(computed - float(printed)) <= float(limit[1]) / 100 * abs(float(printed))
    return agrees(what, computed)


def unexplained(compared: pd.DataFrame) -> pd.Series:
    """Return which numbers of a comparison differ for no known reason."""
    differ = compared["verdict"].isin([SAME_RANKING, DIFFERS])
    if "reason" not in compared:
        return differ
    return differ & compared["reason"].str.startswith(UNEXPLAINED)


def ratio_of(printed: str, computed: float) -> float:
    """Return the computed divided by the published number, to four digits after the point."""
    return round(computed / float(printed), 4)


def compare_number(
    printed: str,
    computed: float,
    reasons: pd.DataFrame,
    place: tuple[str, str, str],
    holds: bool = False,
    inside: bool = False,
) -> dict[str, Any]:
    """Return ratio, verdict and reason of a number that was run on the paper's data.

    `place` is its dialect, row and column. The ratio is nan if 0 is published. Only a difference
    has a reason.
    """
    verdict = verdict_of(agrees(printed, computed), holds, inside)
    settled = verdict in (MATCH, CONSISTENT)
    return {
        "ratio": ratio_of(printed, computed) if float(printed) else np.nan,
        "verdict": verdict,
        "reason": "" if settled else reason_for(reasons, *place, printed, computed),
    }


def not_compared(reason: str = "", ratio: float = np.nan) -> dict[str, Any]:
    """Return ratio, verdict and reason of a number that was not run on the paper's data."""
    return {"ratio": ratio, "verdict": NOT_AVAILABLE, "reason": reason}


def compare_table(
    published: pd.DataFrame,
    computed: pd.DataFrame,
    reasons: pd.DataFrame,
    names: tuple[str, str],
    *,
    dialect: str = ANY,
    missing: Mapping[str, str] = MappingProxyType({}),
    lines: str = "rows",
    ranked: bool | None = None,
    more: Callable[[str, str], Mapping[str, Any]] | None = None,
    ratios: bool = False,
) -> pd.DataFrame:
    """Compare every number of a published table with the computed one and give a verdict.

    `published` and `reasons` are from `read_published` and `read_reasons`; cells that the paper
    lacks are left out. A computed number that is nan or `NOT_AVAILABLE`, or has no row, is not
    compared, nor are the rows and columns `missing`, with the reason. `lines`, rows or columns,
    come one after another; if `ranked`, each ranks policies. None: facts, without the column
    kendall. `more` maps row and column to further cells. `ratios`: also of numbers that are not
    compared.

    Columns: `names` (headings of row and column), published, computed, further cells, ratio,
    kendall (of the line; nan if a number of it is missing), verdict, reason.
    """
    rows = []
    for line, cells in (published.T if lines == "columns" else published).iterrows():
        numbers = []
        for name, printed in cells.dropna().items():
            place = (name, line) if lines == "columns" else (line, name)
            value = computed.at[place] if place[0] in computed.index else NOT_AVAILABLE
            why = missing.get(place[0], missing.get(place[1]))
            if why is None and (value == NOT_AVAILABLE or pd.isna(value)):
                why = ""
            numbers.append((place, printed, value, why))
        holds, tau = False, np.nan
        if ranked and all(why is None for *_, why in numbers):
            printed_line, line_values = (
                pd.Series([float(number[part]) for number in numbers]) for part in (1, 2)
            )
            holds = same_order(printed_line, line_values)
            tau = kendall(printed_line, line_values)
        for place, printed, value, why in numbers:
            entry = dict(zip(names, place, strict=True))
            entry |= {"published": printed, "computed": value}
            entry |= more(*place) if more else {}
            if why is None:
                outcome = compare_number(printed, float(value), reasons, (dialect, *place), holds)
            else:
                has_ratio = ratios and value != NOT_AVAILABLE and float(printed)
                outcome = not_compared(why, ratio_of(printed, value) if has_ratio else np.nan)
            rank = {} if ranked is None else {"kendall": tau}
            rows.append(entry | {"ratio": outcome["ratio"]} | rank | outcome)
    return pd.DataFrame(rows)


def order_of(row: pd.Series) -> str:
    """Return the names in a row or column, from the smallest number to the largest."""
    return " ".join(row.sort_values(kind="stable").index)

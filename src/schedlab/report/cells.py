"""How cells of .csv files are shown: numbers, words, and published numbers beside ours."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from schedlab.report.tables import show
from schedlab.report.verdicts import MATCH, NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What .csv files write, and what a reader sees.
# An end of an interval that is infinite is none: too few values leave nothing out.
WORDS = {NOT_AT_HAND: "–", "True": "yes", "False": "no", "inf": "–", "-inf": "–"}
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_MOST_DIGITS = 4
# From here on thousands stand apart; below, years and numbers of processors are as they are.
_LARGE = 10_000


def is_number(text: str) -> bool:
    """Whether a cell's text is a number."""
    return bool(_NUMBER.fullmatch(text))


def cell(text: str, decimals: int = 2) -> str:
    """Text of a .csv cell as a table shows it: decimal fractions rounded, the rest as it is.

    Numbers with an exponent have the digits that they need; whole ones may be names, those of jobs
    for one, and stay as they are.

    Examples
    --------
    >>> cell("29.584800"), cell("1024"), cell("-0.001"), cell("10315.617"), cell("log not at hand")
    ('29.58', '1024', '0.00', '10,315.62', '–')
    """
    if text in WORDS:
        return WORDS[text]
    if is_number(text) and "." in text and "e" not in text.lower():
        return _grouped(float(text), decimals)
    return text


def like(ours: str, printed: str) -> str:
    """Write a number of ours with a digit more than is printed, thousands apart.

    Numbers without a fraction (years, numbers of jobs) and texts stay as they are.

    Examples
    --------
    >>> like("10315.617", "10315.62"), like("2012", "2011"), like("", "3")
    ('10,315.617', '2012', '')
    """
    try:
        digits = -Decimal(printed).as_tuple().exponent
    except InvalidOperation:
        return cell(ours)
    if not is_number(ours) or "." not in ours:
        return WORDS.get(ours, ours)
    return _grouped(float(ours), min(max(digits, 0) + 1, _MOST_DIGITS))


def _grouped(value: float, decimals: int) -> str:
    """Round a number; no minus before zero, and thousands apart where it is large."""
    text = show(value, decimals)
    if not float(text):
        return text.removeprefix("-")
    return f"{float(text):,.{decimals}f}" if abs(value) >= _LARGE else text


def crossed(rows: Iterable[Mapping[str, str]], row: str, column: str) -> dict:
    """Cross the numbers of a comparison: what it is of down and across, a number in every cell.

    Parameters
    ----------
    rows : iterable of mapping
        Rows of an ``<item>_comparison``, every cell text.
    row, column : str
        The columns that name its numbers; a pair of them names one.

    Returns
    -------
    dict
        columns (names, in the order in which they come), rows (dicts: name, cells: the rows, with
        shown, ours as `like` writes it; none where there is no number) and reasons (dicts: reason,
        cells: names of the numbers that have it; those of numbers that do not match).
    """
    found: dict[tuple[str, str], dict] = {}
    reasons: dict[str, list[str]] = {}
    for entry in rows:
        place = entry[row], entry[column]
        found[place] = dict(entry) | {"shown": like(entry["ours"], entry["published"])}
        if entry.get("reason") and entry["verdict"] != MATCH:
            reasons.setdefault(entry["reason"], []).append(" · ".join(place))
    names, columns = (list(dict.fromkeys(place[way] for place in found)) for way in (0, 1))
    return {
        "columns": columns,
        "rows": [
            {"name": name, "cells": [found.get((name, other)) for other in columns]}
            for name in names
        ],
        "reasons": [{"reason": said, "cells": cells} for said, cells in reasons.items()],
    }

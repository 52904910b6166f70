"""Format cells of .csv files: numbers, words, and published next to computed numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation

from schedlab.report.tables import show
from schedlab.report.verdicts import MATCH, NOT_AVAILABLE
from schedlab.report.words import american

# What .csv files contain, and what a reader sees.
# An infinite end of an interval means that there are too few values for an interval.
WORDS = {NOT_AVAILABLE: "–", "True": "yes", "False": "no", "inf": "–", "-inf": "–"}
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_MOST_DIGITS = 4
# Numbers from here on get a thousands separator; years and processor counts are smaller.
_LARGE = 10_000


def is_number(text: str) -> bool:
    """Return whether the text of a cell is a number."""
    return bool(_NUMBER.fullmatch(text))


def cell(text: str, decimals: int = 2) -> str:
    """Return the text of a .csv cell as a table shows it, decimal fractions rounded.

    Numbers with an exponent keep their digits. Whole numbers may be names, such as those of jobs,
    and stay unchanged.

    >>> cell("29.584800"), cell("1024"), cell("-0.001"), cell("10315.617")
    ('29.58', '1024', '0.00', '10,315.62')
    >>> cell("log not available"), cell("utilisation, increase")
    ('–', 'utilization, increase')
    """
    if text in WORDS:
        return WORDS[text]
    if is_number(text) and "." in text and "e" not in text.lower():
        return _group_digits(float(text), decimals)
    return american(text)


def like(computed: str, printed: str) -> str:
    """Format a computed number with one digit more than the published one, thousands separated.

    Numbers without a fraction (years, numbers of jobs) and texts stay unchanged.

    >>> like("10315.617", "10315.62"), like("2012", "2011"), like("", "3")
    ('10,315.617', '2012', '')
    """
    try:
        digits = -Decimal(printed).as_tuple().exponent
    except InvalidOperation:
        return cell(computed)
    if not is_number(computed) or "." not in computed:
        return WORDS.get(computed, computed)
    return _group_digits(float(computed), min(max(digits, 0) + 1, _MOST_DIGITS))


def _group_digits(value: float, decimals: int) -> str:
    """Round a number; write no minus before zero, and separate thousands if it is large."""
    text = show(value, decimals)
    if not float(text):
        return text.removeprefix("-")
    return f"{float(text):,.{decimals}f}" if abs(value) >= _LARGE else text


def crossed(rows: Iterable[Mapping[str, str]], row: str, column: str) -> dict:
    """Arrange the numbers of a comparison as a table with rows, columns and one number per cell.

    `rows` are those of an ``<item>_comparison``, every cell text. Each pair of values of the
    columns `row` and `column` names one number. The keys of the result are:

    - columns: names, in order of appearance.
    - rows: dicts of name and cells. A cell is an input row with shown, the computed value as `like`
      formats it; None if there is no number.
    - reasons: dicts of reason and cells, the names of the numbers that do not match for it.
    """
    entries: dict[tuple[str, str], dict] = {}
    reasons: dict[str, list[str]] = {}
    for entry in rows:
        place = entry[row], entry[column]
        entries[place] = dict(entry) | {"shown": like(entry["computed"], entry["published"])}
        if entry.get("reason") and entry["verdict"] != MATCH:
            reasons.setdefault(entry["reason"], []).append(american(" · ".join(place)))
    names, columns = (list(dict.fromkeys(place[axis] for place in entries)) for axis in (0, 1))
    return {
        "columns": columns,
        "rows": [
            {"name": name, "cells": [entries.get((name, heading)) for heading in columns]}
            for name in names
        ],
        "reasons": [{"reason": reason, "cells": cells} for reason, cells in reasons.items()],
    }

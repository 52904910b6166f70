"""The kernel `schedlab.kernels.traces.sacct_scan` in plain Python: lines of a dump to columns."""

from __future__ import annotations

import re
from datetime import datetime

from schedlab.kernels.traces.sacct_scan import LOCAL

BLANKS = " \t\v\f\r"
TEXT, JOB_ID, RAW_ID, TIME, SPAN, COUNT = range(6)
#: a row: its line, the value or the text of each column, and the task
Row = tuple[int, tuple[int | str, ...], int]


def scan(
    text: str, places: list[int], kinds: list[int], open_end: bool, closing: bool
) -> tuple[list[Row], list[tuple[int, str]]]:
    """Return the rows, and the lines with another number of values, with their numbers."""
    rows, odd = [], []
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        line = line.rstrip("\r")
        if not line.strip(BLANKS):
            continue
        cells = line.split("|")
        is_closed = not closing or cells.pop() == ""
        if not is_closed or not (
            len(cells) == len(places) or (len(cells) > len(places) and open_end)
        ):
            odd.append((number, line))
            continue
        values: dict[int, int | str] = {}
        task = -1
        for cell, place in zip(cells, places, strict=False):
            if place < 0:
                continue
            cell = cell.strip(BLANKS)
            values[place] = cell
            if kinds[place] == TIME:
                values[place] = time_of(cell)
            elif kinds[place] == SPAN:
                values[place] = span_of(cell)
            elif kinds[place] != TEXT and re.fullmatch("0|[1-9][0-9]{0,16}", cell):
                values[place] = int(cell)
            elif kinds[place] == JOB_ID and (
                match := re.fullmatch("(0|[1-9][0-9]{0,16})_(0|[1-9][0-9]{0,8})", cell)
            ):
                values[place], task = int(match[1]), int(match[2])
        rows.append((number, tuple(values[place] for place in sorted(values)), task))
    return rows, odd


def time_of(text: str) -> int | str:
    """Return Unix seconds, or seconds of a local clock since 1970 plus `LOCAL`, or the text."""
    if re.fullmatch("0|[1-9][0-9]{0,11}", text):
        return int(text)
    try:
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return text
    if len(text) != len("2024-01-31T23:59:59") or time.year < 1970:
        return text
    return LOCAL + int((time - datetime(1970, 1, 1)).total_seconds())


def span_of(text: str) -> int | str:
    """Return the seconds of ``1-23:59:59`` or ``23:59:59``, or the text."""
    match = re.fullmatch("(?:([1-9][0-9]{0,8})-)?([0-9]{2}):([0-9]{2}):([0-9]{2})", text)
    if match is None or match[2] > "23" or match[3] > "59" or match[4] > "59":
        return text
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds

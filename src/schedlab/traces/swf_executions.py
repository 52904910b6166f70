"""Partial executions in the Standard Workload Format: lines of parts of a job.

A job that was interrupted may have a line for each of its executions, besides its own line.

References
----------
The format's definition, version 2.2, field 11 (status).
"""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

#: statuses of partial executions, and of the last one of a job
PARTIAL = (2, 3, 4)
LAST = (3, 4)
STATUS = 10  # place of the field, counted from 0
#: other logs use these numbers for something else, on most of their lines
MOST_PIECES = 10_000


def partial_executions(columns: dict[str, np.ndarray], earlier: Iterable[np.ndarray]) -> np.ndarray:
    """Return which lines are partial executions of a job that has a line of its own.

    They have its number, also among the numbers of `earlier` parts; or they are behind it, with its
    user, processors and submit time, up to a last one, and their run times add up to its.
    """
    partial = np.isin(columns["status"], PARTIAL)
    if not partial.any():
        return partial
    rows = np.flatnonzero(partial)
    jobs = pd.DataFrame({name: columns[name] for name in ("user", "procs", "submit", "runtime")})
    jobs["whole"] = np.where(partial, np.nan, np.arange(len(partial)))
    # the last job before each line that has its user and processors
    whole = jobs.groupby(["user", "procs"])["whole"].ffill().iloc[rows]
    pieces = jobs.iloc[rows].assign(whole=whole, status=columns["status"][rows])
    groups = pieces.dropna(subset="whole").groupby("whole")
    ends = groups.agg({"submit": "first", "runtime": "sum", "status": "last"})
    wholes = jobs.iloc[ends.index.astype(int)].set_axis(ends.index)
    is_job = (
        ends["status"].isin(LAST)
        & ((ends["submit"] == wholes["submit"]) | (ends["submit"] < 0))
        # each may be rounded
        & ((ends["runtime"] - wholes["runtime"]).abs() <= groups.size())
    )
    numbers = np.isin(columns["number"][rows], columns["number"][~partial])
    for others in earlier:
        numbers |= np.isin(columns["number"][rows], others)
    partial[rows] = numbers | pieces["whole"].isin(is_job.index[is_job]).to_numpy()
    return partial


def with_executions(texts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield texts of whole lines; move partial executions to the text with the line before them."""
    part: bytes | None = None
    for text in texts:
        if part is None:
            part = text
            continue
        end = 0
        for _ in range(MOST_PIECES):
            stop = text.find(b"\n", end) + 1
            if not _is_piece(text[end:stop]):
                break
            end = stop
        part += text[:end]
        if end < len(text):
            yield part
            part = text[end:]
    if part is not None:
        yield part


def _is_piece(line: bytes) -> bool:
    """Return whether a line is of a partial execution."""
    fields = line.split(None, STATUS + 1)
    return len(fields) > STATUS and fields[STATUS].partition(b".")[0] in (b"2", b"3", b"4")

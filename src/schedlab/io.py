"""Writing files whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path to write to that becomes `path` when the block ends well.

    The temporary file lies in the folder of `path` (which is made if need be) and keeps its
    suffixes, so that writers that look at them choose the same format. When the block raises,
    nothing is left behind and a file that was there before stays as it was.

    Parameters
    ----------
    path : path-like
        The file to make.

    Yields
    ------
    Path
        The file to write.

    Examples
    --------
    >>> with whole("results/note.txt") as part:  # doctest: +SKIP
    ...     part.write_text("done")
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{uuid4().hex[:8]}.{path.name}")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_parquet(frame: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write the columns of `frame` (its index is left behind) as a Parquet file.

    Parameters
    ----------
    frame : pandas.DataFrame
        What to write; no rows is fine, the column types are kept.
    path : path-like
        The file to make or replace, whole or not at all.
    """
    with whole(path) as part:
        frame.to_parquet(part, index=False)


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write `text` and a line end as UTF-8, whole or not at all."""
    with whole(path) as part:
        part.write_text(f"{text}\n", encoding="utf-8")

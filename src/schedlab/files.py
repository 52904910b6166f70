"""Outputs that are whole or not there at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def whole(path: str | os.PathLike) -> Iterator[Path]:
    """Give a name beside `path` to write to, and move it to `path` when the block ends well.

    Parameters
    ----------
    path : path-like
        Where the finished file is to stand; folders on the way to it are made.

    Yields
    ------
    Path
        A file name in the same folder with the same suffix. When the block raises, what was
        written there is removed and `path` is as it was.

    Examples
    --------
    >>> with whole("table.csv") as draft:
    ...     _ = draft.write_text("a,b\\n")
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        yield draft
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)

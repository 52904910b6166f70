"""Long computations that go on where they stopped.

Parts that are done are appended to a part file. Each is known by a digest of what made it, so that
nothing stale is taken up.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from schedlab.progress import counted

logger = logging.getLogger(__name__)

DIGEST = ("digest", "V32")


def digest_of(facts: object, *sources: str | os.PathLike[str]) -> bytes:
    """Return a digest of what a part depends on.

    Parameters
    ----------
    facts : object
        Anything that is JSON, all but what is in `sources`.
    *sources : path-like
        Files whose bytes count, such as a compiled kernel.

    Returns
    -------
    bytes
        32 of them.
    """
    code = b"".join(Path(path).read_bytes() for path in sources)
    return hashlib.sha256(code + json.dumps(facts).encode()).digest()


def resumed(
    part: str | os.PathLike[str],
    fields: Sequence[tuple],
    digests: Sequence[bytes],
    compute: Callable[[list[int]], Iterable[tuple]],
    at_a_time: int,
    words: str,
) -> list[np.ndarray]:
    """Compute the parts that a part file lacks, a few at a time, and append them to it.

    Parameters
    ----------
    part : path-like
        The file. It is the caller's to remove once the result is safe.
    fields : sequence of tuple
        Fields of a part as of a NumPy structured type; all parts have the same.
    digests : sequence of bytes
        What each part is known by, from `digest_of`.
    compute : callable
        ``compute(places)`` gives the fields' values of the parts at these places, in their order.
    at_a_time : int
        Most parts that are computed between two writes.
    words : str
        What the progress bar says; it is shown on a terminal.

    Returns
    -------
    list of ndarray
        A structured scalar per part with the fields and ``digest``.
    """
    record, part = np.dtype([DIGEST, *fields]), Path(part)
    done = _finished(part, record)
    todo = [place for place, digest in enumerate(digests) if digest not in done]
    total = len(digests)
    logger.info("%d parts, %d of them in %s", total, total - len(todo), part.name)
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("ab") as file:
        for places in _in_turn(todo, total, at_a_time, words):
            for place, values in zip(places, compute(places), strict=True):
                done[digests[place]] = new = np.array((digests[place], *values), dtype=record)
                file.write(new.tobytes())
            file.flush()
    return [done[digest] for digest in digests]


def _finished(part: Path, record: np.dtype) -> dict[bytes, np.ndarray]:
    """Read the parts that are done, and cut off one that was being written."""
    if not part.exists():
        return {}
    size = part.stat().st_size
    if size % record.itemsize:
        with part.open("r+b") as file:
            file.truncate(size - size % record.itemsize)
    return {bytes(done["digest"]): done for done in np.fromfile(part, dtype=record)}


def _in_turn(todo: list[int], total: int, at_a_time: int, words: str) -> Iterator[list[int]]:
    """Give the places that are left, a few at a time, with a progress bar on a terminal."""
    with counted(words, total, total - len(todo)) as advance:
        for first in range(0, len(todo), at_a_time):
            places = todo[first : first + at_a_time]
            yield places
            advance(len(places))

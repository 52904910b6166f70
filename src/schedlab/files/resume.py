"""Long computations that go on where they stopped.

Parts that are done are appended to a part file. It begins with a digest of the code that makes it;
each part is known by a digest of what it was made from and has a checksum of its own, so that
nothing stale or damaged is taken up.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from schedlab.files.io import whole
from schedlab.files.progress import counted

logger = logging.getLogger(__name__)

DIGEST = ("digest", "V32")
CHECK = ("check", "V32")


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
    *,
    code: str = "",
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
    code : str, optional
        A digest of the sources that compute parts. A file that was begun by others is begun anew.

    Returns
    -------
    list of ndarray
        A structured scalar per part with the fields, ``digest`` and ``check``.
    """
    record, part = np.dtype([DIGEST, *fields, CHECK]), Path(part)
    header = hashlib.sha256(json.dumps([code, str(record.descr)]).encode()).digest()
    done = _finished(part, record, header)
    todo = [place for place, digest in enumerate(digests) if digest not in done]
    total = len(digests)
    logger.info("%d parts, %d of them in %s", total, total - len(todo), part.name)
    with part.open("ab") as file:
        for places in _in_turn(todo, total, at_a_time, words):
            for place, values in zip(places, compute(places), strict=True):
                new = np.array((digests[place], *values, b""), dtype=record)
                new["check"] = _check(new)
                done[digests[place]] = new
                file.write(new.tobytes())
            file.flush()
    return [done[digest] for digest in digests]


def _finished(part: Path, record: np.dtype, header: bytes) -> dict[bytes, np.ndarray]:
    """Read the parts that are done; leave them, and nothing else, in a file with this header."""
    found = part.read_bytes() if part.exists() else b""
    if found and not found.startswith(header):
        logger.warning("%s was begun by other code or is damaged: begun anew", part)
        found = b""
    stored = found[len(header) :]
    parts = np.frombuffer(stored, dtype=record, count=len(stored) // record.itemsize)
    good = [each for each in parts if bytes(each["check"]) == _check(each)]
    if bad := len(parts) - len(good):
        logger.warning("%s: %d of %d parts are damaged: computed again", part, bad, len(parts))
    content = header + b"".join(each.tobytes() for each in good)
    if content != found:
        with whole(part) as draft:
            draft.write_bytes(content)
    return {bytes(each["digest"]): each for each in good}


def _check(part: np.ndarray) -> bytes:
    """Return the checksum of a part, of all but the checksum itself."""
    return hashlib.sha256(part.tobytes()[: -np.dtype(CHECK[1]).itemsize]).digest()


def _in_turn(todo: list[int], total: int, at_a_time: int, words: str) -> Iterator[list[int]]:
    """Give the places that are left, a few at a time, with a progress bar on a terminal."""
    with counted(words, total, total - len(todo)) as advance:
        for first in range(0, len(todo), at_a_time):
            places = todo[first : first + at_a_time]
            yield places
            advance(len(places))

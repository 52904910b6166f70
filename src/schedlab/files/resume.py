"""Long computations that resume where they stopped.

Finished parts are appended to a part file, which begins with a digest of the code that makes it.
Each part has a digest of its inputs and a checksum, so that no outdated or damaged part is used.
"""

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
    """Return a digest (32 bytes) of JSON data and the bytes of the files `sources`."""
    code = b"".join(Path(path).read_bytes() for path in sources)
    return hashlib.sha256(code + json.dumps(facts).encode()).digest()


def compute_missing_parts(
    part: str | os.PathLike[str],
    fields: Sequence[tuple],
    digests: Sequence[bytes],
    compute: Callable[[list[int]], Iterable[tuple]],
    at_a_time: int,
    label: str,
    *,
    code: str = "",
) -> list[np.ndarray]:
    """Compute the parts that a part file lacks, `at_a_time`, and append them to it.

    `digests` (of `digest_of`) identify parts; a file of another `code` is discarded, and the caller
    removes it in the end. The result has the `fields`, ``digest`` and ``check`` of each part.
    """
    record, part = np.dtype([DIGEST, *fields, CHECK]), Path(part)
    header = hashlib.sha256(json.dumps([code, str(record.descr)]).encode()).digest()
    done = _read_finished(part, record, header)
    todo = [place for place, digest in enumerate(digests) if digest not in done]
    total = len(digests)
    logger.info("%d parts, %d of them in %s", total, total - len(todo), part.name)
    with part.open("ab") as file:
        for places in _in_turn(todo, total, at_a_time, label):
            for place, values in zip(places, compute(places), strict=True):
                new = np.array((digests[place], *values, b""), dtype=record)
                new["check"] = _check(new)
                done[digests[place]] = new
                file.write(new.tobytes())
            file.flush()
    return [done[digest] for digest in digests]


def _read_finished(part: Path, record: np.dtype, header: bytes) -> dict[bytes, np.ndarray]:
    """Read the finished parts, and rewrite the file with this header and only these parts."""
    stored_bytes = part.read_bytes() if part.exists() else b""
    if stored_bytes and not stored_bytes.startswith(header):
        logger.warning("%s was begun by other code or is damaged: restarted", part)
        stored_bytes = b""
    stored = stored_bytes[len(header) :]
    parts = np.frombuffer(stored, dtype=record, count=len(stored) // record.itemsize)
    good = [entry for entry in parts if bytes(entry["check"]) == _check(entry)]
    if bad := len(parts) - len(good):
        logger.warning("%s: %d of %d parts are damaged: computed again", part, bad, len(parts))
    content = header + b"".join(entry.tobytes() for entry in good)
    if content != stored_bytes:
        with whole(part) as draft:
            draft.write_bytes(content)
    return {bytes(entry["digest"]): entry for entry in good}


def _check(part: np.ndarray) -> bytes:
    """Return the checksum of a part without the checksum itself."""
    return hashlib.sha256(part.tobytes()[: -np.dtype(CHECK[1]).itemsize]).digest()


def _in_turn(todo: list[int], total: int, at_a_time: int, label: str) -> Iterator[list[int]]:
    """Yield the remaining places, a few at a time, with a progress bar on a terminal."""
    with counted(label, total, total - len(todo)) as advance:
        for first in range(0, len(todo), at_a_time):
            places = todo[first : first + at_a_time]
            yield places
            advance(len(places))

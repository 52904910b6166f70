"""Random streams that depend only on their key, not on the order of requests."""

import hashlib
import json
import operator

import numpy as np


def generator(*key: str | int) -> np.random.Generator:
    """Return the random stream of `key`: the same numbers in any order and on any number of cores.

    The key is the purpose of the stream, from general to specific, such as paper, experiment,
    trace, piece, replicate; ``"1"`` and ``1`` are different parts. Every call returns a new PCG64
    stream; another call with the same key returns the same numbers. Raises TypeError if a part is
    neither a text nor a whole number, ValueError if the key is empty.

    Examples
    --------
    >>> int(generator("carastan2017", "fig4a", 3).integers(1000)) == int(
    ...     generator("carastan2017", "fig4a", 3).integers(1000)
    ... )
    True
    """
    if not key:
        raise ValueError("stream key: at least one part is needed")
    # JSON separates parts, and texts from numbers. Unlike hash(), sha256 never changes.
    text = json.dumps([_part(part) for part in key])
    entropy = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))


def _part(part: str | int) -> str | int:
    """Return `part` as plain str or int."""
    if isinstance(part, str):
        return str(part)
    if isinstance(part, bool | np.bool_):
        raise TypeError(f"stream key: {part!r} is neither text nor a whole number")
    try:
        return operator.index(part)
    except TypeError:
        raise TypeError(f"stream key: {part!r} is neither text nor a whole number") from None

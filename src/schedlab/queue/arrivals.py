"""Event order of submissions in a simulator that stores its jobs in a hash table.

OCaml walks hash tables bucket by bucket; the bucket of a job follows from its number.
"""

import numpy as np
from numpy.typing import ArrayLike

#: initial number of buckets of a table
BUCKETS = 1024
_WORD = np.uint64(0xFFFFFFFF)


def hashes(numbers: ArrayLike) -> np.ndarray:
    """Hash small whole numbers as OCaml does: MurmurHash3 of the tagged word, 30 bits."""
    word = 2 * np.asarray(numbers, dtype=np.uint64) + 1
    h: np.ndarray = _turned((word ^ word >> 32) * 0xCC9E2D51 & _WORD, 15) * 0x1B873593 & _WORD
    h = _turned(h, 13) * 5 + 0xE6546B64 & _WORD
    h = (h ^ h >> 16) * 0x85EBCA6B & _WORD
    h = (h ^ h >> 13) * 0xC2B2AE35 & _WORD
    return ((h ^ h >> 16) & 0x3FFFFFFF).astype(np.int64)


def table_walk(numbers: ArrayLike) -> np.ndarray:
    """Return the places of numbers in the order of a walk over their hash table, int32.

    The table has 1,024 buckets and doubles when it has more than twice as many entries. The newest
    entry of a bucket comes first; doubling keeps the order of the walk. Numbers are non-negative,
    in the order in which they enter the table.
    """
    hash_values = hashes(numbers)
    walk = np.empty(0, dtype=np.int32)
    buckets = BUCKETS
    while True:
        new = np.arange(len(walk), min(len(hash_values), 2 * buckets + 1), dtype=np.int32)
        entries = np.concatenate([new[::-1], walk])
        walk = entries[np.argsort(hash_values[entries] % buckets, kind="stable")]
        if len(walk) <= 2 * buckets:
            return walk
        buckets *= 2
        walk = walk[np.argsort(hash_values[walk] % buckets, kind="stable")]


def _turned(x: np.ndarray, bits: int) -> np.ndarray:
    return (x << bits | x >> 32 - bits) & _WORD

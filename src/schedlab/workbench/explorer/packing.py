"""Columns of numbers as text that a page unpacks without a parser."""

import base64
import zlib
from collections.abc import Mapping

import numpy as np

#: types of typed arrays in browsers, the smallest first
KINDS = ("u1", "u2", "i4", "f8")
LEVEL = 6


def pack(columns: Mapping[str, np.ndarray]) -> tuple[list[list], str]:
    """Pack columns of numbers, wide types first, so that all columns are aligned.

    Columns have one dimension; each gets the smallest sufficient type. The first value has the
    name, type and length of every column, in the order of the bytes. The second is the bytes
    (little-endian), compressed (zlib), as base64.

    >>> places, text = pack({"procs": np.array([1, 300]), "start": np.array([0.5])})
    >>> places
    [['start', 'f8', 1], ['procs', 'u2', 2]]
    """
    typed = {name: _smallest(np.asarray(column)) for name, column in columns.items()}
    order = sorted(typed, key=lambda name: -typed[name].itemsize)
    content = b"".join(typed[name].tobytes() for name in order)
    places = [[name, typed[name].dtype.str[1:], len(typed[name])] for name in order]
    return places, base64.b64encode(zlib.compress(content, LEVEL)).decode()


def _smallest(column: np.ndarray) -> np.ndarray:
    whole = np.array_equal(column, np.rint(column))
    low, high = column.min(initial=0), column.max(initial=0)
    for kind in KINDS[:-1] if whole else ():
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            return column.astype(f"<{kind}")
    return column.astype("<f8")

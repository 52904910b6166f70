"""Signatures of swf_scan.pyx, which documents them."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

def scan(
    text: bytes | bytearray | memoryview | npt.NDArray[np.uint8],
    whole: Ints,
    cpu_time: Floats,
    lines: Ints,
    comments: Ints,
    further: Ints,
) -> tuple[int, ...]: ...

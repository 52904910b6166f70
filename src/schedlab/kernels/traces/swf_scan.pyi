"""Signatures of swf_scan.pyx, which documents them."""

from schedlab.kernels.arrays import Bytes, Floats, Ints

def scan(
    text: bytes | bytearray | memoryview | Bytes,
    whole: Ints,
    cpu_time: Floats,
    lines: Ints,
    comments: Ints,
    further: Ints,
) -> tuple[int, ...]: ...

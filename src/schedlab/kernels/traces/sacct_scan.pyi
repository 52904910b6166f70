"""Signatures of sacct_scan.pyx, which documents them."""

from schedlab.kernels.arrays import Bytes, Ints, Places

LOCAL: int

def scan(
    text: bytes | bytearray | memoryview | Bytes,
    places: Places,
    kinds: Places,
    open_end: bool,
    closing: bool,
    lines: Ints,
    values: Ints,
    tasks: Ints,
    hashes: Ints,
    spans: Ints,
    slots: Places,
    distinct: Ints,
    odd: Ints,
) -> tuple[int, int]: ...

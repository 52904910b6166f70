"""Signatures of expression.pyx, which documents them."""

from schedlab.kernels.arrays import Floats, Places

OPERATIONS: tuple[str, ...]
MAX_STACK: int

def evaluate(
    op: Places, constant: Floats, r: Floats, n: Floats, s: Floats, w: Floats
) -> tuple[Floats, int]: ...

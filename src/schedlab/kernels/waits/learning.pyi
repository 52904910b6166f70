"""Signatures of learning.pyx, which documents them."""

from schedlab.kernels.arrays import Bytes, Floats, Ints, Places

def play(
    chance: Floats,
    loss: Floats,
    last: Floats,
    rounds: int,
    alternatives: Floats,
    rate: float,
    power: float,
    draws: int,
    redraws: int,
    is_start: Bytes,
    jobs: Ints,
    waits: Floats,
    uniform: Floats,
    chosen: Places,
) -> int: ...

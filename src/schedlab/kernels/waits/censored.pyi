"""Signatures of censored.pyx, which documents them."""

from schedlab.kernels.arrays import Bytes, Floats, Ints

def predictions(
    is_start: Bytes,
    jobs: Ints,
    submit: Ints,
    waits: Floats,
    levels: Floats,
    telling: int,
    least: int,
) -> Floats: ...

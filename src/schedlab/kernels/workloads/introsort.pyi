"""Signatures of introsort.pyx, which documents them."""

from schedlab.kernels.arrays import Ints

def sort_descending(key: Ints, order: Ints) -> bool: ...

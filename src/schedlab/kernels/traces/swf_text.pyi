"""Signatures of swf_text.pyx, which documents them."""

from schedlab.kernels.arrays import Bytes, Ints

def write_lines(values: Ints, texts: bytes, stops: Ints, out: Bytes) -> int: ...

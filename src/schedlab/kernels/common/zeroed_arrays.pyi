"""Signatures of zeroed_arrays.pyx, which documents them."""

from contextlib import AbstractContextManager

def zeroed_arrays() -> AbstractContextManager[None]: ...

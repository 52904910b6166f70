"""Cython kernels, one algorithm a file, and the data structures they share."""

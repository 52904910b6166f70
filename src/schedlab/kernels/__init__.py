"""Cython kernels, one algorithm per file, and their common data structures."""

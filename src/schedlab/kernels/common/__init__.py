"""Data structures of several kernels."""

"""Kernels of one queue."""

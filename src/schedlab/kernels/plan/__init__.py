"""Kernels of machines that work by a plan."""

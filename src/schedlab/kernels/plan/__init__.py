"""Kernels of machines with an execution plan."""

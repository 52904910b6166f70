"""Structures that several kernels share."""

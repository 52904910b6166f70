"""Kernels of workload models."""

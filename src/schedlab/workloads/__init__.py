"""Workloads that are drawn from models, and the random streams they come from."""

"""Schedules of one workload as a self-contained interactive page."""

from schedlab.workbench.explorer.page import write_explorer, write_notice

__all__ = ["write_explorer", "write_notice"]

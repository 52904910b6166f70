"""Schedules of one workload as a page that needs nothing beside it: panned, zoomed, asked."""

from schedlab.workbench.explorer.page import write_explorer

__all__ = ["write_explorer"]

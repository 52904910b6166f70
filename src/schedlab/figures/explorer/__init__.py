"""Schedules of one workload as one page that needs nothing beside it: panned, zoomed, questioned."""

from schedlab.figures.explorer.page import write_explorer

__all__ = ["write_explorer"]

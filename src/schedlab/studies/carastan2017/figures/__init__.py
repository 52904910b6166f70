"""Figures of carastan2017."""

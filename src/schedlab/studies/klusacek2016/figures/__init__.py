"""Figures of klusacek2016."""

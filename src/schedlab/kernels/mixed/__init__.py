"""Kernel of many mixed policies at once."""

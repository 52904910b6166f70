"""Figures of souza2020."""

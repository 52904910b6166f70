"""Figures of kellari2025."""

"""Tables of kellari2025, by chapter."""

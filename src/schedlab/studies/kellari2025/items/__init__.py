"""Items of kellari2025: the list in `index`, and the makers of each group."""

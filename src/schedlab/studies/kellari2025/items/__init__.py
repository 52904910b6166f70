"""What is shown of kellari2025: the list in `index`, and what makes each group."""

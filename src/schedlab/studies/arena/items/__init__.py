"""What is shown of the arena: the list in `index`, and what makes it."""

"""What is shown of souza2020: the list in `index`, and what makes each group."""

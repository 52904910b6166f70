"""What is shown of the referee."""

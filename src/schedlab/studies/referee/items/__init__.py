"""Items of the referee."""

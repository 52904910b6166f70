"""Tables of souza2020."""

"""Users that react: what a log says of them, how they submit, what they put up with."""

"""A log of one's own, from the file to answers: what Python users and the command line call."""

"""Your log, from its file to answers: the interface for Python and the command line."""

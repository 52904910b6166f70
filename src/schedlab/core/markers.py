"""Words in records and tables that state whether a log is available."""

AT_HAND = "at hand"
NOT_AVAILABLE = "log not available"
DRAWN = "drawn from its seed"  # the file is not available, but all its jobs are

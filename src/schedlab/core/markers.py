"""Words in records and tables that state whether a log is available."""

AVAILABLE = "available"
NOT_AVAILABLE = "log not available"
DRAWN = "drawn from its seed"  # the file is not available, but all its jobs are

"""Jobs, schedules, windows of a log, metrics, intervals and random streams."""

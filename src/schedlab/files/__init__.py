"""Files: configuration, sheets, atomically written tables, progress and logs."""

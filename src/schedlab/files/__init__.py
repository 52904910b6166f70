"""Files: configuration, sheets, tables written whole or not at all, progress and logs."""

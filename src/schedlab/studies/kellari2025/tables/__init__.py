"""Its tables, by chapter."""

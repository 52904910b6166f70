"""The arena: every scheduler runs on the same logs, and is ranked by metrics and worst cases."""

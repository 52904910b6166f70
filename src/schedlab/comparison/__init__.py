"""Comparison of schedulers on windows of logs: runs, metrics, and significance of differences."""

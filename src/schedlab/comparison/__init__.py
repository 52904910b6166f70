"""Schedulers over windows of logs: runs, metrics, and what can be said of their differences."""

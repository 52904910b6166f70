"""The kernel of jobs that share nodes."""

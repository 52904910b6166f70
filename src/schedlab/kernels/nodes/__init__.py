"""Kernel of jobs that share nodes."""

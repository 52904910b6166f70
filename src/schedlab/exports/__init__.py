"""Workloads and schedules in the files of other programs, and back."""

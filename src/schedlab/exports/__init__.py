"""Workloads and schedules in the file formats of other programs."""

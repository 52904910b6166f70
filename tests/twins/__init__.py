"""Slow, obvious Python twins of the kernels; tests compare schedules, job by job."""

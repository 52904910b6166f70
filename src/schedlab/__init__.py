"""schedlab: batch-scheduling experiments from raw job logs to tables and figures."""

from schedlab.jobs import Jobs, Schedule

__all__ = ["Jobs", "Schedule"]

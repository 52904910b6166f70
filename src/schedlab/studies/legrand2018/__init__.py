"""Adapting Batch Scheduling to Workload Characteristics (RR-9212)."""

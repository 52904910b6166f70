"""Which jobs windows are cut from."""


def jobs_of_log(wildcards):
    """Return the jobs that a window is cut from."""
    return jobs_of_workload(wildcards.log, REFEREE_CLEANING)

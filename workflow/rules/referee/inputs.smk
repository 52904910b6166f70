"""Input functions of the referee."""


def jobs_of_log(wildcards):
    """Return the jobs from which a window is cut."""
    return jobs_of_workload(wildcards.log, REFEREE_CLEANING)

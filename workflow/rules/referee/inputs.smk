"""Input functions of the referee."""

from schedlab.studies.referee.site_slice import files_of, find_site


def jobs_of_log(wildcards):
    """Return the jobs from which a window is cut."""
    return jobs_of_workload(wildcards.log, REFEREE_CLEANING)


def files_of_whole_site():
    """Return the files from which the slice is cut, none if the site is not in the archive."""
    folder = find_site(config["archive"])
    return [str(path) for path in files_of(folder)] if folder else []

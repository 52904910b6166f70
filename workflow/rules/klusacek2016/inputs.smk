"""Input functions of klusacek2016: files and settings by wildcards."""

from schedlab.studies.klusacek2016.sheet import clusters_of


def plan_row(wildcards):
    """Return the row of an experiment."""
    return EXPERIMENTS[KLUSACEK][wildcards.experiment]


def jobs_of_row(row):
    """Return the jobs of the log or model that an experiment runs, completely or in an interval."""
    return jobs_of_workload(row.source, row.cleaning)


def jobs_of_plans(wildcards):
    """Return the jobs of an experiment."""
    return jobs_of_row(plan_row(wildcards))


def waits_of_plans(wildcards):
    """Return the simulated waits that determine busy intervals, if an experiment needs them."""
    row = plan_row(wildcards)
    if row.intervals in (None, RECORDED_WAITS):
        return []
    return CONTENTION.replace("{source}", row.source)


def row_of_log(wildcards):
    """Return the first experiment on busy intervals of a log; it determines the machine."""
    return next(
        row
        for row in EXPERIMENTS[KLUSACEK].values()
        if row.piece is not None and row.source == wildcards.source
    )


def settings_of_plans(wildcards):
    """Return the columns that schedules depend on."""
    return plan_row(wildcards).settings


def machine_of_plans(wildcards):
    """Return the clusters that an experiment runs on."""
    return clusters_of(plan_row(wildcards), MACHINES)

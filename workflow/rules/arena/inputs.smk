"""Which file and which settings feed which rule of the arena, by wildcards."""

from schedlab.policies.user_files import file_of, is_place


def contest(wildcards):
    """Return a row of the arena."""
    return EXPERIMENTS[ARENA][wildcards.contest]


def jobs_of_contest(wildcards):
    """Return the jobs of a row's log or model."""
    row = contest(wildcards)
    return jobs_of_workload(row.source, row.cleaning)


def learned_of_contest(wildcards):
    """Return the table of learned policies that a row runs, if it runs some."""
    learned = contest(wildcards).learned
    return f"<results>/{learned}" if learned else []


def recorded_contests():
    """List the rows that run a log, whose own schedule it says; a model has none."""
    return [row for row in EXPERIMENTS[ARENA].values() if not row.is_model]


def settings_of_contest(wildcards):
    """Return the cells that results depend on."""
    return contest(wildcards).settings


def files_of_schedulers(wildcards):
    """List the files of users' functions that run on a row's log: an edited one reruns it."""
    places = [*contest(wildcards).schedulers, *config[ARENA]["schedulers"].values()]
    return sorted({file_of(place) for place in places if is_place(place)})

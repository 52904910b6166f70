"""Input functions of the arena: files and settings by wildcards."""

from schedlab.policies.user_files import file_of, is_place


def contest(wildcards):
    """Return a row of the arena."""
    return EXPERIMENTS[ARENA][wildcards.contest]


def jobs_of_contest(wildcards):
    """Return the jobs of a row's log or model."""
    row = contest(wildcards)
    return jobs_of_workload(row.source, row.cleaning)


def learned_of_contest(wildcards):
    """Return the table of learned policies that a row runs; no file if it runs none."""
    learned = contest(wildcards).learned
    return f"<results>/{learned}" if learned else []


def recorded_contests():
    """Return the rows of logs, which record a schedule; models have none."""
    return [row for row in EXPERIMENTS[ARENA].values() if not row.is_model]


def settings_of_contest(wildcards):
    """Return the columns that results depend on."""
    return contest(wildcards).settings


def files_of_schedulers(wildcards):
    """Return the files of users' functions that run on a row's log: editing one reruns the row."""
    places = [*contest(wildcards).schedulers, *config[ARENA]["schedulers"].values()]
    return sorted({file_of(place) for place in places if is_place(place)})


def schedules_of_logs():
    """Return the pages of schedules of the arena's logs, by label: addresses with their words.

    These are windows of carastan2017's experiments on the same log.
    """
    pages = {}
    for row in EXPERIMENTS[ARENA].values():
        pages[row.label] = [
            (f"explore/{name}.html", STUDIES[CARASTAN].label_as_run(name))
            for name in EXPLORED
            if EXPERIMENTS[CARASTAN][name].source == row.source
            and is_linked(f"{RESULTS}/report/explore/{name}.html", "all")
        ]
    return {label: found for label, found in pages.items() if found}

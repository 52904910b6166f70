"""Input functions of the arena: files and settings by wildcards."""

from schedlab.policies.user_files import file_of, is_place
from schedlab.queue.site_cells import files_in


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


def files_of_functions(*rows):
    """Return the files of users' functions that run on the logs of rows."""
    places = [place for row in rows for place in row.schedulers]
    places += config[ARENA]["schedulers"].values()
    return sorted({file_of(place) for place in places if is_place(place)})


def files_of_schedulers(wildcards):
    """Return the files of users' functions and of a site's Slurm: editing one reruns the row."""
    row = contest(wildcards)
    return files_of_functions(row) + files_in(row.dialect)


def pages_of_schedules():
    """Return the page of every log's schedules, by its label."""
    return {
        row.name: f"schedules/{row.experiment}.html"
        for row in EXPERIMENTS[ARENA].values()
    }


def scoreboard_if_any():
    """Return the papers' scoreboard if it exists or is asked for."""
    path = rules.make_scoreboard.output.csv
    return [path] if is_linked(as_written(path), "all") else []


def networks_of(*rows):
    """Return the available published policies that run on the logs of rows: files by name."""
    names = {name for row in rows for name in row.schedulers} & {*published()}
    return weights_of(*sorted(names))


def schedulers_beyond(*rows):
    """Return the user-defined schedulers of the configuration, and published networks, by name."""
    return config["policies"] | config["arena"]["schedulers"] | networks_of(*rows)

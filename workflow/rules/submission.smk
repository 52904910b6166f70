"""Before the first job: whether Slurm would take it, and no needless work of the scheduler."""

import sys

from schedlab.flow.submission import Place, SubmissionError, check

# What names a place among a job's resources, and in the environment where sbatch reads it itself.
PLACE = {name: f"slurm_{name}" for name in ("account", "partition")} | {"qos": "qos"}


def places_asked(command):
    """Return the places that jobs go to, with the most memory and run time that one asks for.

    A command of the profile's own names the place; without one it stands in jobs' resources.
    """
    most = {}
    for job in workflow.dag.needrun_jobs():
        if job.is_local:
            continue
        named = {name: job.resources.get(key, "") for name, key in PLACE.items()}
        place = Place(**{name: str(value) for name, value in named.items()})
        if command:
            place = Place.of_command(command)
        asked = (job.resources.get("mem_mb", 0), job.resources.get("runtime", 0))
        most[place] = tuple(map(max, most.get(place, asked), asked))
    return most


def check_submission():
    """Ask Slurm, where it is Slurm that jobs are submitted to."""
    settings = workflow.executor_settings
    submit = getattr(settings, "submit_cmd", None) or ""
    if workflow.executor_plugin.name != "slurm" and not submit.startswith("sbatch"):
        return
    try:
        for place, (memory, runtime) in places_asked(submit).items():
            check(place, memory, runtime)
    except SubmissionError as error:
        sys.exit(f"Error: {error}")


def stop_timers():
    """Lift Snakemake's default limit of 100 jobs a second; a limit that you set stays.

    For this limit Snakemake looks at all ready jobs again a second after every look, once more for
    every job that has finished: the work of its main process grows with the square of the run's
    length. A longer timespan costs less, but the run does not end before its last timer.
    Without a limit Snakemake looks at the ready jobs when a job ends.
    """
    limit = workflow.scheduler.job_rate_limiter
    if limit and (limit.max_jobs, limit.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


onstart:
    check_submission()
    stop_timers()

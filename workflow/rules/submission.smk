"""Before the first job goes to Slurm: whether it would be taken."""

import sys

from schedlab.submission import Place, SubmissionError, check

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


onstart:
    check_submission()

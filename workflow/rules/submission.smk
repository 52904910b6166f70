"""Checks before the first job: would Slurm accept it; and a faster scheduling loop."""

from schedlab.flow.submission import Place, check

# Keys of account, partition and QOS in a job's resources.
PLACE = {name: f"slurm_{name}" for name in ("account", "partition")} | {"qos": "qos"}


def places_of(command):
    """Return the places that jobs go to, with the largest memory and run time of a job.

    If the profile has a submit command, it names the place; otherwise the jobs' resources do.
    """
    most = {}
    for job in workflow.dag.needrun_jobs():
        if job.is_local:
            continue
        named = {name: job.resources.get(key, "") for name, key in PLACE.items()}
        place = Place(**{name: str(value) for name, value in named.items()})
        if command:
            place = Place.of_command(command)
        requested = (job.resources.get("mem_mb", 0), job.resources.get("runtime", 0))
        most[place] = tuple(map(max, most.get(place, requested), requested))
    return most


def check_submission():
    """Check with Slurm that it would accept the jobs, if jobs are submitted to Slurm."""
    settings = workflow.executor_settings
    submit = getattr(settings, "submit_cmd", None) or ""
    if workflow.executor_plugin.name != "slurm" and not submit.startswith("sbatch"):
        return
    with without_stack():
        for place, (memory, runtime) in places_of(submit).items():
            check(place, memory, runtime)


def stop_timers():
    """Remove Snakemake's default limit of 100 jobs a second; a limit that you set stays.

    With this limit Snakemake examines all ready jobs again one second after every examination, and
    once more for every finished job. The work of its main process then grows with the square of the
    run's length. A longer timespan costs less, but the run does not end before its last timer.
    Without a limit Snakemake examines the ready jobs when a job ends.
    """
    limit = workflow.scheduler.job_rate_limiter
    if limit and (limit.max_jobs, limit.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


onstart:
    check_submission()
    stop_timers()

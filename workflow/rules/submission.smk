"""Checks before the first job: would Slurm accept it; and a faster scheduling loop."""

import os
from tempfile import NamedTemporaryFile

from snakemake.logging import logger

from schedlab.flow.submission import check, find_sbatch, largest

# Snakemake's text for a resource that it does not know yet
UNKNOWN = "<TBD>"
REMEDY = (
    "Name your site's account and partition in the profile or on the command line. A group asks for "
    "the sum of its jobs' times: if that is too long, give fewer --group-components (docs/hpc.md)"
)


def jobs_to_submit():
    """Return the jobs and groups of jobs that will be submitted, each once."""
    jobs = (
        workflow.dag.get_job_group(job) or job for job in workflow.dag.needrun_jobs()
    )
    return [job for job in dict.fromkeys(jobs) if not job.is_local]


def command_of_executor(job):
    """Return the command line with which Snakemake's executor for Slurm submits a job."""
    from snakemake_executor_plugin_slurm.submit_string import get_submit_command
    from snakemake_executor_plugin_slurm.utils import set_gres_string

    executor = workflow.scheduler.get_executor(job)
    facts = {
        "run_uuid": "schedlab",
        "slurm_logfile": os.devnull,
        "comment_str": job.name,
        "account": next(executor.get_account_arg(job)),
        "partition": executor.get_partition_arg(job),
        "workdir": workflow.workdir_init,
    }
    command = get_submit_command(job, facts, settings=workflow.executor_settings)
    return f"{command}{set_gres_string(job)} --wrap=true"


def check_submission():
    """Check with Slurm that it would accept the jobs, if jobs are submitted to Slurm.

    The commands are those that will submit them, so that nothing is refused that they could do.
    """
    submit = getattr(workflow.executor_settings, "submit_cmd", None) or ""
    of_executor = workflow.executor_plugin.name == "slurm"
    if not of_executor and not submit.startswith("sbatch"):
        return
    with without_stack(), NamedTemporaryFile("w", suffix=".sh") as script:
        find_sbatch()
        print("#!/bin/sh", file=script, flush=True)
        for job in largest(jobs_to_submit()):
            try:
                command = (
                    command_of_executor(job)
                    if of_executor
                    else f'{job.format_wildcards(submit, dependencies="")} "{script.name}"'
                )
            except (AttributeError, ImportError, OSError, TypeError) as error:
                logger.warning(
                    f"Slurm is not asked whether it takes {job.name}: {error}"
                )
                continue
            if UNKNOWN in command:  # depends on files that do not exist yet
                continue
            jobs = len(job.jobs) if job.is_group() else 1
            check(command, f"{job.name} ({jobs} job{'s' * (jobs > 1)})", REMEDY)


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

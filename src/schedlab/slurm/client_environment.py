"""Variables of the environment that Slurm's commands read: allowed, refused and removed ones."""

import os
from collections.abc import Mapping

#: variables that redirect the commands to another cluster
ELSEWHERE = ("SBATCH_CLUSTERS", "SLURM_CLUSTERS", "SLURM_WORKING_CLUSTER")
#: Slurm sets it in a job. Of variables that would be refused, those that it sets there are removed.
IN_JOB = "SLURM_JOB_ID"
OF_JOB = ("SLURM_WORKING_CLUSTER", "SLURM_HINT")
#: Variables of sbatch that may be set. Every other SBATCH_* variable is refused, also one that no
#: version of Slurm knows yet: it could turn a stage into an array, let sbatch wait for the job's
#: end, or change the cores and the memory that the strategy and the learned waits rely on. For all
#: stages, the workflow file has the key ``sbatch``. Variables of salloc change no batch job.
#: Those of squeue and scancel are removed from the environment of these commands.
ALLOWED = frozenset(
    f"SBATCH_{name}"
    for name in (
        # where a job runs, and which budget it uses: a site may require them
        *("ACCOUNT", "PARTITION", "QOS", "RESERVATION", "WCKEY", "CONSTRAINT"),
        # what a job sees, and what is recorded of it, not its size
        *("EXPORT", "GET_USER_ENV", "ACCTG_FREQ", "PROFILE", "DEBUG", "IGNORE_PBS"),
        # without effect: the command line has these options, and prevails
        *("JOB_NAME", "OUTPUT", "TIMELIMIT", "REQUEUE", "NO_REQUEUE"),
        # without effect: Slurm sets them within a job, and sbatch does not read them
        *("CPU_BIND", "CPU_BIND_LIST", "CPU_BIND_TYPE", "CPU_BIND_VERBOSE"),
        *("MEM_BIND_LIST", "MEM_BIND_PREFER", "MEM_BIND_SORT", "MEM_BIND_TYPE"),
        "MEM_BIND_VERBOSE",
    )
)
#: further variables that sbatch reads: binding of threads, and the exit code after an error, which
#: could be that of a success
REFUSED = ("SLURM_HINT", "SLURM_EXIT_ERROR")
#: Variables of these kinds describe the Slurm job or step in which this command is called, such as
#: SLURM_MEM_PER_CPU, SLURM_CPU_BIND or PMI_RANK. sbatch would hand them on to the stages, whose
#: srun obeys them. So they are removed, but for those by which Slurm is reached and answers
#: (configuration, token, addresses) or that a site sets for its MPI.
ENCLOSING = ("SLURM_", "SRUN_", "PMI_", "PMIX_")
KEPT = frozenset(
    f"SLURM_{name}"
    for name in (
        *("CONF", "CONF_SERVER", "JWT", "DEBUG_FLAGS", "TIME_FORMAT"),
        *("MPI_TYPE", "PMIX_DIRECT_CONN"),
    )
)
#: variables that would filter or reshape what the commands other than sbatch answer
FILTERS = (
    *("SQUEUE_", "SCANCEL_", "SINFO_", "SCONTROL_", "SACCT_", "SLURM_TIME_FORMAT"),
    "SLURM_WORKING_CLUSTER",
)


def forbidden_variables() -> str | None:
    """Return which variables would change the jobs of a workflow, and what to do; None for none."""
    ignored = OF_JOB if IN_JOB in os.environ else ()
    if variables := [name for name in ELSEWHERE if os.environ.get(name) and name not in ignored]:
        return (
            f"{variables[0]} is set to {os.environ[variables[0]]!r} in the environment: "
            "jobs run on the cluster of this machine alone; unset it"
        )
    # for an option without an argument, the empty text means yes
    if variables := sorted(
        name
        for name in os.environ
        if (name.startswith("SBATCH_") and name not in ALLOWED and name not in ELSEWHERE)
        or (name in REFUSED and name not in ignored)
    ):
        return (
            f"{variables[0]} is set to {os.environ[variables[0]]!r} in the environment: sbatch "
            "would change the jobs by it; unset it, or write the option under sbatch in the "
            "workflow file"
            + (f". The same holds for {', '.join(variables[1:])}" * bool(variables[1:]))
        )
    return None


def command_environment(
    is_submission: bool, variables: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the environment of a command of Slurm; sbatch hands it on to the job."""
    environment = dict(os.environ)
    if not is_submission:
        return {k: v for k, v in environment.items() if not k.startswith(FILTERS)}
    environment = {k: v for k, v in environment.items() if k in KEPT or not k.startswith(ENCLOSING)}
    if variables is not None:
        environment = {k: v for k, v in environment.items() if k not in ALLOWED} | dict(variables)
    return environment

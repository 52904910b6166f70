"""Commands of Slurm that a workflow needs, with errors that tell you what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

COMMANDS = ("sbatch", "squeue", "scancel", "scontrol", "sinfo")
#: job, state, submission, start, end, reason of waiting
FORMAT = "%i|%T|%V|%S|%e|%r"
#: states of jobs that have not begun, or will begin again; a booting node counts as no start
WAITING = frozenset(
    {
        *("PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT"),
        "RESV_DEL_HOLD",
    }
)
#: variables that redirect the commands to another cluster
ELSEWHERE = ("SBATCH_CLUSTERS", "SLURM_CLUSTERS")
#: states of jobs that have begun and have not ended
RUNNING = frozenset(
    {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING"}
)


class SlurmError(RuntimeError):
    """Slurm is missing, refuses a request, or one of its jobs fails."""


@dataclass(frozen=True)
class SbatchRequest:
    """Request for sbatch.

    `%j` in the name of the output file is replaced by the job number. There are `cores` tasks of
    one core each; `minutes` is the time limit. Options are as on the command line; `after` are
    numbers of the jobs that must have completed successfully before.
    """

    name: str
    script: Path
    output: Path
    cores: int
    minutes: int
    options: tuple[str, ...] = ()
    after: tuple[int, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """Arguments of sbatch, as on the command line."""
        fixed = [
            f"--job-name={self.name}",
            f"--output={self.output}",
            f"--ntasks={self.cores}",
            f"--time={self.minutes}",
            # after a node failure, a job must not restart without the strategy's knowledge
            "--no-requeue",
        ]
        if self.after:
            fixed.append(f"--dependency=afterok:{':'.join(map(str, self.after))}")
            fixed.append("--kill-on-invalid-dep=yes")
        return [*self.options, *fixed, str(self.script)]


@dataclass(frozen=True)
class Seen:
    """State of a job as squeue reports it, by Slurm's name: PENDING, RUNNING, COMPLETED ...

    Times are in seconds since 1970. If the job has not started or ended, start or end is Slurm's
    expected time or None. `reason` is why it waits, or why it failed.
    """

    state: str
    submit: int
    start: int | None = None
    end: int | None = None
    reason: str = "None"

    @property
    def begun(self) -> bool:
        """Whether it has started; a job that was cancelled before its start has only an end."""
        return self.state not in WAITING and self.start is not None

    @property
    def over(self) -> bool:
        """Whether it has ended, successfully or not."""
        return self.state not in WAITING | RUNNING


class Slurm:
    """The Slurm of this machine, and its clock.

    Raises `SlurmError` if one of `COMMANDS` is missing, or one of `ELSEWHERE` is set.
    """

    def __init__(self) -> None:
        if variables := [name for name in ELSEWHERE if os.environ.get(name)]:
            raise SlurmError(
                f"{variables[0]} is set to {os.environ[variables[0]]!r} in the environment: "
                "jobs run on the cluster of this machine alone; unset it"
            )
        if missing := [name for name in COMMANDS if not shutil.which(name)]:
            raise SlurmError(
                f"no Slurm found: {missing[0]} is not in PATH; run this where sbatch works, as on "
                "a login node"
            )

    def time(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Sleep for some seconds."""
        time.sleep(seconds)

    def system(self, partition: str | None = None) -> str:
        """Return the system that waits are learned by: cluster and (default) partition.

        Raises `SlurmError` if no Slurm is installed, or it does not answer.
        """
        try:
            return self._system(partition or os.environ.get("SBATCH_PARTITION"))
        except SlurmError as error:
            raise SlurmError(f"there is no Slurm here, or it does not answer: {error}") from None

    def _system(self, partition: str | None) -> str:
        """Return the system of a Slurm that answers."""
        if partition is None:
            lines = _run("sinfo", "--noheader", "--format=%P").split()
            default = [line[:-1] for line in lines if line.endswith("*")]
            partition = default[0] if default else "any"
        for line in _run("scontrol", "show", "config").splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "ClusterName":
                return f"{value.strip()}/{partition}"
        raise SlurmError("scontrol show config: says no ClusterName")

    def submit(self, request: SbatchRequest) -> int:
        """Submit a job and return its number.

        Raises `SlurmError` if the submission is refused; the message contains the output of sbatch.
        """
        output = _run("sbatch", "--parsable", *request.arguments)
        try:
            return int(output.split()[-1].partition(";")[0])
        except (IndexError, ValueError):
            raise SlurmError(f"sbatch printed {output!r}, not a job's number") from None

    def find(self, request: SbatchRequest) -> int:
        """Return the number of a job that Slurm accepted although its submission failed; 0 if none.

        Its script, which no other job has, identifies it. Raises `SlurmError` if Slurm does not
        answer.
        """
        for line in _run("squeue", "--me", "--noheader", "--format=%A|%o").splitlines():
            number, _, script = line.strip().partition("|")
            if script.strip() == str(request.script):
                return int(number)
        return 0

    def jobs(self, numbers: Iterable[int]) -> dict[int, Seen]:
        """Return the state of each job that Slurm still knows; it forgets jobs after their end.

        Raises `SlurmError` if Slurm does not answer.
        """
        if not (sorted_numbers := sorted(numbers)):
            return {}
        try:
            output = _run(
                "squeue",
                "--noheader",
                "--states=all",
                f"--jobs={','.join(map(str, sorted_numbers))}",
                f"--format={FORMAT}",
                env=os.environ | {"SLURM_TIME_FORMAT": "%s"},
            )
        except SlurmError as error:
            if "Invalid job id" in str(error):
                return {}
            raise
        rows = (line.split("|") for line in output.splitlines() if line.count("|") == 5)
        return {
            int(cells[0]): Seen(cells[1], *map(_second, cells[2:5]), cells[5]) for cells in rows
        }

    def exit_code(self, number: int) -> str:
        """Return a job's exit code and signal, such as "3:0", or "unknown" if Slurm forgot it."""
        try:
            output = _run("scontrol", "show", "job", "--oneliner", str(number))
        except SlurmError:
            return "unknown"
        fields = dict(word.partition("=")[::2] for word in output.split())
        return fields.get("ExitCode", "unknown")

    def cancel(self, numbers: Iterable[int]) -> None:
        """Cancel jobs; it has no effect on jobs that have ended.

        Raises `SlurmError` if Slurm does not answer.
        """
        if texts := [str(number) for number in numbers]:
            _run("scancel", "--quiet", *texts)


def _second(cell: str) -> int | None:
    """Return a time from squeue's output; None if there is none."""
    if cell.isdigit():
        return int(cell)
    try:
        # from a Slurm with only one time format: local time
        return int(datetime.fromisoformat(cell).timestamp())
    except ValueError:
        return None


def _run(*command: str, env: dict[str, str] | None = None) -> str:
    """Run a command, protected from Ctrl-C, and return its output."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env=env, start_new_session=True, check=False
        )
    except FileNotFoundError:
        raise SlurmError(f"{command[0]} is not in PATH") from None
    if done.returncode:
        errors = " ".join((done.stderr or done.stdout).split())
        raise SlurmError(f"{command[0]}: {errors or f'ended with {done.returncode}'}")
    return done.stdout

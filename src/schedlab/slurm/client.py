"""The few commands of Slurm that a workflow needs, with errors that say what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

COMMANDS = ("sbatch", "squeue", "scancel", "scontrol", "sinfo")
#: job, state, submission, start, end, why it waits
FORMAT = "%i|%T|%V|%S|%e|%r"
#: of jobs that have not begun, or are to begin anew; a node that boots is none yet
WAITING = frozenset(
    {
        *("PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT"),
        "RESV_DEL_HOLD",
    }
)
#: by them the commands would speak of another cluster
ELSEWHERE = ("SBATCH_CLUSTERS", "SLURM_CLUSTERS")
#: of jobs that have begun and may yet end in any way
RUNNING = frozenset(
    {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING"}
)


class SlurmError(RuntimeError):
    """Slurm is not there, does not do what it is asked, or a job of it ends badly."""


@dataclass(frozen=True)
class SbatchRequest:
    """What sbatch is asked for.

    Parameters
    ----------
    name : str
        Of the job.
    script : Path
        What runs.
    output : Path
        Where its output goes; ``%j`` stands for the number.
    cores : int
        Tasks of one core each.
    minutes : int
        Time limit.
    options : tuple of str
        Further ones, as they are typed.
    after : tuple of int
        Numbers of the jobs that must have ended well before.
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
        """As they are typed behind sbatch."""
        fixed = [
            f"--job-name={self.name}",
            f"--output={self.output}",
            f"--ntasks={self.cores}",
            f"--time={self.minutes}",
            # what a node takes with it does not begin anew unknown to the strategy
            "--no-requeue",
        ]
        if self.after:
            fixed.append(f"--dependency=afterok:{':'.join(map(str, self.after))}")
            fixed.append("--kill-on-invalid-dep=yes")
        return [*self.options, *fixed, str(self.script)]


@dataclass(frozen=True)
class Seen:
    """What squeue says of a job.

    Parameters
    ----------
    state : str
        As Slurm calls it: PENDING, RUNNING, COMPLETED ...
    submit : int
        When it was submitted, in seconds since 1970.
    start, end : int or None
        When it began and ended; of one that has not, what Slurm expects or nothing.
    reason : str
        Why it waits, or ended badly.
    """

    state: str
    submit: int
    start: int | None = None
    end: int | None = None
    reason: str = "None"

    @property
    def begun(self) -> bool:
        """Whether it has started: what was taken back before that has an end alone."""
        return self.state not in WAITING and self.start is not None

    @property
    def over(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self.state not in WAITING | RUNNING


class Slurm:
    """The Slurm of this machine, and the clock that it goes by.

    Raises
    ------
    SlurmError
        One of `COMMANDS` is not there, or one of `ELSEWHERE` is set.
    """

    def __init__(self) -> None:
        if named := [name for name in ELSEWHERE if os.environ.get(name)]:
            raise SlurmError(
                f"{named[0]} is set to {os.environ[named[0]]!r} in the environment: jobs run on "
                "the cluster of this machine alone; unset it"
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
        """Wait."""
        time.sleep(seconds)

    def system(self, partition: str | None = None) -> str:
        """Return what waits are learned by: cluster and partition, the default one if none.

        Raises
        ------
        SlurmError
            No Slurm is installed, or none answers.
        """
        try:
            return self._system(partition or os.environ.get("SBATCH_PARTITION"))
        except SlurmError as error:
            raise SlurmError(f"there is no Slurm here, or it does not answer: {error}") from None

    def _system(self, partition: str | None) -> str:
        """Return the same of a Slurm that answers."""
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

        Raises
        ------
        SlurmError
            It is refused; what sbatch said is in the message.
        """
        said = _run("sbatch", "--parsable", *request.arguments)
        try:
            return int(said.split()[-1].partition(";")[0])
        except (IndexError, ValueError):
            raise SlurmError(f"sbatch printed {said!r}, not a job's number") from None

    def find(self, request: SbatchRequest) -> int:
        """Return the number of a job whose submission failed though Slurm took it, 0 for none.

        It is known by its script, which no other job has.

        Raises
        ------
        SlurmError
            Slurm does not answer.
        """
        for line in _run("squeue", "--me", "--noheader", "--format=%A|%o").splitlines():
            number, _, script = line.strip().partition("|")
            if script.strip() == str(request.script):
                return int(number)
        return 0

    def jobs(self, numbers: Iterable[int]) -> dict[int, Seen]:
        """Return what is known of jobs; nothing of those that ended some time ago.

        Raises
        ------
        SlurmError
            Slurm does not answer.
        """
        if not (asked := sorted(numbers)):
            return {}
        try:
            said = _run(
                "squeue",
                "--noheader",
                "--states=all",
                f"--jobs={','.join(map(str, asked))}",
                f"--format={FORMAT}",
                env=os.environ | {"SLURM_TIME_FORMAT": "%s"},
            )
        except SlurmError as error:
            if "Invalid job id" in str(error):
                return {}
            raise
        found = (line.split("|") for line in said.splitlines() if line.count("|") == 5)
        return {
            int(cells[0]): Seen(cells[1], *map(_second, cells[2:5]), cells[5]) for cells in found
        }

    def exit_code(self, number: int) -> str:
        """Return a job's exit code and signal, "3:0"; "unknown" where Slurm forgot it."""
        try:
            said = _run("scontrol", "show", "job", "--oneliner", str(number))
        except SlurmError:
            return "unknown"
        words = dict(word.partition("=")[::2] for word in said.split())
        return words.get("ExitCode", "unknown")

    def cancel(self, numbers: Iterable[int]) -> None:
        """Take jobs back; those that have ended are none the worse.

        Raises
        ------
        SlurmError
            Slurm does not answer.
        """
        if asked := [str(number) for number in numbers]:
            _run("scancel", "--quiet", *asked)


def _second(cell: str) -> int | None:
    """Return a time of squeue, None where it has none."""
    if cell.isdigit():
        return int(cell)
    try:
        # of a Slurm that knows one format alone: local time
        return int(datetime.fromisoformat(cell).timestamp())
    except ValueError:
        return None


def _run(*command: str, env: dict[str, str] | None = None) -> str:
    """Run a command, out of reach of Ctrl-C, and return what it prints."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env=env, start_new_session=True, check=False
        )
    except FileNotFoundError:
        raise SlurmError(f"{command[0]} is not in PATH") from None
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        raise SlurmError(f"{command[0]}: {said or f'ended with {done.returncode}'}")
    return done.stdout

"""Whether Slurm would take jobs as a profile submits them, asked before the first is submitted."""

from __future__ import annotations

import argparse
import shlex
import subprocess
from dataclasses import dataclass

# A controller that does not answer is waited for no longer, in seconds.
PATIENCE = 60


class SubmissionError(RuntimeError):
    """Slurm is not there, or takes no job of this kind."""


@dataclass(frozen=True)
class Place:
    """What of a site a job is submitted to; what is empty is Slurm's own choice.

    Parameters
    ----------
    account, partition, qos : str
        As Slurm calls them.
    """

    account: str = ""
    partition: str = ""
    qos: str = ""

    @classmethod
    def of_command(cls, command: str) -> Place:
        """Read the place from a command line of sbatch."""
        known = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        for letter, option in (("-A", "--account"), ("-p", "--partition"), ("-q", "--qos")):
            known.add_argument(letter, option, default="")
        return cls(**vars(known.parse_known_args(shlex.split(command)[1:])[0]))

    def options(self) -> list[str]:
        """Return the options of sbatch."""
        named = {"account": self.account, "partition": self.partition, "qos": self.qos}
        return [f"--{option}={value}" for option, value in named.items() if value]


def check(place: Place, memory: int, minutes: int) -> None:
    """Let sbatch try a job without submitting it.

    Parameters
    ----------
    place : Place
        Where it would go.
    memory : int
        In MB.
    minutes : int
        Its time limit.

    Raises
    ------
    SubmissionError
        There is no sbatch, the controller does not answer, or it refuses the job; with what it
        said and what can be done.
    """
    size = [f"--mem={memory}", f"--time={minutes}"]
    command = ["sbatch", "--test-only", *place.options(), *size, "--wrap=true"]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except FileNotFoundError:
        raise SubmissionError(
            "no Slurm is found: there is no sbatch on the PATH (is this a login node, and is "
            "Slurm's module loaded?); nothing was submitted"
        ) from None
    except subprocess.TimeoutExpired:
        raise SubmissionError(
            f"Slurm does not answer: nothing from sbatch in {PATIENCE} s; nothing was submitted"
        ) from None
    if tried.returncode:
        said = (tried.stderr or tried.stdout).strip() or f"exit code {tried.returncode}"
        raise SubmissionError(
            f"Slurm takes no job like those of this profile ({' '.join(command[2:-1])}):\n{said}\n"
            "Name your site's account and partition in the profile or on the command line "
            "(docs/hpc.md); nothing was submitted"
        )

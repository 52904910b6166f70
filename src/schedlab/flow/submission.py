"""Check that Slurm would accept jobs of a profile, before the first submission."""

from __future__ import annotations

import argparse
import shlex
import subprocess
from dataclasses import dataclass

# timeout for an answer of the controller, in seconds
TIMEOUT_S = 60


class SubmissionError(RuntimeError):
    """Slurm is missing, or accepts no job of this kind."""


@dataclass(frozen=True)
class Place:
    """Target of a job at a site, by Slurm's names; empty values leave the choice to Slurm."""

    account: str = ""
    partition: str = ""
    qos: str = ""

    @classmethod
    def of_command(cls, command: str) -> Place:
        """Return the target in a command line of sbatch."""
        parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        for letter, option in (("-A", "--account"), ("-p", "--partition"), ("-q", "--qos")):
            parser.add_argument(letter, option, default="")
        return cls(**vars(parser.parse_known_args(shlex.split(command)[1:])[0]))

    def options(self) -> list[str]:
        """Return the options of sbatch."""
        values = {"account": self.account, "partition": self.partition, "qos": self.qos}
        return [f"--{option}={value}" for option, value in values.items() if value]


def check(place: Place, memory: int, minutes: int) -> None:
    """Test a job (memory in MB, time limit in minutes) with sbatch without submitting it.

    Raises `SubmissionError` if there is no sbatch, the controller does not answer, or it refuses
    the job. The message has its output and what to do.
    """
    size = [f"--mem={memory}", f"--time={minutes}"]
    command = ["sbatch", "--test-only", *place.options(), *size, "--wrap=true"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    except FileNotFoundError:
        raise SubmissionError(
            "no Slurm is found: there is no sbatch on the PATH (is this a login node, and is "
            "Slurm's module loaded?); nothing was submitted"
        ) from None
    except subprocess.TimeoutExpired:
        raise SubmissionError(
            f"Slurm does not answer: nothing from sbatch in {TIMEOUT_S} s; nothing was submitted"
        ) from None
    if result.returncode:
        output = (result.stderr or result.stdout).strip() or f"exit code {result.returncode}"
        raise SubmissionError(
            "Slurm takes no job like those of this profile "
            f"({' '.join(command[2:-1])}):\n{output}\n"
            "Name your site's account and partition in the profile or on the command line "
            "(docs/hpc.md); nothing was submitted"
        )

"""Check that Slurm would accept the jobs of a run, before the first submission."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from typing import Protocol, TypeVar

# timeout for an answer of the controller, in seconds
TIMEOUT_S = 60
#: resources that say in words what others say in numbers
WORDS = ("mem", "disk")


class SubmissionError(RuntimeError):
    """Slurm is missing, or accepts no job of this kind."""


class _Job(Protocol):
    """Job or group of Snakemake."""

    @property
    def resources(self) -> dict[str, int | str]: ...


_AnyJob = TypeVar("_AnyJob", bound=_Job)


def largest(jobs: Iterable[_AnyJob]) -> list[_AnyJob]:
    """Return the jobs of which no other in the same place asks for as much."""
    most: dict[tuple, dict[tuple, _AnyJob]] = {}
    for job in jobs:
        sizes = {name: size for name, size in job.resources.items() if isinstance(size, int)}
        texts = {name: text for name, text in job.resources.items() if name not in (*sizes, *WORDS)}
        place = most.setdefault((tuple(sorted(texts.items())), tuple(sorted(sizes))), {})
        size = tuple(sizes[name] for name in sorted(sizes))
        if not any(_covers(other, size) for other in place):
            for other in [other for other in place if _covers(size, other)]:
                del place[other]
            place[size] = job
    return [job for place in most.values() for job in place.values()]


def _covers(size: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether one size is at least another in everything."""
    return all(first >= second for first, second in zip(size, other, strict=True))


def find_sbatch() -> None:
    """Raise `SubmissionError` if there is no sbatch."""
    if not shutil.which("sbatch"):
        raise SubmissionError(
            "no Slurm is found: there is no sbatch on the PATH (is this a login node, and is "
            "Slurm's module loaded?); nothing was submitted"
        )


def check(command: str, name: str, remedy: str) -> None:
    """Test a command line of sbatch; `SubmissionError` has its refusal or the lack of an answer."""
    test = command.replace("sbatch", "sbatch --test-only", 1)
    try:
        # with exec, the end of the shell is the end of sbatch
        result = subprocess.run(
            f"exec {test}", shell=True, capture_output=True, text=True, timeout=TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        raise SubmissionError(
            f"Slurm does not answer: nothing from sbatch in {TIMEOUT_S} s; nothing was submitted"
        ) from None
    if result.returncode:
        output = (result.stderr or result.stdout).strip() or f"exit code {result.returncode}"
        raise SubmissionError(
            f"Slurm does not take {name}:\n{output}\nIt was asked: {test}\n"
            f"{remedy}; nothing was submitted"
        )

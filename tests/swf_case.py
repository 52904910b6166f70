"""Hand-made logs in the Standard Workload Format."""

from __future__ import annotations

from pathlib import Path

JOB = "{} {} 5 60 4 {} -1 4 120 -1 1 7 2 -1 3 1 -1 -1"


def job(number: object = 1, submit: object = 0, cpu_time: object = -1) -> str:
    """Return a line of a job."""
    return JOB.format(number, submit, cpu_time)


def log_file(folder: Path, *lines: str) -> Path:
    """Write a log of these lines."""
    path = folder / "site.swf"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path

"""Clocks that run faster than time passes: Debian's faketime.

Everything that a command under faketime starts has its clock, so that a Slurm, its nodes, who
submits to it and the jobs themselves live through an hour in a minute.
"""

import os


def speed() -> float:
    """Return how many of its seconds this process lives through in one; 1 without faketime.

    Raises
    ------
    ValueError
        FAKETIME is none that `accelerated` sets.
    """
    said = os.environ.get("FAKETIME", "+0 x1")
    offset, _, factor = said.partition(" x")
    if offset != "+0" or not factor:
        raise ValueError(f"FAKETIME is '{said}', must be '+0 x' and a factor")
    return float(factor)


def accelerated(factor: float) -> list[str]:
    """Return what a command line begins with so that its clocks run `factor` times faster."""
    return ["faketime", "-f", f"+0 x{factor:g}"]

"""Accelerated clocks by Debian's faketime.

All processes started by a command under faketime share its clock. So Slurm, its nodes, the
submitting process and the jobs experience an hour in a minute.
"""

import os


def speed() -> float:
    """Return the seconds that pass for this process per real second, by FAKETIME."""
    setting = os.environ.get("FAKETIME", "+0 x1")
    offset, _, factor = setting.partition(" x")
    if offset != "+0" or not factor:
        raise ValueError(f"FAKETIME is '{setting}', must be '+0 x' and a factor")
    return float(factor)


def faketime_prefix(factor: float) -> list[str]:
    """Return the prefix of a command that makes its clocks run `factor` times faster."""
    return ["faketime", "-f", f"+0 x{factor:g}"]

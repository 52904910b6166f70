"""The simulators that are held against a real Slurm."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs, Schedule
    from schedlab.policies import Policy

REAL, EASY, CONSERVATIVE, SLURM = "real", "easy", "conservative", "slurm"
SIMULATORS = (EASY, CONSERVATIVE, SLURM)
LABELS = {
    REAL: "real Slurm",
    EASY: "textbook EASY",
    CONSERVATIVE: "textbook conservative",
    SLURM: "dialect slurm",
}
#: seconds from time 0 to the first backfilling pass: nobody knows those of a real Slurm beforehand
PHASES = (0, 5, 10, 15, 20, 25)
#: how much longer than its run time a job holds its processors when clocks run 60 times faster, in
#: seconds: 2.8 on average of 20 sleeps of 100 s, a Slurm of its own that no window was replayed on
STOPPING = 3


def phases_of(simulator: str) -> tuple[int, ...]:
    """Return the phases that a simulator is run with: the textbook's ones have none."""
    return PHASES if simulator == SLURM else (0,)


def simulated(jobs: Jobs, processors: int, policy: Policy, how: str, phase: int = 0) -> Schedule:
    """Simulate jobs.

    Parameters
    ----------
    jobs : Jobs
        A window.
    processors : int
        Of the machine.
    policy : Policy
        Order of the queue.
    how : str
        One of `SIMULATORS`.
    phase : int
        Seconds from time 0 to the first backfilling pass; of the dialect slurm alone.
    """
    if how == SLURM:
        slurm = DIALECTS["slurm"]
        switches = replace(slurm.slurm, phase=phase, stopping=STOPPING)
        dialect = replace(slurm, slurm=switches)
        return simulate(Run(jobs, processors, policy, dialect=dialect, reservations="every"))
    return simulate(Run(jobs, processors, policy, reservations="head" if how == EASY else "every"))

"""The simulators that are compared with a real Slurm."""

from dataclasses import replace

from schedlab.core.jobs import Jobs, Schedule
from schedlab.policies import Policy
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.slurm import SlurmSettings
from schedlab.queue.slurm_site import Phases

REAL, EASY, CONSERVATIVE, SLURM = "real", "easy", "conservative", "slurm"
SIMULATORS = (EASY, CONSERVATIVE, SLURM)
LABELS = {
    REAL: "real Slurm",
    EASY: "textbook EASY",
    CONSERVATIVE: "textbook conservative",
    SLURM: "dialect slurm",
}
#: seconds from time 0 to the first backfilling pass: unknown in advance for a real Slurm
PHASES = (0, 5, 10, 15, 20, 25)
#: seconds that a job occupies its processors beyond its run time, when clocks run 60 times faster.
#: The mean is 2.8 over 20 sleeps of 100 s on a separate Slurm, which replayed no window
STOPPING = 3


def phases_of(simulator: str) -> tuple[int, ...]:
    """Return the phases to simulate; the textbook simulators have none."""
    return PHASES if simulator == SLURM else (0,)


def simulate_window(
    jobs: Jobs, processors: int, policy: Policy, how: str, phase: int = 0
) -> Schedule:
    """Simulate the jobs of a window with one of `SIMULATORS`.

    `phase` is the seconds from time 0 to the first pass; only the Slurm dialect uses it.
    """
    if how == SLURM:
        settings = SlurmSettings(phases=Phases(backfill=phase), stopping=STOPPING)
        dialect = replace(DIALECTS["slurm"], slurm=settings)
        return simulate(Run(jobs, processors, policy, dialect=dialect, reservations="every"))
    return simulate(Run(jobs, processors, policy, reservations="head" if how == EASY else "every"))

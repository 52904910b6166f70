"""How site policies are tested: windows, regimes, and the policies that they are held against."""

from __future__ import annotations

from dataclasses import dataclass

SPLIT = "second_half15d"
# With fewer windows even a sign test that all of them agree on has p > 0.05, and an interval from
# resampling them is far too narrow: nothing is said.
FEWEST_WINDOWS = 6
# What a learned policy is held against, as the registry calls them.
PAPERS = ("f4", "f3", "f2", "f1")
# The same and two of those that nobody learned, with the registry's labels.
YARDSTICKS = {"fcfs": "FCFS", "spt": "SPT"} | {name: name.upper() for name in PAPERS}


@dataclass(frozen=True)
class Regime:
    """How the second half is scheduled.

    Parameters
    ----------
    name, label : str
        In tables and in figures.
    clairvoyant : bool
        Whether decisions see actual run times instead of estimates.
    backfill : bool
        EASY backfilling in the policy's order, or strict order.
    """

    name: str
    label: str
    clairvoyant: bool
    backfill: bool


REGIMES = (
    Regime("actual", "actual run times, no backfilling (as in the trials)", True, False),
    Regime("backfill", "user estimates, EASY backfilling (as a site runs)", False, True),
)

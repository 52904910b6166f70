"""Tests of site policies: windows, regimes, and the policies for comparison."""

from dataclasses import dataclass

SPLIT = "second_half15d"
# With fewer windows, even a sign test with complete agreement has p > 0.05, and a resampled
# interval is far too narrow. Then there is no verdict.
FEWEST_WINDOWS = 6
# Registered policies that a learned policy is compared with.
PAPERS = ("f4", "f3", "f2", "f1")
# The same and two policies that are not learned, with the registry's labels.
REFERENCES = {"fcfs": "FCFS", "spt": "SPT"} | {name: name.upper() for name in PAPERS}


@dataclass(frozen=True)
class Regime:
    """Scheduling regime of the second half.

    If `clairvoyant`, decisions use actual run times instead of estimates. `backfill` is EASY
    backfilling in the policy's order; otherwise strict order.
    """

    name: str
    label: str
    clairvoyant: bool
    backfill: bool


REGIMES = (
    Regime("actual", "actual run times, no backfilling (as in the trials)", True, False),
    Regime("backfill", "user estimates, EASY backfilling (as a site runs)", False, True),
)

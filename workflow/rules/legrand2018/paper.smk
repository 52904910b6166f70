"""Rules of "Adapting Batch Scheduling to Workload Characteristics" (RR-9212)."""

from schedlab.studies.legrand2018.inputs import SCALINGS, THRESHOLDS
from schedlab.studies.legrand2018.sheet import by_weeks, drawn_trace

LEGRAND = "legrand2018"
MADE = f"<results>/figures/{LEGRAND}"
MIXED = f"<results>/simulations/{LEGRAND}/{{periods}}"
# The space of weights with another threshold than the row's or other scales.
AGAIN = f"{MIXED}.{{scaling}}.{{threshold}}.surface.parquet"
# Runs of one of your policies.
OWN_RUNS = f"<results>/simulations/{LEGRAND}/{{policies}}/{{periods}}.pure.parquet"
WEEKS = by_weeks(EXPERIMENTS[LEGRAND].values())


include: "inputs.smk"
include: "simulations.smk"
include: "online.smk"
include: "toggles.smk"


wildcard_constraints:
    periods=one_of(EXPERIMENTS[LEGRAND]),
    scaling=one_of(SCALINGS),
    threshold=r"\d+",

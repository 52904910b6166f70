"""The dialect `slurm` compared with a real Slurm where its rules differ from the textbook."""

import json
from pathlib import Path

import numpy as np
import pytest

from predicted_case import predicted_start
from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.site_requests import time_limits
from schedlab.slurm.accelerated import replayed
from schedlab.slurm.settings import BACKFILL

NODES = 8
#: a pass of backfilling is up to 30 s away, starting and ending take some
TOLERANCE = 45
LATER = 1000
#: (submit, run time, estimate, processors): the first two block; the third passes, the fourth would
#: in a textbook, but its limit is ten minutes
MINUTES = [(0, 600, 600, 6), (1, 60, 60, 8), (5, 300, 300, 1), (6, 541, 541, 1)]
#: the last one keeps the one before it waiting unless that has a reservation as well
TWO_WAIT = [(0, 600, 600, 6), (1, 300, 300, 7), (2, 300, 300, 8), (3, 1200, 1200, 1)]
#: where it starts last, no start depends on its run time, and nothing has to wait for its end
LAST_IS_SHORT = [*TWO_WAIT[:-1], (3, 60, 1200, 1)]
SETTINGS = {"every": "", "head": ",bf_job_part_count_reserve=1"}


def jobs_of(*parts):
    rows = [(at + begin, *rest) for begin, part in parts for at, *rest in part]
    return Jobs(np.arange(1, len(rows) + 1), *np.array(rows).T)


@pytest.mark.slurm
@pytest.mark.parametrize("reservations", ["every", "head"])
def test_starts_equal_those_of_a_real_slurm(reservations, tmp_path):
    parts = {"every": [(0, MINUTES), (LATER, LAST_IS_SHORT)], "head": [(0, TWO_WAIT)]}
    jobs = jobs_of(*parts[reservations])
    backfilling = f"{BACKFILL}{SETTINGS[reservations]}"
    lines = ["PriorityType=priority/basic", backfilling]
    real = replayed(jobs, NODES, lines, False, 100, tmp_path / "log")
    run = Run(jobs, NODES, get("fcfs"), dialect=DIALECTS["slurm"], reservations=reservations)
    assert np.abs(real["start"] - simulate(run).start).max() <= TOLERANCE, real
    assert (real["limit"] == time_limits(jobs.estimate)).all()
    textbook = simulate(Run(jobs, NODES, get("fcfs"), reservations="head"))
    far = np.abs(real["start"] - textbook.start) > 10 * TOLERANCE
    assert np.flatnonzero(far).tolist() == {"every": [3, 7], "head": []}[reservations]


CASES = json.loads((Path(__file__).parent / "predicted.json").read_text())


@pytest.mark.parametrize(("linear", "least", "most"), [(0, 1, 1), (30, 0, 0.97)])
def test_predicted_starts_equal_those_of_a_real_slurm(linear, least, most):
    """209 of 2,708 decisions of a Slurm 22.05, logged with DebugFlags=BackfillMap: every 13th."""
    equal = []
    for case in CASES:
        now, ends = case["clock"], case["ends"]
        start = predicted_start(case["free"], case["procs"], ends, now, bf_window_linear=linear)
        equal.append(abs(max(start - now, case["at"]) - case["start"]) <= 1)
    assert least <= np.mean(equal) <= most

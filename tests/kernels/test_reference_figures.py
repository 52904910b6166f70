"""Values on which other simulators agree to the last digit, and the sequences of the artefact."""

from __future__ import annotations

import numpy as np
import pytest

from oracles import artefact_dialect
from schedlab.core.jobs import Jobs
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.core.splitting import split
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.cleaning import clean
from schedlab.traces.swf import read_swf

pytestmark = pytest.mark.logs


@pytest.fixture(scope="module")
def trace(raw_log):
    """Whole logs as the reference figures were made from them, and their machines."""

    def load(name: str) -> tuple[Jobs, int]:
        if name in ("wagap", "wagap14"):
            frame, _ = clean(read_swf(raw_log("wagap-2013")).jobs, "full_estimate", "wagap-2013")
            return Jobs.from_frame(frame).rebased(), {"wagap": 2176, "wagap14": 1400}[name]
        frame, _ = clean(
            read_swf(raw_log("lublin-256-train10k")).jobs, "full_actual", "lublin-256-train10k"
        )
        jobs = Jobs.from_frame(frame)
        if name == "lubx":
            estimate = jobs.runtime * (1 + jobs.number % 7)
            jobs = Jobs(jobs.number, jobs.submit, jobs.runtime, estimate, jobs.procs)
        return jobs, 256

    return load


@pytest.mark.parametrize(
    ("name", "primary", "backfill", "expected"),
    [
        ("lub", "fcfs", "fcfs", 590.053777),
        ("lubx", "fcfs", "fcfs", 680.502169),
        ("wagap", "fcfs", "fcfs", 9.023771),
        ("lubx", "saf", "spf", 37.083117),
        ("lubx", "log10(r) * n + 870 * log10(s)", "fcfs", 35.372330),
        ("lubx", "fcfs", None, 66502.475529),
    ],
)
def test_full_dialect_gives_the_reference_figures(trace, name, primary, backfill, expected):
    jobs, processors = trace(name)
    run = Run(jobs, processors, get(primary), get(backfill) if backfill else None)
    assert round(average_bounded_slowdown(jobs, simulate(run)), 6) == expected


@pytest.mark.parametrize(
    ("name", "compression", "expected"),
    [
        ("lub", "completion", 489.201322),
        ("lubx", "completion", 477.753887),
        ("wagap", "completion", 8.485718),
        # these by the C limit (bench/limit.c cons) alone
        ("wagap14", "completion", 290.981733),
        ("lub", "none", 489.201322),
        ("lubx", "none", 895.042515),
        ("wagap", "none", 175.586340),
        ("wagap14", "none", 10549.013332),
    ],
)
def test_reservations_of_every_job_give_the_reference_figures(trace, name, compression, expected):
    jobs, processors = trace(name)
    run = Run(jobs, processors, get("fcfs"), reservations="every", compression=compression)
    assert round(average_bounded_slowdown(jobs, simulate(run)), 6) == expected


@pytest.mark.parametrize("policy", ["fcfs", "wfp3", "unicef", "spt", "f4", "f3", "f2", "f1"])
@pytest.mark.parametrize("backfilling", [False, True])
def test_artefact_dialect_equals_its_oracle_on_published_sequences(raw_log, policy, backfilling):
    frame, _ = clean(read_swf(raw_log("lublin-256-est")).jobs, "sc17_estimate", "lublin-256-est")
    pieces = split(frame, "sequences15d")
    order = get(policy)
    for piece in range(3):
        jobs = Jobs.from_frame(pieces[pieces["piece"] == piece]).rebased()
        columns = (jobs.runtime, jobs.procs, jobs.submit, jobs.estimate)
        tasks = list(zip(*(column.tolist() for column in columns), strict=True))
        expected = artefact_dialect.simulate(tasks, 256, policy, backfilling, artefact_dialect.LAT)
        run = Run(jobs, 256, order, order if backfilling else None, DIALECTS["artefact"], 16)
        computed = average_bounded_slowdown(jobs, simulate(run), skip=16)
        assert np.isclose(computed, expected, rtol=1e-12, atol=0)

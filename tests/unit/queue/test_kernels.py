"""The fastest kernel that accepts a run simulates it; if none does, the reason is reported."""

import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.policies.functions import from_function
from schedlab.queue import simulation
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, check_settings, kernel_of

JOBS = Jobs([1, 2], [0, 0], [5, 5], [5, 5], [1, 1])
LATE = Jobs([1, 2], [0, 0], [5, 5], [5, 0], [1, 1])


@pytest.mark.parametrize(
    ("policy", "options", "kernel"),
    [
        ("fcfs", {}, "static"),
        ("fcfs", {"threshold": 5, "head": 1}, "static"),
        ("wfp3", {}, "stepped"),
        ("fcfs", {"backfill": get("wfp3")}, "stepped"),
        ("fcfs", {"dialect": DIALECTS["lifo"]}, "static"),
        ("fcfs", {"dialect": DIALECTS["artefact"]}, "general"),
        ("fcfs", {"dialect": DIALECTS["ocs"]}, "one_pass"),
        ("fcfs", {"dialect": DIALECTS["slurm"], "reservations": "every"}, "slurm"),
        ("wfp3", {"reservations": "every"}, "planned"),
    ],
)
def test_the_fastest_kernel_serves_a_run(policy, options, kernel):
    run = Run(JOBS, 2, get(policy), **options)
    assert kernel_of(run).starts is getattr(simulation, kernel)
    assert kernel_of(run).accepts(run) is None


def test_jobs_without_an_estimate_are_for_the_general_kernel():
    run = Run(LATE, 2, get("fcfs"), threshold=5)
    assert kernel_of(run).starts is simulation.general


def test_functions_run_in_the_scored_kernel():
    score = from_function(lambda waiting: waiting.estimate)
    assert kernel_of(Run(JOBS, 2, score)) is simulation.SCORED
    assert kernel_of(Run(JOBS, 2, get("fcfs"), score)) is simulation.SCORED


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"dialect": DIALECTS["artefact"], "threshold": 5}, "artefact has no starvation threshold"),
        ({"dialect": DIALECTS["ocs"], "head": 1}, "ocs does not support head=1"),
        ({"dialect": DIALECTS["ocs"], "backfill": get("wfp3")}, "'wfp3' moves"),
    ],
)
def test_run_that_no_kernel_accepts_is_rejected_with_the_reason(options, why):
    with pytest.raises(ValueError, match=why):
        Run(JOBS, 2, get("fcfs"), **options)


def test_settings_are_checked_without_jobs():
    check_settings(policy=get("fcfs"), threshold=0)
    with pytest.raises(ValueError, match="threshold is -1 s, must be at least 0"):
        check_settings(policy=get("fcfs"), threshold=-1)

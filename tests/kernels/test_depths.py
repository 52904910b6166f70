"""Reservations of no job, of the first k and of all: kernels and their twin, job by job."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, general, kernel_of, simulate, static, stepped
from strategies import GENERAL, LINEAR, STATIC, workloads
from twins import backfilling as twin

PROCESSORS = 8
DEPTHS = ("none", "fit", "head", "2", "3", "5", "100")


@st.composite
def runs(draw, names=STATIC + LINEAR + GENERAL, depths=DEPTHS) -> Run:
    """Runs in one or two orders, both orders of ties, with a head and a threshold or without."""
    reservations = draw(st.sampled_from(depths))
    backfill = get(draw(st.sampled_from(names))) if draw(st.booleans()) else None
    return Run(
        draw(workloads(PROCESSORS)),
        PROCESSORS,
        get(draw(st.sampled_from(names))),
        None if reservations == "none" else backfill,
        DIALECTS[draw(st.sampled_from(["full", "lifo"]))],
        draw(st.sampled_from([0, 0, 3])),
        draw(st.sampled_from([None, 0, 2, 15, 100])),
        reservations,
    )


@settings(max_examples=1000)
@given(runs(STATIC))
def test_whole_runs_equal_the_twin_at_every_depth(run):
    assert kernel_of(run).starts is static
    assert simulate(run).start.tolist() == twin.simulate(run)


@settings(max_examples=1000)
@given(runs())
def test_sessions_equal_the_twin_at_every_depth(run):
    assert stepped(run).tolist() == twin.simulate(run)


@settings(max_examples=200)
@given(runs(STATIC, ("none", "head")))
def test_the_rule_is_that_of_the_dispatcher(run):
    """One pass and a dispatch at a time, which the artefact's dialects need, are the same."""
    assert general(run).tolist() == twin.simulate(run)


def with_exact_times(run: Run) -> Run:
    """All jobs run as long as estimated, for at least a second."""
    length = np.maximum(run.jobs.estimate, 1)
    return replace(run, jobs=replace(run.jobs, runtime=length, estimate=length))


@settings(max_examples=200)
@given(workloads(PROCESSORS))
def test_a_reservation_for_all_is_conservative_if_estimates_hold(jobs):
    run = with_exact_times(Run(jobs, PROCESSORS, get("fcfs"), reservations="1000"))
    conservative = replace(run, reservations="every", backfill=None)
    assert simulate(run).start.tolist() == simulate(conservative).start.tolist()


#: 4 processors; jobs 1 to 3 need 3, 4 and 2 of them, job 4 one for 25 s
WIDE = Jobs(range(1, 5), [0, 0, 0, 0], [10, 10, 10, 25], [10, 10, 10, 25], [3, 4, 2, 1])


@pytest.mark.parametrize(
    ("reservations", "expected"),
    [
        ("none", [0, 10, 20, 20]),
        # job 4 starts at once, and job 2 waits until it has ended
        ("fit", [0, 25, 10, 0]),
        # job 4 would delay job 2, and runs at the same time as job 3
        ("head", [0, 10, 20, 20]),
        (0, [0, 25, 10, 0]),
        (1, [0, 10, 20, 20]),
        ("2", [0, 10, 20, 20]),
    ],
)
def test_four_jobs_solved_by_hand(reservations, expected):
    run = Run(WIDE, 4, get("fcfs"), reservations=reservations)
    assert simulate(run).start.tolist() == expected == twin.simulate(run)


#: job 2 is the head until 10; job 3 could start at 20 if job 4 does not take its processors
SECOND = Jobs(range(1, 5), [0] * 4, [10, 10, 10, 30], [10, 10, 10, 30], [3, 3, 4, 1])


def test_a_second_reservation_protects_the_second_job():
    starts = [
        simulate(Run(SECOND, 4, get("fcfs"), reservations=depth)).start.tolist()
        for depth in ("head", "2")
    ]
    assert starts == [[0, 10, 30, 0], [0, 10, 20, 30]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reservations": "ever"}, "unknown reservations 'ever'; did you mean 'every'"),
        ({"reservations": "-1"}, "one of none, fit, head, every, or a number of jobs"),
        (
            {"reservations": "2", "dialect": DIALECTS["artefact"]},
            "artefact knows no reservations 2",
        ),
        ({"reservations": "fit", "dialect": DIALECTS["ocs"]}, "ocs knows no reservations fit"),
        ({"reservations": "fit", "dialect": DIALECTS["slurm"]}, "slurm knows no reservations fit"),
        (
            {"reservations": "2", "jobs": Jobs([7], [0], [5], [0], [1])},
            "job 7 has an estimate of 0 s",
        ),
    ],
)
def test_reservations_that_are_not_possible_are_errors(change, message):
    with pytest.raises(ValueError, match=message):
        Run(**{"jobs": WIDE, "machine": 4, "policy": get("fcfs")} | change)

"""Conservative backfilling: the kernel and its twin, invariants, cases solved by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import ScoreError, get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate
from strategies import GENERAL, LINEAR, STATIC, with_exact_estimates, workloads
from twins import conservative as twin

PROCESSORS = 8
COMPRESSIONS = ("none", "completion", "instant")


@st.composite
def runs(draw, names=STATIC + LINEAR + GENERAL, compressions=COMPRESSIONS, most=40) -> Run:
    return Run(
        with_exact_estimates(draw(workloads(PROCESSORS, most=most))),
        PROCESSORS,
        get(draw(st.sampled_from(names))),
        dialect=DIALECTS[draw(st.sampled_from(["full", "lifo"]))],
        reservations="every",
        compression=draw(st.sampled_from(compressions)),
    )


def session_of(run: Run) -> QueueSession:
    """The run, submitted but not begun."""
    session = QueueSession(
        run.processors,
        run.policy,
        dialect=run.dialect,
        reservations="every",
        compression=run.compression,
    )
    session.submit_jobs(run.jobs)
    return session


@settings(max_examples=400)
@given(runs())
def test_kernel_equals_twin(run):
    assert simulate(run).start.tolist() == twin.simulate(run)


@settings(max_examples=200)
@given(runs(most=25))
def test_plans_equal_the_twins_job_by_job(run):
    plans: dict[int, dict[int, int]] = {}
    twin.simulate(run, plans.__setitem__)
    session = session_of(run)
    for now, plan in plans.items():
        session.advance(now)
        planned = {job: session.reservation(job) for job in range(len(run.jobs))}
        assert {job: at for job, at in planned.items() if at is not None} == plan


def crowd(count: int, processors: int, seed: int) -> Jobs:
    """More work than the machine can do: plans of many chunks, kinds that come back."""
    rng = np.random.default_rng(seed)
    runtime = rng.integers(1, 400, count)
    return Jobs(
        np.arange(count),
        np.sort(rng.integers(0, 60 * count, count)),
        runtime,
        np.maximum(runtime, rng.choice([100, 400, 900], count)) * rng.integers(1, 3, count),
        np.minimum(2 ** rng.integers(0, 5, count) + rng.integers(0, 2, count), processors),
    )


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("policy", ["fcfs", "lcfs", "saf", "wfp3"])
def test_kernel_equals_twin_on_deep_queues(policy, compression):
    run = Run(crowd(250, 20, 5), 20, get(policy), reservations="every", compression=compression)
    assert simulate(run).start.tolist() == twin.simulate(run)


def jobs_of(*rows: tuple[int, int, int, int]) -> Jobs:
    """Jobs from (submit, run time, estimate, processors)."""
    submit, runtime, estimate, procs = zip(*rows, strict=True)
    return Jobs(range(1, len(rows) + 1), submit, runtime, estimate, procs)


#: 4 processors. Job 1 ends at 4 instead of 10. Planned on arrival: 2 at 10, 3 at 20, 4 next to 1
#: at 0 until 10; 5 would delay no job only next to 3 at 20.
EARLY = jobs_of((0, 4, 10, 3), (0, 10, 10, 4), (0, 10, 10, 2), (0, 10, 10, 1), (0, 10, 10, 2))


#: 4 processors; jobs 1 and 2 end together at 2, far before 9. Job 3 (wide) is planned at 9, job 4
#: (2 for 20 s) behind it at 10.
TOGETHER = jobs_of((0, 2, 9, 2), (0, 2, 9, 2), (0, 1, 1, 4), (0, 20, 20, 2))
#: job 4 (7 s) fits next to job 2 from 2 to 9, and job 3 could use the processors of both
FITTING = jobs_of((0, 2, 9, 2), (0, 2, 9, 2), (0, 5, 5, 4), (0, 7, 7, 2))
#: two jobs, planned at 20 and 30 on arrival, may take the place that comes free at 3
FREED = jobs_of((0, 3, 20, 4), (1, 10, 10, 4), (2, 5, 5, 4))
FIRST = ((0, 4, 10, 3), (0, 10, 10, 4))
QUEUED = ((0, 5, 5, 2), (0, 5, 5, 1), (0, 5, 5, 4), (1, 5, 5, 4))
LAST = ((0, 10, 10, 1), (0, 10, 10, 2))


@pytest.mark.parametrize(
    ("jobs", "compression", "policy", "expected"),
    [
        # nothing moves: the machine stands idle where job 1 was expected
        (EARLY, "none", "fcfs", [0, 10, 20, 0, 20]),
        # job 2 needs job 4's processor and stays, 3 takes job 1's place at 4 only if it ended by
        # 10, which it does not: no job moves
        (EARLY, "completion", "fcfs", [0, 10, 20, 0, 20]),
        # short enough for the gap from 4 to 10, job 3 moves into it and job 5 waits for it
        (jobs_of(*FIRST, (0, 6, 6, 2), *LAST), "completion", "fcfs", [0, 10, 4, 0, 20]),
        # one second longer and it does not fit there any more
        (jobs_of(*FIRST, (0, 7, 7, 2), *LAST), "completion", "fcfs", [0, 10, 20, 0, 20]),
        # no overtaking as EASY has it: job 3 would delay job 4, which is planned at 5
        (jobs_of(*QUEUED, (2, 9, 9, 1)), "completion", "fcfs", [0, 0, 5, 10, 15]),
        # and job 5 fits in front of both exactly
        (jobs_of(*QUEUED, (2, 3, 3, 1)), "completion", "fcfs", [0, 0, 5, 10, 2]),
        # with job 1's processors alone job 3 stays and job 4 may not pass it; with job 2's, 3 moves
        (TOGETHER, "completion", "fcfs", [0, 0, 2, 3]),
        (TOGETHER, "instant", "fcfs", [0, 0, 2, 3]),
        (TOGETHER, "none", "fcfs", [0, 0, 9, 10]),
        # one completion at a time may let a later job pass
        (FITTING, "completion", "fcfs", [0, 0, 9, 2]),
        (FITTING, "instant", "fcfs", [0, 0, 2, 7]),
        # the policy decides which reservation moves first
        (FREED, "completion", "fcfs", [0, 3, 13]),
        (FREED, "completion", "spt", [0, 8, 3]),
    ],
)
def test_jobs_solved_by_hand(jobs, compression, policy, expected):
    run = Run(jobs, 4, get(policy), reservations="every", compression=compression)
    assert simulate(run).start.tolist() == expected


def test_a_pass_may_put_a_job_in_front_of_an_equal_one():
    """Jobs 3 and 5 are equal. At 4, when job 1 has ended, 3 is looked at before job 4 makes room.

    Planned on arrival: 1 at 0, 2 at 12, 3 at 24, 4 at 12, 5 at 30. At 4 job 2 moves to 4, so that 3
    fits at 22, behind job 4 (12 to 22); then 4 moves to 4, and 5 fits at 16, behind job 2.
    """
    jobs = jobs_of((0, 4, 12, 3), (0, 4, 12, 2), (0, 2, 6, 3), (0, 5, 10, 2), (0, 2, 6, 3))
    session = QueueSession(4, get("fcfs"), reservations="every")
    session.submit_jobs(jobs)
    session.advance(0)
    assert [session.reservation(job) for job in range(1, 5)] == [12, 24, 12, 30]
    session.advance(4)
    assert [session.reservation(job) for job in (2, 4)] == [22, 16]
    session.advance()
    assert session.schedule().start.tolist() == [0, 4, 11, 4, 9]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"compression": "once"}, "compression is 'once', must be one of none, completion"),
        ({"backfill": get("spt")}, "reservations is every: there is no order of backfilling"),
        ({"reservations": None}, "compression is completion, but reservations is none"),
        ({"threshold": 9}, "threshold is 9 s, but no job with a reservation starves"),
        ({"head": 1}, "head is 1, but"),
        ({"dialect": DIALECTS["artefact"]}, "dialect artefact knows no reservations of every job"),
        ({"jobs": jobs_of((0, 5, 4, 1))}, "job 1: estimate is 4 s, and it runs longer"),
        ({"jobs": jobs_of((0, 0, 0, 1))}, "job 1: estimate is 0 s, a reservation needs"),
    ],
)
def test_contradictory_options_are_errors(change, message):
    given = {"jobs": EARLY, "reservations": "every", "compression": "completion"} | change
    with pytest.raises(ValueError, match=message):
        Run(machine=4, policy=get("fcfs"), **given)


def test_reservations_are_read_from_the_order_of_backfilling():
    """Where nothing is said, a run with an order of backfilling is EASY, one without strict."""
    fcfs, spt = get("fcfs"), get("spt")
    assert Run(EARLY, 4, fcfs).reservations == "none"
    assert Run(EARLY, 4, fcfs, spt).reservations == "head"
    assert Run(EARLY, 4, fcfs, reservations="head").backfill == fcfs
    assert Run(EARLY, 4, fcfs, reservations="every").compression == "completion"
    session = QueueSession(4, fcfs, reservations="head")
    assert (session.reservations, session.reservation(session.submit(1, 1))) == ("head", None)


def test_nan_score_is_an_error():
    with pytest.raises(ScoreError, match="is nan"):
        simulate(Run(crowd(50, 20, 1), 20, get("log(s - 400)"), reservations="every"))
    jobs = jobs_of((0, 2, 20, 4), (0, 10, 10, 4), (1, 5, 5, 4))
    with pytest.raises(ScoreError, match="job 2"):
        simulate(Run(jobs, 4, get("sqrt(1 - w)"), reservations="every"))


def test_no_jobs_no_starts():
    assert len(simulate(Run(Jobs([], [], [], [], []), 4, get("fcfs"), reservations="every"))) == 0

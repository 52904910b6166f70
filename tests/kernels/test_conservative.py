"""Conservative backfilling: the kernel and its twin, invariants, cases solved by hand."""

from __future__ import annotations

from dataclasses import replace

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


@given(runs())
def test_reservations_never_move_later(run):
    session, promised = session_of(run), {}
    for now in range(int(run.jobs.submit[-1]) + 1):
        session.advance(now)
        for job in range(len(run.jobs)):
            at = session.reservation(job)
            if at is not None:
                assert at > now
                assert at <= promised.setdefault(job, at)
                promised[job] = at
    session.advance()
    start = session.schedule().start
    assert all(start[job] <= at for job, at in promised.items())


@given(runs())
def test_capacity_is_never_exceeded(run):
    session = session_of(run)
    session.advance(int(run.jobs.submit[-1]))
    schedule = session.schedule()
    start = schedule.start.copy()
    end = np.where(schedule.end <= session.now, schedule.end, start + run.jobs.estimate)
    for job in np.flatnonzero(start < 0):
        start[job] = session.reservation(job)
        end[job] = start[job] + run.jobs.estimate[job]
    session.advance()
    done = session.schedule()
    assert (done.start >= run.jobs.submit).all()
    for begins, ends in ((start, end), (done.start, done.end)):
        times, procs = np.concatenate([begins, ends]), run.jobs.procs
        change = np.concatenate([procs, -procs])
        assert np.cumsum(change[np.lexsort((change, times))]).max() <= run.processors


@given(runs(names=("fcfs",)))
def test_jobs_of_equal_need_keep_their_order(run):
    """Of as many processors for as long, first come is first served, where estimates are exact."""
    runtime = np.maximum(run.jobs.runtime, 1)
    jobs = replace(run.jobs, runtime=runtime, estimate=runtime)
    start = simulate(replace(run, jobs=jobs, dialect=DIALECTS["full"])).start
    last: dict[tuple[int, int], int] = {}
    for job, need in enumerate(zip(jobs.procs, runtime, strict=True)):
        assert start[job] >= last.get(need, 0)
        last[need] = start[job]


@given(runs(compressions=("none",)))
def test_exact_estimates_make_compression_irrelevant(run):
    runtime = np.maximum(run.jobs.runtime, 1)
    run = replace(run, jobs=replace(run.jobs, runtime=runtime, estimate=runtime))
    starts = [
        simulate(replace(run, compression=compression)).start.tolist()
        for compression in COMPRESSIONS
    ]
    assert starts[0] == starts[1] == starts[2]


@given(runs(), st.integers(0, 2**16))
def test_steps_of_any_size_give_the_schedule_of_one_run(run, seed):
    rng = np.random.default_rng(seed)
    session = QueueSession(
        PROCESSORS, run.policy, dialect=run.dialect, reservations="every",
        compression=run.compression, room=1,
    )  # fmt: skip
    for at in np.unique(run.jobs.submit):
        while session.now < at - 1:
            session.advance(int(rng.integers(session.now, at - 1)) + 1)
        session.submit_jobs(run.jobs.take(run.jobs.submit == at))
    session.advance()
    assert session.schedule().start.tolist() == simulate(run).start.tolist()


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


@pytest.mark.parametrize(
    ("jobs", "compression", "expected"),
    [
        # nothing moves: the machine stands idle where job 1 was expected
        (EARLY, "none", [0, 10, 20, 0, 20]),
        # job 2 needs job 4's processor and stays, 3 takes job 1's place at 4 only if it ended by
        # 10, which it does not: no job moves
        (EARLY, "completion", [0, 10, 20, 0, 20]),
        # short enough for the gap from 4 to 10, job 3 moves into it and job 5 waits for it
        (
            jobs_of((0, 4, 10, 3), (0, 10, 10, 4), (0, 6, 6, 2), (0, 10, 10, 1), (0, 10, 10, 2)),
            "completion",
            [0, 10, 4, 0, 20],
        ),
        # one second longer and it does not fit there any more
        (
            jobs_of((0, 4, 10, 3), (0, 10, 10, 4), (0, 7, 7, 2), (0, 10, 10, 1), (0, 10, 10, 2)),
            "completion",
            [0, 10, 20, 0, 20],
        ),
        # no overtaking as EASY has it: job 3 would delay job 4, which is planned at 5
        (
            jobs_of((0, 5, 5, 2), (0, 5, 5, 1), (0, 5, 5, 4), (1, 5, 5, 4), (2, 9, 9, 1)),
            "completion",
            [0, 0, 5, 10, 15],
        ),
        # and job 5 fits in front of both exactly
        (
            jobs_of((0, 5, 5, 2), (0, 5, 5, 1), (0, 5, 5, 4), (1, 5, 5, 4), (2, 3, 3, 1)),
            "completion",
            [0, 0, 5, 10, 2],
        ),
    ],
)
def test_five_jobs_solved_by_hand(jobs, compression, expected):
    run = Run(jobs, 4, get("fcfs"), reservations="every", compression=compression)
    assert simulate(run).start.tolist() == expected


#: 4 processors; jobs 1 and 2 end together at 2, far before 9. Job 3 (wide) is planned at 9, job 4
#: (2 for 20 s) behind it at 10.
TOGETHER = jobs_of((0, 2, 9, 2), (0, 2, 9, 2), (0, 1, 1, 4), (0, 20, 20, 2))


@pytest.mark.parametrize(
    ("compression", "expected"),
    [
        # with job 1's processors alone job 3 stays and job 4 may not pass it; with job 2's, 3 moves
        ("completion", [0, 0, 2, 3]),
        ("instant", [0, 0, 2, 3]),
        ("none", [0, 0, 9, 10]),
    ],
)
def test_compression_by_its_three_names(compression, expected):
    """Jobs that end together, planned again after each, once, and never."""
    run = Run(TOGETHER, 4, get("fcfs"), reservations="every", compression=compression)
    assert simulate(run).start.tolist() == expected


def test_one_completion_at_a_time_may_let_a_later_job_pass():
    """Job 4 fits where job 1 ended, and only then job 3 could have used both: the names differ."""
    jobs = jobs_of((0, 2, 9, 2), (0, 2, 9, 2), (0, 5, 5, 4), (0, 7, 7, 2))
    starts = {
        compression: simulate(
            Run(jobs, 4, get("fcfs"), reservations="every", compression=compression)
        ).start.tolist()
        for compression in ("completion", "instant")
    }
    # one at a time: at 2 job 4 (7 s) fits next to job 2 until 9, and job 3 stays there
    assert starts == {"completion": [0, 0, 9, 2], "instant": [0, 0, 2, 7]}


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


def test_policy_order_decides_which_reservation_moves_first():
    """Two jobs may take the place that came free: the first, or the shortest."""
    jobs = jobs_of((0, 3, 20, 4), (1, 10, 10, 4), (2, 5, 5, 4))
    starts = {
        name: simulate(Run(jobs, 4, get(name), reservations="every")).start.tolist()
        for name in ("fcfs", "spt")
    }
    # planned at 20 and 30 on arrival, again from 3 on
    assert starts == {"fcfs": [0, 3, 13], "spt": [0, 8, 3]}


def test_a_cancelled_reservation_lets_others_move_up():
    session = QueueSession(4, get("fcfs"), reservations="every")
    running, wide, other = session.submit(10, 3), session.submit(10, 4), session.submit(10, 1, 12)
    session.advance(2)
    assert [session.reservation(job) for job in (running, wide, other)] == [None, 10, 20]
    assert session.cancel(wide)
    session.advance(3)
    assert session.state(other) == "running"
    assert session.schedule().start.tolist() == [0, -1, 2]


def test_a_cancelled_running_job_ends_now():
    """Its processors are free at once, and who arrives later never comes before that."""
    session = QueueSession(4, get("fcfs"), reservations="every")
    first, second, never = session.submit(100, 4), session.submit(5, 4), session.submit(1, 1, at=50)
    session.advance(7)
    assert session.cancel(first)
    assert session.cancel(never)
    session.advance()
    assert session.schedule().end.tolist() == [7, 12, -1]
    assert not session.cancel(second)
    assert session.free == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reservations": "all"}, "reservations is 'all', must be one of none, head, every"),
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
        Run(processors=4, policy=get("fcfs"), **given)


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

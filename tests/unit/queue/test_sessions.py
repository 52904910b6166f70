"""A queue under external control."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.policies import get
from schedlab.policies.expression import ScoreError
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate
from strategies import (
    GENERAL,
    LINEAR,
    STATIC,
    session_of,
    session_runs,
    with_exact_estimates,
    workloads,
)


@given(
    workloads(8),
    st.sampled_from(STATIC + LINEAR + GENERAL),
    st.integers(0, 2**16),
    st.sampled_from(["submit", "copy", "cancel"]),
)
def test_jobs_may_be_submitted_in_any_order_of_time(jobs, policy, seed, also):
    """Before they come; a copy knows them too, and a cancelled one never comes."""
    jobs = replace(jobs, submit=jobs.submit * 2 + np.arange(len(jobs)))  # without ties
    order, rng = get(policy), np.random.default_rng(seed)
    session, handles = QueueSession(8, order, order), {}
    for place in rng.permutation(len(jobs)).tolist():
        (handles[place],) = session.submit_jobs(jobs.take(slice(place, place + 1)))
        if also == "cancel":
            extra = session.submit(5, 8, at=int(rng.integers(0, jobs.submit[-1] + 2)))
            assert session.cancel(extra)
    if also == "copy":
        session = session.fork()
    session.advance()
    whole = simulate(Run(jobs, 8, order, order))
    starts = [session.start(handles[place]) for place in range(len(jobs))]
    assert starts == whole.start.tolist()


def test_waiting_job_can_be_cancelled():
    session = QueueSession(4, get("fcfs"))
    running, wide, narrow = session.submit(10, 3), session.submit(10, 4), session.submit(10, 1)
    session.advance(2)
    assert [session.state(job) for job in (running, wide, narrow)] == [
        "running", "waiting", "waiting",
    ]  # fmt: skip
    assert session.cancel(wide)
    session.advance(3)
    assert session.state(narrow) == "running"
    assert session.schedule().start.tolist() == [0, -1, 2]


def test_cancelled_jobs_do_not_move_the_clock():
    """Neither the end that a cancelled job would have had nor its submission is an event."""
    session = QueueSession(4, get("fcfs"), get("fcfs"))
    running, pending = session.submit(10**6, 4), session.submit(5, 1, at=10**8)
    session.advance(1)
    session.cancel(running)
    session.cancel(pending)
    session.advance()
    assert session.now == 1


@pytest.mark.parametrize("handle", [-1, 1, 10**9])
def test_unknown_handles_are_errors(handle):
    session = QueueSession(4, get("fcfs"))
    session.submit(10, 1)
    with pytest.raises(IndexError, match=f"no job has the handle {handle}"):
        session.cancel(handle)
    with pytest.raises(IndexError, match=f"no job has the handle {handle}"):
        session.state(handle)


@pytest.mark.parametrize(
    ("job", "message"),
    [
        ({"runtime": 1, "procs": 5}, "needs 5 processors, the machine has 4"),
        ({"runtime": 1, "procs": 1, "estimate": 2**32}, "estimate is 4294967296 s"),
        ({"runtime": 2**63 - 1, "procs": 1}, "runtime is 9223372036854775807 s"),
        ({"runtime": 0, "procs": 1}, "has an estimate of 0 s"),
    ],
)
def test_numbers_out_of_range_are_errors(job, message):
    with pytest.raises(ValueError, match=message):
        QueueSession(4, get("fcfs")).submit(**job)


def test_the_state_can_be_read_at_any_time():
    session = QueueSession(8, get("spt"), get("spt"))
    for runtime in (50, 40, 30):
        session.submit(runtime, 4, at=5)
    session.advance(4)
    assert [session.state(job) for job in range(3)] == ["pending"] * 3
    session.advance(36)
    assert session.now == 36
    assert [session.state(job) for job in range(3)] == ["running", "running", "ended"]
    assert session.free == 0


def test_time_and_submissions_cannot_go_back():
    session = QueueSession(2, get("fcfs"))
    session.advance(100)
    with pytest.raises(ValueError, match="cannot go back from 100 to 99"):
        session.advance(99)
    with pytest.raises(ValueError, match="before the present time 100"):
        session.submit(1, 1, at=50)


def test_time_dependent_scores_are_evaluated_when_processors_are_free():
    """By hand: at 10 the long job has waited 9 s and 20 - 9 = 11, the short one 12 - 0 = 12."""
    session = QueueSession(4, get("r - 1 * w"))
    for at, runtime in ((0, 10), (1, 20), (10, 12)):
        session.submit(runtime, 4, at=at)
    session.advance()
    assert session.schedule().start.tolist() == [0, 10, 30]


def test_nan_score_of_a_time_dependent_policy_names_policy_and_job():
    """The root of a negative number once it has waited longer than it runs; also of backfilling."""
    for policies in (("sqrt(r - w)", None), ("fcfs", "sqrt(r - w)")):
        session = QueueSession(4, *(policy and get(policy) for policy in policies))
        session.submit(100, 3)
        for _ in range(2):
            session.submit(10, 2, at=1)
        session.submit(95, 1, at=50)
        copied = session.fork()
        for one in (session, copied):
            with pytest.raises(ScoreError, match=r"'sqrt\(r - w\)': the score of job 1 is nan"):
                one.advance()


def test_the_head_of_the_queue_and_its_reservation_can_be_read():
    """By hand: job 1 needs 4 of 4, two are free until 30 as estimated, then none is left over."""
    session = QueueSession(4, get("fcfs"), get("fcfs"))
    assert session.head() is None
    assert session.shadow() is None
    session.submit(20, 2, estimate=30)
    session.submit(5, 4)
    session.submit(8, 2)
    session.advance(0)
    assert (session.head(), session.shadow()) == (1, (30, 0))
    assert [session.backfilled(job) for job in range(3)] == [False, False, True]
    assert session.fork().backfilled(2)
    session.advance(20)
    assert [session.backfilled(job) for job in range(3)] == [False, False, True]
    assert session.head() is None
    strict, planned = (
        QueueSession(4, get("fcfs")),
        QueueSession(4, get("fcfs"), reservations="every"),
    )
    for other in (strict, planned):
        other.submit(20, 4)
        other.submit(20, 4)
        other.advance(0)
    assert (strict.head(), strict.shadow()) == (1, None)
    assert (planned.head(), planned.shadow(), planned.backfilled(0)) == (None, None, False)


@given(session_runs(most=25))
def test_queue_head_does_not_fit_and_its_reservation_is_ahead(run):
    """At every event, of one pass each as no job is over at once: the head does not fit."""
    run = replace(
        run, jobs=with_exact_estimates(replace(run.jobs, runtime=np.maximum(run.jobs.runtime, 1)))
    )
    session = session_of(run)
    session.submit_jobs(run.jobs)
    procs = run.jobs.procs
    while (event := session.next_event()) is not None:
        session.advance(event)
        started = session.read()[0].tolist()
        filled = [job for job in started if session.backfilled(job)]
        assert started[len(started) - len(filled) :] == filled
        if filled:
            assert session.head() is not None
        head = session.head()
        if run.reservations == "every":
            assert head is None
        elif head is not None:
            assert procs[head] > session.free
            assert session.state(head) == "waiting"
        if run.reservations == "head" and head is not None:
            shadow, extra = session.shadow()
            assert shadow >= event
            assert extra >= 0


def test_starving_jobs_of_one_arrival_start_in_submission_order():
    """Shortest first until the machine is free at 10; by then all three have waited too long."""
    session = QueueSession(4, get("spt"), threshold=5)
    for runtime in (10, 7, 6, 5):
        session.submit(runtime, 4, at=0 if runtime == 10 else 1)
    session.advance()
    assert session.schedule().start.tolist() == [0, 10, 17, 23]


@given(workloads(8), st.sampled_from(["none", "head", "every"]))
def test_stopping_at_every_end_reads_each_event_once_in_time_order(jobs, reservations):
    jobs = with_exact_estimates(jobs)
    session = QueueSession(8, get("fcfs"), reservations=reservations)
    session.submit_jobs(jobs)
    starts, ends = [], []
    while (event := session.next_event()) is not None:
        assert event >= session.now
        session.advance(on_end=True)
        started, ended = (handles.tolist() for handles in session.read())
        starts, ends = starts + started, ends + ended
        assert {int(session.schedule().end[job]) for job in ended} == {session.now}
    whole = simulate(Run(jobs, 8, get("fcfs"), reservations=reservations))
    for handles, times in ((starts, whole.start), (ends, whole.end)):
        assert sorted(handles) == list(range(len(jobs)))
        assert (np.diff(times[handles]) >= 0).all()


@given(workloads(8), st.integers(0, 7), st.integers(0, 2**16))
def test_watching_stops_where_single_steps_would(jobs, first, seed):
    """The twin looks at every event whether a watched job has started or ended there."""
    until = int(np.random.default_rng(seed).integers(0, int(jobs.submit[-1]) + 200))
    watching, stepping = (QueueSession(8, get("fcfs"), get("fcfs")) for _ in range(2))
    for one in (watching, stepping):
        one.submit_jobs(jobs)
    while watching.now < until:
        watching.advance_watching(first, until)
        found = [handles.tolist() for handles in watching.read()]
        seen = [[], []]
        while not any(handle >= first for handles in seen for handle in handles):
            event = stepping.next_event()
            if event is None or event > until:
                stepping.advance(until)
                break
            stepping.advance(event)
            more = stepping.read()
            seen = [old + new.tolist() for old, new in zip(seen, more, strict=True)]
        assert (watching.now, found) == (stepping.now, seen)


def test_watching_needs_a_future_time_and_no_full_reservations():
    session = QueueSession(4, get("fcfs"))
    session.advance(10)
    with pytest.raises(ValueError, match="cannot go back from 10 to 9"):
        session.advance_watching(0, 9)
    planned = QueueSession(4, get("fcfs"), reservations="every")
    with pytest.raises(ValueError, match="jobs cannot be watched"):
        planned.advance_watching(0, 9)


def test_session_stops_at_a_completion_or_the_given_time():
    session = QueueSession(4, get("fcfs"))
    first, second = session.submit(10, 3), session.submit(10, 4)
    assert session.next_event() == 0
    for until, now, started, ended in ((9, 9, [first], []), (10, 10, [second], [first])):
        session.advance(until, on_end=True)
        assert session.now == now
        assert [handles.tolist() for handles in session.read()] == [started, ended]
    assert session.next_event() == 20
    session.advance(50, on_end=True)
    assert (session.now, session.next_event()) == (20, None)


def test_a_cancelled_job_has_not_ended_and_is_no_event():
    session = QueueSession(4, get("fcfs"))
    job, later = session.submit(10, 3), session.submit(5, 3, at=40)
    session.advance(4)
    session.cancel(job)
    session.cancel(later)
    session.advance(4)
    assert session.next_event() is None
    assert [handles.tolist() for handles in session.read()] == [[job], []]


def test_start_is_known_for_started_jobs_also_in_copies():
    session = QueueSession(2, get("fcfs"))
    first = session.submit(runtime=10, procs=2)
    second = session.submit(runtime=10, procs=1)
    session.advance(5)
    assert (session.start(first), session.start(second)) == (0, None)
    session.advance(15)
    twin = session.fork()
    assert (twin.start(first), twin.start(second)) == (0, 10)
    third = session.submit(runtime=10, procs=2)
    session.advance(16)
    session.cancel(third)
    assert session.start(third) is None


@pytest.mark.parametrize("reservations", ["head", "every"])
def test_requests_are_of_the_jobs_of_the_handles_and_of_live_jobs_only(reservations):
    session = QueueSession(4, get("fcfs"), reservations=reservations)
    session.submit(runtime=5, procs=1, estimate=7)
    session.submit(runtime=50, procs=3, estimate=60)
    session.submit(runtime=20, procs=4, estimate=30)
    session.advance(6)
    copied = session.fork()
    for queue in (session, copied):
        assert queue.requests(np.array([2, 1], dtype=np.int32)).tolist() == [[30, 4], [60, 3]]
        assert queue.requests(np.array([], dtype=np.int32)).shape == (0, 2)
    with pytest.raises(ValueError, match="job 0 is over"):
        copied.requests(np.array([1, 0], dtype=np.int32))


def test_a_policy_is_given_by_its_name():
    by_name = QueueSession(4, "spf", backfill="saf")
    by_policy = QueueSession(4, get("spf"), backfill=get("saf"))
    jobs = [(100, 3), (50, 4), (80, 2), (10, 4), (5, 1)]
    for session in (by_name, by_policy):
        for runtime, procs in jobs:
            session.submit(runtime=runtime, procs=procs)
        session.advance(1000)
    assert by_name.schedule().start.tolist() == by_policy.schedule().start.tolist()
    with pytest.raises(ValueError, match="'faster'"):
        QueueSession(4, "faster")

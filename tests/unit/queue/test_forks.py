"""Copies of a session at an instant, and their predictions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs, Schedule
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate
from strategies import session_of, session_runs

RESERVATIONS = ("none", "head", "every")
LIVING = ("pending", "held", "waiting", "running")


def equal_schedules(schedule: Schedule, other: Schedule) -> bool:
    pairs = ((schedule.start, other.start), (schedule.end, other.end))
    return all(a.tolist() == b.tolist() for a, b in pairs)


def disturb(session: QueueSession, rng: np.random.Generator) -> None:
    """Do anything to a session that can be done to one."""
    for _ in range(int(rng.integers(1, 6))):
        action = rng.integers(4)
        if action == 0:
            runtime = int(rng.integers(0, 30))
            session.submit(
                runtime,
                int(rng.integers(1, session.processors + 1)),
                estimate=runtime + int(rng.integers(1, 20)),
                at=session.now + int(rng.integers(0, 20)),
            )
        elif action == 1:
            session.advance(session.now + int(rng.integers(0, 40)))
        elif action == 2:
            session.cancel(int(rng.integers(session.kernel.submitted)))
        else:
            session.fork().advance()


@pytest.mark.slow
@settings(max_examples=300)
@given(session_runs(), st.integers(0, 2**16))
def test_steps_of_any_size_through_forks_give_the_schedule_of_one_run(run, seed):
    rng = np.random.default_rng(seed)
    session, whole = session_of(run), simulate(run)
    for at in np.unique(run.jobs.submit).tolist():
        while session.now < at - 1:
            session.advance(int(rng.integers(session.now, at - 1)) + 1)
            if rng.integers(2):
                session = session.fork()
        session.submit_jobs(run.jobs.take(run.jobs.submit == at))
        if rng.integers(2):
            session = session.fork()
            disturb(session.fork(), rng)
    while session.next_event() is not None:
        other = session.fork()
        session.advance(on_end=True)
        other.advance()
        assert equal_schedules(other.schedule(), whole)
    assert equal_schedules(session.schedule(), whole)


@pytest.mark.slow
@settings(max_examples=200)
@given(session_runs(), st.integers(0, 2**16))
def test_changes_to_a_fork_do_not_affect_the_parent(run, seed):
    rng = np.random.default_rng(seed)
    session, whole = session_of(run), simulate(run)
    session.submit_jobs(run.jobs)
    session.advance(int(rng.integers(whole.end.max() + 2)))
    session.read()
    fork, kept = session.fork(), session.fork()
    disturb(fork, rng)
    session.advance(session.now + int(rng.integers(20)))
    disturb(fork, rng)
    fork.advance()
    between = session.fork()
    disturb(session, rng)
    for one in (kept, between):
        one.advance()
        assert equal_schedules(one.schedule(), whole)


@given(session_runs(), st.integers(0, 2**16))
def test_fork_has_the_state_of_its_parent(run, seed):
    rng = np.random.default_rng(seed)
    session, states = session_of(run), []
    session.submit_jobs(run.jobs)
    end = int(simulate(run).end.max())
    for at in np.sort(rng.integers(0, end + 1, 3)).tolist():
        session.advance(at)
        if rng.integers(2):
            session.cancel(int(rng.integers(len(run.jobs))))
        fork = session.fork()
        for one in (session, fork, fork.fork()):
            states.append((
                one.now, one.free, one.next_event(),
                [one.state(job) for job in range(len(run.jobs))],
                [one.handles(state).tolist() for state in LIVING],
                [one.reservation(job) for job in range(len(run.jobs))],
                one.schedule().start.tolist(), one.schedule().end.tolist(),
            ))  # fmt: skip
        assert states[-3] == states[-2] == states[-1]
        living = [[job for job, is_one in enumerate(states[-1][3]) if is_one == state]
                  for state in LIVING]  # fmt: skip
        assert states[-1][4] == living
        assert [handles.tolist() for handles in fork.read()] == [[], []]
        session = fork


def predicted(run: Run, at: int) -> tuple[np.ndarray, Schedule]:
    """Arrivals by a time, and a run without later ones in which estimates are exact from then."""
    whole, came = simulate(run), run.jobs.submit <= at
    over = whole.end <= at
    left = np.where(whole.start <= at, at + 1 - whole.start, 0)  # who runs on ends later than now
    runtime = np.where(over, run.jobs.runtime, np.maximum(run.jobs.estimate, left))
    jobs = replace(run.jobs, runtime=runtime).take(came)
    return np.flatnonzero(came), simulate(replace(run, jobs=jobs))


@pytest.mark.slow
@settings(max_examples=300)
@given(session_runs(), st.data())
def test_planned_starts_equal_a_run_with_exact_estimates(run, data):
    """Of all jobs at once, of each alone, and of a copy for observers that runs on."""
    # past these jobs' end nothing is predicted
    at = data.draw(st.integers(0, int(run.jobs.submit[-1]) + 20))
    jobs = run.jobs
    if run.reservations != "every":
        jobs = replace(jobs, runtime=np.maximum(jobs.runtime, 1))
    run = replace(run, jobs=jobs)
    session = session_of(run)
    session.submit_jobs(run.jobs)
    session.advance(at)
    handles, expected = predicted(run, at)
    assert session.planned_starts(handles).tolist() == expected.start.tolist()
    assert [session.planned(job) for job in handles] == expected.start.tolist()
    fork = session.fork(observed=True)
    fork.advance()
    assert fork.schedule().start[handles].tolist() == expected.start.tolist()
    session.advance()
    assert equal_schedules(session.schedule(), simulate(run))


@pytest.mark.parametrize("reservations", RESERVATIONS)
def test_planned_starts_solved_by_hand(reservations):
    """Four processors: 3 until 10 (20 is said), then 4 for 5 s, and 1 for 30 s next to them."""
    session = QueueSession(4, get("fcfs"), reservations=reservations)
    first = session.submit(10, 3, estimate=20)
    wide, narrow = session.submit(5, 4), session.submit(30, 1)
    session.submit(100, 4, at=3)
    session.advance(2)
    # narrow would hold up the wide one if it began now; in strict order it never could
    assert [session.planned(job) for job in (first, wide, narrow)] == [0, 20, 25]
    session.advance(10)
    assert session.planned_starts([wide, narrow]).tolist() == [10, 15]
    short = session.submit(1, 1, estimate=2)
    # in strict order behind the job of 100 s, which waits for narrow; else next to narrow
    assert session.planned(short) == (145 if reservations == "none" else 15)
    assert session.state(short) == "pending"


def test_a_job_past_its_estimate_is_predicted_to_run_for_another_second():
    session = QueueSession(2, get("fcfs"))
    session.submit(100, 2, estimate=10)
    following = session.submit(5, 2)
    for now, start in ((9, 10), (10, 11), (50, 51)):
        session.advance(now)
        assert session.planned(following) == start
    session.advance()
    assert session.schedule().start.tolist() == [0, 100]


def test_planned_starts_of_cancelled_and_later_jobs():
    """Cancelled: never; to come: an error, and unknown to an observer's copy."""
    session = QueueSession(2, get("fcfs"))
    session.submit(10, 2)
    waiting, later = session.submit(10, 2), session.submit(10, 2, at=50)
    session.advance(1)
    held = session.submit(1, 1)
    with pytest.raises(ValueError, match=f"job {held} cannot depend on job {later}, which is"):
        session.depend(held, later)
    session.cancel(waiting)
    assert session.planned(waiting) is None
    with pytest.raises(ValueError, match=f"job {later} is still to come"):
        session.planned(later)
    fork = session.fork(observed=True)
    with pytest.raises(ValueError, match=f"job {later} was still to come"):
        fork.state(later)
    with pytest.raises(ValueError, match="state is 'ended', must be one of pending, held, waiting"):
        session.handles("ended")
    with pytest.raises(IndexError, match="no job has the handle 9"):
        session.planned(9)
    assert fork.submit(1, 1) == 4
    fork.advance()
    assert fork.schedule().start.tolist() == [0, -1, -1, 10, 10]


def test_forks_go_their_ways_in_threads():
    rng = np.random.default_rng(3)
    runtime = rng.integers(1, 200, 600)
    jobs = Jobs(
        np.arange(600), np.sort(rng.integers(0, 18_000, 600)), runtime, 2 * runtime,
        rng.integers(1, 9, 600),
    )  # fmt: skip
    for reservations in RESERVATIONS:
        run = Run(jobs, 8, get("wfp3"), reservations=reservations)
        session, whole = session_of(run), simulate(run)
        session.submit_jobs(jobs)
        with ThreadPoolExecutor(4) as pool:
            forks, work = [], []
            for at in range(0, 15_000, 1500):
                session.advance(at)
                forks.append(session.fork())
                work.append(pool.submit(forks[-1].advance))
            for task in work:
                task.result()
        session.advance()
        assert all(equal_schedules(one.schedule(), whole) for one in (session, *forks))

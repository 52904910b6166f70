"""Queues that are driven from outside beside their twin: dependencies, cancellations, who runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.jobs import Jobs
from schedlab.queue.simulation import simulate
from schedlab.reference import sessions as twin
from schedlab.reference.sessions import Script
from strategies import session_of, session_runs


@st.composite
def scripts(draw, run, depends=True, cancels=True) -> Script:
    """Dependencies on jobs submitted earlier, and cancellations at a few times."""
    count, last = len(run.jobs), int(run.jobs.submit[-1]) + 60
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    after, at = {}, {}
    for job in range(1, count) if depends else ():
        if rng.random() < 0.4:
            after[job] = rng.integers(0, job, rng.integers(1, 4)).tolist()
    for _ in range(draw(st.integers(0, 6)) if cancels else 0):
        at.setdefault(int(rng.integers(0, last)), []).append(int(rng.integers(count)))
    return Script(after, at)


def play(run, script, seed=None) -> list[tuple[int, int]]:
    """Start and end of each job in a session; with a seed one that forks and stops anywhere."""
    rng = np.random.default_rng(seed)
    session = session_of(run)
    session.submit_jobs(run.jobs)
    for job, others in script.after.items():
        session.depend(job, others)
    for at in sorted(script.cancels):
        while seed is not None and session.now < at and rng.integers(3):
            session.advance(int(rng.integers(session.now, at + 1)))
            session = session.fork()
        session.advance(at)
        for job in script.cancels[at]:
            session.cancel(job)
            if seed is not None and rng.integers(2):
                session = session.fork()
    session.advance()
    schedule = session.schedule()
    return list(zip(schedule.start.tolist(), schedule.end.tolist(), strict=True))


def without_head(run):
    """The first jobs in order depend on nobody."""
    return replace(run, head=0)


@settings(max_examples=400)
@given(session_runs(most=20).map(without_head), st.data())
def test_dependencies_equal_the_twin_job_by_job(run, data):
    script = data.draw(scripts(run, cancels=False))
    assert play(run, script) == twin.simulate(run, script)


@settings(max_examples=400)
@given(session_runs(most=20), st.data())
def test_cancellations_equal_the_twin_job_by_job(run, data):
    script = data.draw(scripts(run, depends=False))
    assert play(run, script) == twin.simulate(run, script)


@settings(max_examples=400)
@given(session_runs(most=20).map(without_head), st.data(), st.integers(0, 2**16))
def test_both_and_forks_equal_the_twin_job_by_job(run, data, seed):
    script = data.draw(scripts(run))
    assert play(run, script, seed) == twin.simulate(run, script)


@given(session_runs(most=20))
def test_the_twin_equals_the_whole_run(run):
    whole = simulate(run)
    expected = list(zip(whole.start.tolist(), whole.end.tolist(), strict=True))
    assert twin.simulate(run, Script()) == expected


@st.composite
def busy_runs(draw, together: bool):
    """A run whose first jobs find the machine empty and fit on it, and when the others come.

    The first ones are submitted at 0, `together`, or each when it starts.
    """
    run = replace(draw(session_runs(most=20)), head=0)
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    procs = rng.integers(1, 4, 4)
    procs = procs[np.cumsum(procs) <= run.processors]
    count, at = len(procs), draw(st.integers(0, 60))
    submit = np.zeros(count) if together else np.sort(rng.integers(0, at + 1, count))
    runtime = rng.integers(1, 60, count)
    estimate = np.maximum(runtime + rng.integers(-20, 20, count), 1)
    if run.reservations == "every":
        estimate = np.maximum(estimate, runtime)
    first = Jobs(np.arange(1000, 1000 + count), submit, runtime, estimate, procs)
    later = replace(run.jobs, submit=run.jobs.submit - run.jobs.submit[0] + at)
    frames = [jobs.to_frame() for jobs in (first, later)]
    columns = pd.concat(frames).to_dict("series")
    return replace(run, jobs=Jobs(**columns)), count, at


def taken_up(run, count: int, at: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Starts and ends in a session that begins at a time with who runs then; and who that is."""
    first = run.jobs.take(slice(count))
    runs = (first.submit + first.runtime > at).tolist()
    session = session_of(run)
    session.advance(at)
    session.submit_running(first.take(runs), first.submit[runs])
    session.submit_jobs(run.jobs.take(slice(count, None)))
    session = session.fork()
    session.advance()
    schedule = session.schedule()
    return schedule.start, schedule.end, np.flatnonzero(runs + [True] * (len(run.jobs) - count))


@settings(max_examples=300)
@given(busy_runs(together=True))
def test_jobs_that_run_already_equal_jobs_submitted_first(busy):
    """Job by job, as in a run in which these jobs came first."""
    run, count, at = busy
    start, end, places = taken_up(run, count, at)
    whole = simulate(run)
    assert (whole.start[:count] == 0).all()
    assert start.tolist() == whole.start[places].tolist()
    assert end.tolist() == whole.end[places].tolist()


@settings(max_examples=300)
@given(busy_runs(together=False))
def test_jobs_that_run_already_equal_the_twin(busy):
    """Each has started at a time of its own."""
    run, count, at = busy
    start, end, places = taken_up(run, count, at)
    script = Script(started={job: int(run.jobs.submit[job]) for job in range(count)})
    expected = twin.simulate(run, script)
    assert list(zip(start.tolist(), end.tolist(), strict=True)) == [expected[k] for k in places]

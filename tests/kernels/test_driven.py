"""Queues under external control and their twin: dependencies, cancellations, running jobs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from strategies import session_of, session_runs
from twins import sessions as twin
from twins.sessions import Script


@st.composite
def scripts(draw, run, depends=True) -> Script:
    """Dependencies on jobs submitted earlier, and cancellations at a few times."""
    count, last = len(run.jobs), int(run.jobs.submit[-1]) + 60
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    after, at = {}, {}
    for job in range(1, count) if depends else ():
        if rng.random() < 0.4:
            after[job] = rng.integers(0, job, rng.integers(1, 4)).tolist()
    for _ in range(draw(st.integers(0, 6))):
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
    """The first jobs in order depend on no other job."""
    return replace(run, head=0)


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


@settings(max_examples=200)
@given(session_runs(most=20).map(without_head), st.data())
def test_planned_starts_equal_a_twin_with_exact_estimates(run, data):
    at = data.draw(st.integers(0, int(run.jobs.submit[-1]) + 40))
    count, drawn = int((run.jobs.submit <= at).sum()), data.draw(scripts(run))
    after = {job: others for job, others in drawn.after.items() if job < count}
    cancels = {
        now: [job for job in taken if job < count]
        for now, taken in drawn.cancels.items()
        if now <= at
    }
    script, session = Script(after, cancels), session_of(run)
    session.submit_jobs(run.jobs)
    for job, others in script.after.items():
        session.depend(job, others)
    for now in sorted(script.cancels):
        session.advance(now)
        for job in script.cancels[now]:
            session.cancel(job)
    session.advance(at)
    start, end = np.array(twin.simulate(run, script)).T
    left = np.where((start >= 0) & (start <= at), at + 1 - start, 0)
    longer = np.maximum(run.jobs.estimate, left)
    runtime = np.where((end >= 0) & (end <= at), run.jobs.runtime, longer)
    jobs = replace(run.jobs, runtime=runtime).take(slice(count))
    expected = twin.simulate(replace(run, jobs=jobs), script)
    assert session.planned_starts(range(count)).tolist() == [start for start, _ in expected]


@pytest.mark.parametrize("reservations", ["none", "head", "every"])
def test_buffers_grow_while_jobs_are_held(reservations):
    """In sessions made for 64 jobs, each of which gives way to a copy now and then."""
    rng, count = np.random.default_rng(9), 200
    runtime = rng.integers(1, 30, count)
    jobs = Jobs(np.arange(count), np.arange(count), runtime, 2 * runtime, rng.integers(1, 5, count))
    run = Run(jobs, 8, get("wfp3"), reservations=reservations)
    after = {job: rng.integers(0, job, 2).tolist() for job in range(1, count, 2)}
    session = session_of(run)
    for job in range(count):
        session.submit_jobs(jobs.take([job]))
        if job in after:
            session.depend(job, after[job])
        session.advance(job)
        if job % 70 == 69:
            session = session.fork()
    session.advance()
    schedule = session.schedule()
    expected = twin.simulate(run, Script(after))
    assert list(zip(schedule.start.tolist(), schedule.end.tolist(), strict=True)) == expected


@given(session_runs(most=20))
def test_the_twin_equals_the_whole_run(run):
    whole = simulate(run)
    expected = list(zip(whole.start.tolist(), whole.end.tolist(), strict=True))
    assert twin.simulate(run, Script()) == expected


@st.composite
def busy_runs(draw):
    """A run whose first jobs fit when submitted, and the later time of the other arrivals."""
    run = replace(draw(session_runs(most=20)), head=0)
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    procs = rng.integers(1, 4, 4)
    procs = procs[np.cumsum(procs) <= run.processors]
    count, at = len(procs), draw(st.integers(1, 60))
    submit = np.sort(rng.integers(0, at + 1, count))
    runtime = rng.integers(1, 60, count)
    estimate = np.maximum(runtime + rng.integers(-20, 20, count), 1)
    if run.reservations == "every":
        estimate = np.maximum(estimate, runtime)
    first = Jobs(np.arange(1000, 1000 + count), submit, runtime, estimate, procs)
    later = replace(run.jobs, submit=run.jobs.submit - run.jobs.submit[0] + at)
    frames = [jobs.to_frame() for jobs in (first, later)]
    columns = pd.concat(frames).to_dict("series")
    return replace(run, jobs=Jobs(**columns)), count, at


def resumed_schedule(run, count: int, at: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Starts and ends in a session that begins with the jobs running then; and these jobs."""
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
@given(busy_runs())
def test_jobs_that_run_already_equal_the_twin(busy):
    run, count, at = busy
    start, end, places = resumed_schedule(run, count, at)
    script = Script(started={job: int(run.jobs.submit[job]) for job in range(count)})
    expected = twin.simulate(run, script)
    assert list(zip(start.tolist(), end.tolist(), strict=True)) == [expected[k] for k in places]


@st.composite
def run_with_state(draw):
    """A run whose first jobs run when it is copied, and which job depends on which."""
    run, count, at = draw(busy_runs())
    jobs = replace(run.jobs, runtime=np.maximum(run.jobs.runtime, 1))
    late = np.random.default_rng(draw(st.integers(0, 2**16))).integers(0, 60)
    submit = jobs.submit.copy()
    # some of those that are not here yet came before
    submit[count:] = np.maximum(submit[count:] - late, 0)
    order = np.r_[np.arange(count), count + np.argsort(submit[count:], kind="stable")]
    runs = submit[:count] + jobs.runtime[:count] > at
    keep = order[np.r_[runs, np.ones(len(jobs) - count, dtype=bool)]]
    columns = jobs.to_frame().assign(submit=submit).iloc[keep].to_dict("series")
    columns["estimate"] = np.maximum(columns["estimate"], columns["runtime"])
    columns["submit"] = np.maximum.accumulate(columns["submit"])
    started, here = submit[:count][runs], int(runs.sum())
    depends = {}
    for job in range(here + 1, len(keep)):
        if draw(st.integers(0, 4)) == 0:
            depends[job] = [draw(st.integers(0, job - 1))]
    return replace(run, jobs=Jobs(**columns)), started, here, at, depends


@settings(max_examples=400)
@given(run_with_state(), st.booleans())
def test_jobs_that_wait_already_equal_the_twin(stands, forks):
    """Some wait, some are to come, some depend on others; forks in between change nothing."""
    run, started, here, at, depends = stands
    session = session_of(run)
    session.advance(at)
    session.submit_running(run.jobs.take(slice(here)), started)
    wait = int((run.jobs.submit <= at).sum())
    session.submit_waiting(run.jobs.take(slice(here, max(wait, here))))
    session.submit_jobs(run.jobs.take(slice(max(wait, here), None)))
    for job, others in depends.items():
        session.depend(job, others)
    session = session.fork() if forks else session
    session.advance()
    schedule = session.schedule()
    script = Script(depends, {}, {k: int(started[k]) for k in range(here)}, begins=at)
    expected = twin.simulate(run, script)
    assert list(zip(schedule.start.tolist(), schedule.end.tolist(), strict=True)) == expected


@given(session_runs(most=30), st.integers(0, 40))
def test_observer_copy_knows_waiting_jobs(run, at):
    """Between submission and the next look at the queue they are waiting to come."""
    jobs = replace(run.jobs, runtime=run.jobs.estimate)
    jobs = jobs.take(jobs.submit <= at)
    session = session_of(replace(run, jobs=jobs))
    session.advance(at)
    handles = session.submit_waiting(jobs)
    planned = session.planned_starts(handles)
    session.advance()
    assert planned.tolist() == session.schedule().start.tolist()


def test_jobs_that_do_not_wait_yet_are_refused():
    session = session_of(Run(Jobs([1], [0], [1], [1], [1]), 4, get("fcfs")))
    session.advance(10)
    assert session.submit_waiting(Jobs([1], [10], [1], [1], [1])).tolist() == [0]
    with pytest.raises(ValueError, match="job 7 does not wait yet: it is submitted at 11, after"):
        session.submit_waiting(Jobs([7], [11], [1], [1], [1]))

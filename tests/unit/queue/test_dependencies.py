"""Jobs with dependencies, and jobs that are already running."""

from __future__ import annotations

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import ScoreError, get
from schedlab.queue.sessions import QueueSession

RESERVATIONS = ("none", "head", "every")


def session(reservations: str = "head", policy: str = "fcfs", **options) -> QueueSession:
    return QueueSession(4, get(policy), reservations=reservations, **options)


def starts(queue: QueueSession) -> list[int]:
    """Run to the end; when each job has started."""
    queue.advance()
    return queue.schedule().start.tolist()


@pytest.mark.parametrize("reservations", RESERVATIONS)
def test_a_chain_starts_link_by_link_at_the_very_instants(reservations):
    queue = session(reservations)
    jobs = [queue.submit(runtime, 2, estimate=50) for runtime in (10, 20, 30, 5)]
    queue.depend(jobs[1:3], jobs[0])
    queue.depend(jobs[3], jobs[1:3])
    queue.advance(9)
    assert [queue.state(job) for job in jobs] == ["running", "held", "held", "held"]
    assert [queue.reservation(job) for job in jobs] == [None] * 4
    assert queue.free == 2
    queue.advance(10)
    assert [queue.state(job) for job in jobs] == ["ended", "running", "running", "held"]
    assert starts(queue) == [0, 10, 10, 40]


@pytest.mark.parametrize("reservations", RESERVATIONS)
@pytest.mark.parametrize("when", [0, 5, 12])
def test_a_cancelled_job_counts_as_over(reservations, when):
    """Pending, running or waiting: who depends on it alone is let go when it is cancelled."""
    queue = session(reservations)
    queue.submit(20, 2)
    other = queue.submit(20, 2, at=3) if when < 12 else queue.submit(20, 4, at=3)
    held = queue.submit(1, 2, at=4)
    queue.depend(held, other)
    queue.advance(when)
    assert queue.state(other) == {0: "pending", 5: "running", 12: "waiting"}[when]
    assert queue.cancel(other)
    queue.advance(when)
    assert queue.state(held) == ("pending" if when == 0 else "running")
    assert starts(queue)[held] == max(when, 4)


def test_observer_predicts_dependents_of_known_jobs_only():
    """The first is over at 30 as estimated; a job that depends on a later one never starts."""
    queue = session()
    first = queue.submit(10, 4, estimate=30)
    held = queue.submit(5, 4)
    queue.depend(held, first)
    later, last = queue.submit(5, 4, at=40), queue.submit(5, 4, at=50)
    queue.depend(last, later)
    queue.advance(5)
    assert queue.planned(held) == 30
    assert starts(queue) == [0, 10, 40, 50]


def test_handles_are_whole_numbers_in_range():
    queue = session()
    queue.submit(10, 1)
    for handle, message in ((0.5, "not float64"), (2**32, "no job has the handle 4294967296")):
        ways = (queue.planned, lambda job: queue.depend(job, 0), lambda job: queue.depend(0, job))
        for ask in ways:
            with pytest.raises(IndexError, match=message):
                ask(handle)


def test_observer_copy_rejects_dependencies_on_later_arrivals():
    queue = session()
    later = queue.submit(10, 1, at=5)
    observer = queue.fork(observed=True)
    job = observer.submit(10, 1, at=7)
    with pytest.raises(ValueError, match=f"job {later} was still to come"):
        observer.depend(job, later)


@pytest.mark.parametrize(
    ("pair", "error", "message"),
    [
        ((1, 9), IndexError, "no job has the handle 9"),
        ((1, 5), IndexError, "no job has the handle 5: 5 submitted"),
        ((1, -1), IndexError, "no job has the handle -1"),
        ((9, 1), IndexError, "no job has the handle 9"),
        ((2, 2), ValueError, "job 2 cannot depend on job 2, which is submitted no earlier"),
        ((2, 3), ValueError, "job 2 cannot depend on job 3, which is submitted no earlier"),
        ((3, 4), ValueError, "job 3 cannot depend on job 4, which is submitted no earlier"),
        ((0, 1), ValueError, "job 0 cannot depend on job 1: it is running already"),
        ((1, 0), ValueError, "job 1 cannot depend on job 0: it is waiting already"),
    ],
)
def test_impossible_dependency_names_both_jobs(pair, error, message):
    """And then none of those given with them is noted."""
    queue = session()
    queue.submit(10, 4)
    queue.submit(10, 4)
    queue.submit(10, 1, at=20)
    queue.submit(10, 1, at=20)
    queue.submit(10, 1, at=21)
    queue.advance(1)
    with pytest.raises(error, match=message):
        queue.depend([4, pair[0]], [3, pair[1]])
    assert starts(queue) == [0, 10, 20, 20, 21]


def test_head_jobs_cannot_have_dependencies():
    queue = session(head=2)
    for _ in range(3):
        queue.submit(10, 1)
    with pytest.raises(ValueError, match="job 1 cannot depend on job 0: it is one of the first 2"):
        queue.depend(1, 0)
    queue.depend(2, 0)
    assert starts(queue) == [0, 0, 10]


def test_nan_score_at_release_names_the_job():
    """At 10 it has waited 10 s, and the score is the logarithm of -5."""
    queue = session("every", "log10(5 - w)")
    first = queue.submit(10, 4)
    held = queue.submit(5, 4)
    queue.depend(held, first)
    for one in (queue.fork(), queue):
        with pytest.raises(ScoreError, match=f"job {held}"):
            one.advance()
    with pytest.raises(ScoreError, match=f"job {held}"):
        queue.planned(held)


def running(runtime=(30, 40), estimate=(35, 60), procs=(1, 2), submit=(0, 0)) -> Jobs:
    return Jobs([11, 12], submit, runtime, estimate, procs)


@pytest.mark.parametrize("reservations", RESERVATIONS)
def test_session_begins_with_running_jobs(reservations):
    """One processor is free; ends are at 20 and 35, expected at 25 and 55."""
    queue = session(reservations)
    jobs = running(submit=(-20, -20))
    handles = queue.submit_running(jobs, [-10, -5])
    assert (queue.free, queue.next_event()) == (1, 20)
    assert [queue.state(job) for job in handles] == ["running"] * 2
    assert [column.tolist() for column in queue.read()] == [[], []]
    wide, narrow = queue.submit(10, 3), queue.submit(26, 1)
    queue.advance(0)
    # the wide one is expected to start at 55, and narrow is over by then
    assert queue.state(narrow) == ("waiting" if reservations == "none" else "running")
    assert queue.planned(wide) == 55
    assert starts(queue) == [-10, -5, 35, 35 if reservations == "none" else 0]
    assert queue.schedule().end.tolist()[:2] == [20, 35]


@pytest.mark.parametrize(
    ("jobs", "started", "message"),
    [
        (running(procs=(1, 5)), (0, 0), "job 12 needs 5 processors, the machine has 4"),
        (running(), (0, 11), "job 12 has not started by the present time 10"),
        (running(estimate=(0, 60)), (0, 0), "job 11 has an estimate of 0 s"),
    ],
)
def test_impossible_running_jobs_are_rejected(jobs, started, message):
    queue = session()
    queue.advance(10)
    with pytest.raises(ValueError, match=message):
        queue.submit_running(jobs, started)
    assert queue.free == 4


def test_running_jobs_at_the_limits_are_accepted():
    """Started now, or over in a second, on all processors."""
    queue = session()
    queue.advance(10)
    queue.submit_running(running(runtime=(11, 5), procs=(2, 2)), [0, 10])
    assert (queue.free, queue.next_event()) == (0, 11)


def test_running_jobs_must_precede_waiting_jobs():
    queue = session()
    queue.submit(10, 3)
    queue.submit(10, 3)
    queue.advance(0)
    with pytest.raises(ValueError, match="jobs wait: who runs already is submitted before"):
        queue.submit_running(running().take([0]), [0])
    with pytest.raises(ValueError, match="head is 1: no job runs before the first ones"):
        session(head=1).submit_running(running(), [0, 0])
    with pytest.raises(ValueError, match="job 11: estimate is 20 s, and it runs longer"):
        session("every").submit_running(running(estimate=(20, 60)), [0, 0])


def test_no_running_jobs_are_accepted():
    none = np.zeros(0, dtype=np.int64)
    assert session().submit_running(Jobs(none, none, none, none, none), none).tolist() == []

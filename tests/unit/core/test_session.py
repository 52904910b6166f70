"""Behavior shared by all sessions: events, time and handles."""

import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.core.session import Session
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession

JOBS = Jobs([1, 2, 3], [0, 0, 10], [50, 20, 30], [50, 20, 30], [3, 2, 4])


def queue(reservations):
    session = QueueSession(4, get("fcfs"), reservations=reservations)
    session.submit_jobs(JOBS)
    return session


def plan():
    session = PlanSession(Machine.of_processors(4), Planning(), ("test",))
    session.submit(Requests(JOBS, user=[1, 2, 3]))
    return session


@pytest.fixture(
    params=[lambda: queue("none"), lambda: queue("every"), plan], ids=["queue", "reserved", "plan"]
)
def session(request) -> Session:
    return request.param()


def test_events_are_handled_one_after_the_other(session):
    session.advance(0)
    assert (session.now, session.state(0), session.state(1)) == (0, "running", "waiting")
    session.read()
    session.advance(on_end=True)
    assert session.now == 50
    started, ended = session.read()
    assert (started.tolist(), ended.tolist()) == ([1], [0])
    assert session.next_event() == 70
    session.advance()
    assert session.next_event() is None
    assert session.schedule().start.tolist() == [0, 50, 70]
    assert session.schedule().end.tolist() == [50, 70, 100]


def test_going_back_in_time_and_unknown_jobs_are_errors(session):
    session.advance(20)
    session.advance(20)
    with pytest.raises(ValueError, match="cannot go back from 20 to 19"):
        session.advance(19)
    with pytest.raises(IndexError, match="no job has the handle 3: 3 submitted"):
        session.state(3)

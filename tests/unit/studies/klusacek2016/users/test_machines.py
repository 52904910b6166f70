"""Machines that simulate users' jobs."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.studies.klusacek2016.users.machines import PlannedMachine, QueuedMachine

JOBS = Jobs([10, 20, 30], [0, 5, 9], [50, 20, 30], [60, 20, 30], [3, 2, 1])


@pytest.fixture(params=["queue", "plan"])
def machine(request):
    """Four processors, and three jobs that are known and not submitted."""
    if request.param == "queue":
        return QueuedMachine(QueueSession(4, get("fcfs"), backfill=get("fcfs")), JOBS)
    session = PlanSession(Machine.of_processors(4), Planning(), ("machines",))
    return PlannedMachine(session, Requests(JOBS, user=[1, 2, 3]))


def test_jobs_run_from_their_submission_and_are_identified_by_position(machine):
    """The last job of the log is submitted first; the two others while it runs."""
    machine.submit(np.array([2]), np.array([100]))
    assert machine.advance(110) == []
    assert machine.now == 110
    machine.submit(np.array([0, 1]), np.array([110, 115]))
    assert machine.advance(None) == [2]
    assert (machine.now, machine.idle()) == (130, False)
    assert machine.advance(160) == [0]
    assert machine.advance(300) == [1]
    assert (machine.now, machine.idle()) == (180, True)
    assert machine.schedule().start.tolist() == [110, 160, 100]
    assert machine.schedule().end.tolist() == [160, 180, 130]


def test_job_submitted_at_a_completion_starts_at_once(machine):
    machine.submit(np.array([1]), np.array([0]))
    assert machine.advance(None) == [1]
    machine.submit(np.array([0]), np.array([20]))
    assert machine.advance(None) == [0]
    assert machine.schedule().start.tolist() == [20, 0, -1]


def test_clock_advances_to_the_given_time_without_completions(machine):
    machine.advance(40)
    assert (machine.now, machine.idle()) == (40, True)
    with pytest.raises(ValueError, match=r"job (10 is|0: cannot be) submitted .* 40"):
        machine.submit(np.array([0]), np.array([39]))

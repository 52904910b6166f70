"""Waits predicted from the queue: by simulation, by Slurm's rule, and in hindsight."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.waits.background import UnknownError
from schedlab.waits.learner import Geometry
from schedlab.waits.lookahead import Hindsight, Lookahead, SlurmTest, slurm_test_wait
from schedlab.waits.queue_estimates import slurm_test_of_record, starts_under_easy

# on 4 processors: the first runs 100 s of the 300 s that it requests, the second waits for it, the
# third comes when both are there
JOBS = Jobs([1, 2, 3, 4], [0, 10, 20, 150], [100, 50, 40, 9], [300, 50, 40, 9], [3, 4, 1, 4])
SECONDS = {1: 400, 4: 40}


def queue():
    session = QueueSession(4, get("fcfs"), backfill=get("fcfs"))
    session.submit_jobs(JOBS)
    session.advance(15)
    return session


def test_the_rule_by_hand():
    """Of 8 processors 2 are free; 4 are freed at 50 s and 2 at 90 s; 80 s of the machine wait."""
    ends, running = np.array([90, 50]), np.array([2, 4])
    waits = [slurm_test_wait(10, ends, running, 640, procs, 8) for procs in (2, 3, 6, 7, 8)]
    assert waits == [80, 120, 120, 160, 160]
    assert slurm_test_wait(60, ends, running, 0, 6, 8) == 0  # the late one ends now


@pytest.mark.parametrize(
    ("cores", "simulated", "slurm", "true"),
    [
        # 1 free; the second requests 4 * 50 s, a machine of 50 s; it is to start at 300 s, at 100 s
        (1, 335, 50, 135),
        (4, 335, 335, 135),
    ],
)
def test_the_three_by_hand(cores, simulated, slurm, true):
    """At 15 s. A job of 1 processor for 400 s would delay the second, and waits for its end.

    True starts: the second from 100 to 150 s, then this one; the job at 150 s is behind it.
    """
    session, geometry = queue(), Geometry("site", cores)
    asked = dict.fromkeys(SECONDS, 400)
    assert Lookahead(session, asked).estimate(geometry) == simulated
    assert SlurmTest(session).estimate(geometry) == slurm
    assert Hindsight(session, SECONDS, asked, 10**6).estimate(geometry) == true
    assert session.now == 15


def test_hindsight_beyond_the_known_arrivals_is_an_error():
    with pytest.raises(UnknownError):
        Hindsight(queue(), SECONDS, SECONDS, 100).estimate(Geometry("site", 4))


def test_slurm_rule_on_a_log_uses_its_running_and_waiting_jobs():
    waits = starts_under_easy(JOBS, 4) - JOBS.submit
    assert waits.tolist() == [0, 90, 0, 0]
    found = slurm_test_of_record(JOBS, waits, 4, np.arange(4))
    # the third sees 1 free and 4 * 50 s of work ahead
    assert found.tolist() == [0, 290, 50, 0]


def test_no_run_time_and_no_later_job_changes_the_rule():
    waits = starts_under_easy(JOBS, 4) - JOBS.submit
    other = Jobs(JOBS.number, JOBS.submit, [290, 1, 7, 99], JOBS.estimate, JOBS.procs)
    waits[2:] = 5000
    assert slurm_test_of_record(other, waits, 4, np.arange(3)).tolist() == [0, 290, 50]

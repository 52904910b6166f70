"""Strategies in a simulated queue with other jobs."""

import numpy as np
import pytest

from asa_case import Told, estimator_by_stage
from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.waits.background import UnknownError
from schedlab.waits.simulated_queue import SimulatedQueue
from schedlab.waits.strategies import STRATEGIES, drive
from schedlab.waits.submissions import Submission
from schedlab.waits.workflows import Stage, Workflow

CHAIN = Workflow(
    "chain", (Stage("a", 4, 100), Stage("b", 1, 50, ("a",)), Stage("c", 4, 30, ("b",)))
)
#: submission and run time of jobs that take the whole machine
OTHERS = ((0, 100), (150, 500), (230, 7))


def queue(others=OTHERS):
    """Four processors, EASY in order of arrival."""
    session = QueueSession(4, get("fcfs"), backfill=get("fcfs"))
    submit, runtime = np.array(others, dtype=np.int64).reshape(-1, 2).T
    count = len(submit)
    session.submit_jobs(Jobs(np.arange(count), submit, runtime, runtime, np.full(count, 4)))
    return session


def rows_of(strategy, estimates=(), others=OTHERS, at=0):
    session = queue(others)
    told = estimator_by_stage(CHAIN, estimates) if estimates else None
    one = Submission(CHAIN, STRATEGIES[strategy], SimulatedQueue(session), at, "sys", told)
    drive(one._environment, [one])
    return one.rows(), session


def test_big_job_starts_after_earlier_arrivals():
    rows, session = rows_of("Big Job")
    assert rows[["submit", "start", "end"]].to_numpy().tolist() == [[0, 100, 280]]
    session.advance()
    assert session.schedule().start[:3].tolist() == [0, 280, 780]


def test_other_jobs_start_between_stages_of_per_stage():
    rows, _ = rows_of("Per-Stage")
    assert rows["start"].tolist() == [100, 700, 757]
    assert rows["perceived"].tolist() == [100, 500, 7]


def test_stage_submitted_ahead_starts_before_other_jobs():
    """Stage b is submitted at 140 and held to 200, c at 145 and held to 250."""
    rows, session = rows_of("ASA", [100, 60, 105])
    assert rows["submit"].tolist() == [0, 140, 145]
    assert rows["start"].tolist() == [100, 200, 250]
    assert rows["perceived"].tolist() == [100, 0, 0]
    assert rows["wait"].tolist() == [100, 60, 105]
    session.advance()
    assert session.schedule().start[:3].tolist() == [0, 280, 780]


def test_stage_submitted_too_late_starts_after_other_jobs():
    """Stage c is submitted at 151, and who came at 150 has its turn when b has ended."""
    rows, session = rows_of("ASA", [100, 60, 99])
    assert rows["submit"].tolist() == [0, 140, 151]
    assert rows["start"].tolist() == [100, 200, 750]
    assert session.schedule().start[1] == 250


def test_early_stage_without_dependencies_is_cancelled_and_resubmitted():
    """All is free but for a: b starts at 140, idles for 60 s, 50 s of which it has."""
    stages = (Stage("a", 3, 100), Stage("b", 1, 80, ("a",)))
    session = queue(((0, 100), (1000, 1)))
    one = Submission(
        Workflow("two", stages),
        STRATEGIES["ASA Naive"],
        SimulatedQueue(session),
        0,
        "sys",
        Told({3: 100, 1: (60, 5)}),
    )
    drive(one._environment, [one])
    rows = one.rows()
    assert rows["start"].tolist() == [100, 200]
    assert rows["end"].tolist() == [200, 280]
    assert rows["idle_core_seconds"].tolist() == [0, 60]
    assert rows["resubmitted"].tolist() == [0, 1]


def test_workflow_jobs_request_the_given_time():
    """Half of the machine is free from 60 to 100, when another job is to have all of it."""
    for asked, start in ((40, 60), (41, 110)):
        session = QueueSession(4, get("fcfs"), backfill=get("fcfs"))
        session.submit_jobs(Jobs([0, 1], [0, 10], [100, 10], [100, 10], [2, 4]))
        environment = SimulatedQueue(session, request=lambda cores, seconds, a=asked: a)
        environment.advance(60)
        drive_to_start(environment, environment.submit(Stage("own", 1, 5)))
        assert environment.now == start


def drive_to_start(environment, job):
    """Advance the time until a job has started."""
    while job not in environment.read()[0]:
        environment.advance(None)


def run_chain_at_once(accrue):
    """Starts of a chain that is submitted at once, with another job at 150 between."""
    session = queue()
    environment = SimulatedQueue(session, accrue=accrue)
    one = Submission(CHAIN, STRATEGIES["All at once"], environment, 0, "sys")
    drive(environment, [one])
    return one.rows()


def test_dependent_job_ages_from_submission_or_from_its_release():
    """Another job takes the machine from 150 on; under Per-Stage b comes after it, at 700."""
    assert run_chain_at_once(True)["start"].tolist() == [100, 200, 250]
    late, staged = run_chain_at_once(False), rows_of("Per-Stage")[0]
    assert late["start"].tolist() == staged["start"].tolist() == [100, 700, 757]
    # waits count from when they were submitted all the same
    assert late["submit"].tolist() == [0, 0, 0]
    assert late["wait"].tolist() == [100, 700, 757]


def test_dependent_job_can_be_cancelled():
    environment = SimulatedQueue(queue(), accrue=False)
    first = environment.submit(Stage("a", 4, 10))
    second = environment.submit(Stage("b", 4, 10))
    environment.depend(second, [first])
    assert environment.cancel(second)
    assert not environment.cancel(second)
    drive_to_start(environment, first)
    environment.advance(None)
    assert environment.read() == ([], [first])
    assert environment.submit(Stage("c", 4, 10)) == second + 1


def test_dependent_job_starts_when_its_dependency_is_cancelled():
    environment = SimulatedQueue(queue(), accrue=False)
    first = environment.submit(Stage("a", 4, 10))
    second = environment.submit(Stage("b", 4, 10))
    environment.depend(second, [first])
    environment.advance(5)
    environment.cancel(first)
    drive_to_start(environment, second)
    assert (environment.now, environment.submitted(second)) == (100, 0)


def test_time_advances_as_requested_and_only_own_jobs_are_reported():
    environment = SimulatedQueue(queue())
    environment.advance(40)
    assert environment.now == 40
    assert environment.read() == ([], [])
    environment.advance(None)
    assert environment.now == 40
    job = environment.submit(Stage("own", 4, 10))
    environment.advance(70)
    assert environment.now == 70
    environment.advance(None)
    assert (environment.now, environment.read()) == (100, ([job], []))
    environment.advance(500)
    assert (environment.now, environment.read()) == (110, ([], [job]))
    assert not environment.cancel(job)


def test_a_job_of_no_length_starts_and_ends():
    environment = SimulatedQueue(queue(((0, 100),)))
    job = environment.submit(Stage("own", 4, 0))
    environment.advance(None)
    started, ended = environment.read()
    while not ended:
        assert started == [job]
        environment.advance(None)
        ended = environment.read()[1]
    assert (environment.now, ended) == (100, [job])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_many_submissions_share_a_queue(strategy):
    session = queue([(50 * k, 30) for k in range(100)])
    environment = SimulatedQueue(session)
    told = Told({4: 200, 1: 200})
    many = [
        Submission(CHAIN, STRATEGIES[strategy], environment, at, "sys", told)
        for at in (0, 10, 500, 1000)
    ]
    drive(environment, many)
    for one in many:
        rows = one.rows()
        assert rows["end"].max() - one.at == rows["perceived"].sum() + CHAIN.seconds


@pytest.mark.parametrize(("known", "bad"), [(100, False), (99, True)])
def test_advancing_beyond_the_known_jobs_is_an_error(known, bad):
    environment = SimulatedQueue(queue(((0, 100),)), known)
    environment.submit(Stage("own", 4, 10))
    if bad:
        with pytest.raises(UnknownError, match="until 99 s"):
            environment.advance(None)
        return
    environment.advance(None)
    assert environment.now == 100
    with pytest.raises(UnknownError, match="at 101 s"):
        environment.advance(101)

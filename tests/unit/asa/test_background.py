"""Backgrounds: jobs as wide as the machine, and the queue at instants."""

import numpy as np
import pytest

from schedlab.asa.background import BURN_IN, DAY, Background, scaled, starts_of
from schedlab.asa.foresight import Foresight, foreseen
from schedlab.asa.learner import Geometry
from schedlab.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession


def jobs(*rows):
    """Submit, run time, estimate and processors of each."""
    return Jobs(np.arange(len(rows)), *map(list, zip(*rows, strict=True)))


LONG = jobs((0, 10, 20, 1), (20 * DAY, 100, 200, 2), (40 * DAY, 10, 20, 3))


def test_jobs_are_wider_and_come_faster():
    background = scaled(LONG, 4, 10, 2.0)
    assert background.jobs.procs.tolist() == [2, 5, 8]  # 2.5 and 7.5 to even
    assert background.jobs.submit.tolist() == [0, 10 * DAY, 20 * DAY]
    assert background.jobs.runtime.tolist() == [10, 100, 10]


def test_a_job_keeps_a_processor_and_fits():
    assert scaled(LONG, 4, 1, 1.0).jobs.procs.tolist() == [1, 1, 1]


@pytest.mark.parametrize("load", [0, -1, float("inf"), float("nan")])
def test_a_load_that_is_none_is_refused(load):
    with pytest.raises(ValueError, match=r"load is .*, must be above 0"):
        scaled(LONG, 4, 4, load)


def test_machines_without_processors_are_refused():
    with pytest.raises(ValueError, match="machines have 4 and 0 processors"):
        scaled(LONG, 4, 0, 1.0)


@pytest.mark.parametrize(("last", "bad"), [(BURN_IN, True), (BURN_IN + 1, False)])
def test_a_background_must_outlast_the_filling_of_the_machine(last, bad):
    short = jobs((0, 10, 20, 1), (last, 10, 20, 1))
    if not bad:
        assert Background(short, 4).span == last
        return
    with pytest.raises(ValueError, match="must be more than 14"):
        Background(short, 4)


def test_there_is_an_instant_in_each_part():
    instants = Background(LONG, 4).instants(13, np.random.default_rng(1))
    part = (40 * DAY - BURN_IN) / 13
    assert ((instants - BURN_IN) // part).tolist() == list(range(13))


def test_copies_stand_at_their_instants_and_disturb_nobody():
    rows = [(0, 30 * DAY, 30 * DAY, 2), (15 * DAY, 9, 9, 2), (30 * DAY, 9, 9, 4)]
    background = Background(jobs(*rows), 4)
    first, second = background.at(np.array([14 * DAY, 15 * DAY]))
    assert (first.now, first.free, second.free) == (14 * DAY, 2, 0)
    own = first.submit(runtime=2 * DAY, procs=2)
    assert starts_of(first, [own]).tolist() == [14 * DAY]
    later = second.submit(runtime=5, procs=2)
    assert starts_of(second, [later]).tolist() == [15 * DAY + 9]


def test_a_job_that_does_not_start_in_time_is_an_error():
    session = QueueSession(2, get("fcfs"))
    session.submit(runtime=100, procs=2)
    job = session.submit(runtime=1, procs=1)
    with pytest.raises(RuntimeError, match="job 1 has not started within 99 s"):
        starts_of(session, [job], within=99)
    assert session.now == 99
    assert starts_of(session, [job], within=1).tolist() == [100]


def test_time_passes_to_the_last_start_and_no_further():
    """An hour would be the time of whoever goes on from there, and so would that of an arrival."""
    session = QueueSession(2, get("fcfs"))
    first, long = session.submit(runtime=100, procs=2), session.submit(runtime=5000, procs=2)
    last = session.submit(runtime=1, procs=1)
    session.submit(runtime=9, procs=1, at=5101)
    assert starts_of(session, [first, long]).tolist() == [0, 100]
    assert session.now == 100
    assert starts_of(session, [last]).tolist() == [5100]
    assert session.now == 5100
    assert starts_of(session, [first]).tolist() == [0]
    assert session.now == 5100


def test_what_is_foreseen_goes_by_estimates_and_knows_nobody_to_come():
    session = QueueSession(2, get("fcfs"), backfill=get("fcfs"))
    session.submit(runtime=10, procs=2, estimate=60)
    session.submit(runtime=10, procs=2, estimate=60, at=5)
    session.advance(1)
    assert foreseen(session, 1, 10) == 59  # no run times, no job to come
    assert (session.now, session.free) == (1, 0)
    foresight = Foresight(session, {1: 10})
    assert foresight.estimate(Geometry("cluster", 1)) == 59
    foresight.observe(Geometry("cluster", 1), 9)
    with pytest.raises(KeyError):
        foresight.estimate(Geometry("cluster", 2))

"""Background loads: jobs scaled to the machine, and the queue at given instants."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.waits.background import (
    BURN_IN,
    DAY,
    STAY,
    Background,
    UnknownError,
    check_known,
    last_known_time,
    scale_background,
    starts_of,
)
from schedlab.waits.learner import Geometry
from schedlab.waits.lookahead import Lookahead, predicted_wait


def jobs(*rows):
    """Submit, run time, estimate and processors of each."""
    return Jobs(np.arange(len(rows)), *map(list, zip(*rows, strict=True)))


LONG = jobs((0, 10, 20, 1), (20 * DAY, 100, 200, 2), (54 * DAY, 10, 20, 3))


def test_jobs_are_wider_and_arrive_faster():
    background = scale_background(LONG, 4, 10, 2.0)
    assert background.jobs.procs.tolist() == [2, 5, 8]  # 2.5 and 7.5 to even
    assert background.jobs.submit.tolist() == [0, 10 * DAY, 27 * DAY]
    assert background.jobs.runtime.tolist() == [10, 100, 10]
    assert scale_background(LONG, 4, 1, 1.0).jobs.procs.tolist() == [1, 1, 1]  # all fit


@pytest.mark.parametrize("load", [0, -1, float("inf"), float("nan")])
def test_invalid_load_is_rejected(load):
    with pytest.raises(ValueError, match=r"load is .*, must be above 0"):
        scale_background(LONG, 4, 4, load)
    with pytest.raises(ValueError, match="machines have 4 and 0 processors"):
        scale_background(LONG, 4, 0, 1.0)


@pytest.mark.parametrize(("last", "bad"), [(BURN_IN, True), (BURN_IN + 1, False)])
def test_a_background_must_outlast_the_filling_of_the_machine(last, bad):
    short = jobs((0, 10, 20, 1), (last, 10, 20, 1))
    if not bad:
        assert Background(short, 4).span == last
        return
    with pytest.raises(ValueError, match="must be more than 14"):
        Background(short, 4)


class Ends:
    """Draws that are all the least, or all the most, that a generator gives."""

    def __init__(self, value):
        self.value = value

    def random(self, count):
        return np.full(count, self.value)


LEAST, MOST = Ends(0.0), Ends(1 - 2**-53)


def test_there_is_an_instant_in_each_part_and_the_end_is_kept_free():
    background = Background(LONG, 4)
    part = (54 * DAY - STAY - 3600 - BURN_IN) / 13
    for stream in (LEAST, np.random.default_rng(1)):
        instants = background.instants(13, stream, 3600)
        assert ((instants - BURN_IN + 1) // part).tolist() == list(range(13))
    last = background.instants(13, MOST, 3600)[-1]
    assert last_known_time(last, 3600) in (54 * DAY - 1, 54 * DAY)


def test_instants_do_not_overlap():
    background = Background(LONG, 4)
    # from day 14 to day 26, and the last one's two days after that
    early, late = (background.instants(3, stream, 0, 2 * DAY) for stream in (LEAST, MOST))
    part = (12 + 2) * DAY / 3
    assert early.tolist() == [int(BURN_IN + part * place) for place in range(3)]
    assert np.diff(np.concatenate([late[:1], early[1:]]))[0] in (2 * DAY, 2 * DAY + 1)
    assert late[-1] in (26 * DAY - 1, 26 * DAY)


@pytest.mark.parametrize(("room", "fits"), [(6 * DAY, True), (6 * DAY + 1, False)])
def test_instants_with_room_must_fit(room, fits):
    background = Background(LONG, 4)
    # three times room are 12 days and one room: of 6 days each all of it is used
    if fits:
        assert background.instants(3, MOST, 0, room).tolist() == [14 * DAY, 20 * DAY, 26 * DAY]
        return
    with pytest.raises(ValueError, match=r"3 instants with 6\.0 days each do not fit"):
        background.instants(3, MOST, 0, room)


@pytest.mark.parametrize(("lasting", "fits"), [(12 * DAY - 1, True), (12 * DAY, False)])
def test_log_must_outlast_the_submissions(lasting, fits):
    background = Background(LONG, 4)
    if fits:
        assert background.instants(1, LEAST, lasting).tolist() == [BURN_IN]
        return
    with pytest.raises(ValueError, match=r"too short for submissions of 12\.0 days and 28 more"):
        background.instants(1, MOST, lasting)


@pytest.mark.parametrize(
    ("submit", "known"), [(14 * DAY + 60 + STAY, 1), (14 * DAY + 61 + STAY, 0)]
)
def test_copy_knows_arrivals_until_the_given_time(submit, known):
    background = Background(jobs((0, 1, 1, 1), (submit, 1, 1, 1)), 4)
    session = next(background.at(np.array([14 * DAY]), 60))
    assert len(session.handles("pending")) == known


@pytest.mark.parametrize(("time", "bad"), [(10, False), (11, True)])
def test_time_beyond_the_known_arrivals_is_an_error(time, bad):
    if not bad:
        check_known(time, 10)
        return
    with pytest.raises(UnknownError, match=r"at 11 s later arrivals are unknown.* until 10 s"):
        check_known(time, 10)


def test_copies_are_at_their_instants_and_independent():
    rows = [(0, 30 * DAY, 30 * DAY, 2), (15 * DAY, 9, 9, 2), (30 * DAY, 9, 9, 4)]
    background = Background(jobs(*rows), 4)
    first, second = background.at(np.array([14 * DAY, 15 * DAY]))
    assert (first.now, first.free, second.free) == (14 * DAY, 2, 0)
    own = first.submit(runtime=2 * DAY, procs=2)
    assert starts_of(first, [own], 15 * DAY).tolist() == [14 * DAY]
    later = second.submit(runtime=5, procs=2)
    assert starts_of(second, [later], 16 * DAY).tolist() == [15 * DAY + 9]


def test_a_job_that_does_not_start_in_time_is_an_error():
    session = QueueSession(2, get("fcfs"))
    session.submit(runtime=100, procs=2)
    job = session.submit(runtime=1, procs=1)
    with pytest.raises(UnknownError, match="at 100 s later arrivals"):
        starts_of(session, [job], until=99)
    assert starts_of(session, [job], until=100).tolist() == [100]


def test_job_that_never_starts_is_an_error():
    session = QueueSession(2, get("fcfs"))
    first = session.submit(runtime=10, procs=2, at=50)
    session.advance(0)
    with pytest.raises(UnknownError):
        starts_of(session, [first], until=49)


def test_time_passes_to_the_last_start_and_no_further():
    """A copy would go on from an hour, and so would an arrival."""
    session = QueueSession(2, get("fcfs"))
    first, long = session.submit(runtime=100, procs=2), session.submit(runtime=5000, procs=2)
    last = session.submit(runtime=1, procs=1)
    session.submit(runtime=9, procs=1, at=5101)
    assert starts_of(session, [first, long], until=DAY).tolist() == [0, 100]
    assert session.now == 100
    assert starts_of(session, [last], until=DAY).tolist() == [5100]
    assert session.now == 5100
    assert starts_of(session, [first], until=DAY).tolist() == [0]
    assert session.now == 5100


def test_predictions_use_estimates_and_know_no_later_jobs():
    session = QueueSession(2, get("fcfs"), backfill=get("fcfs"))
    session.submit(runtime=10, procs=2, estimate=60)
    session.submit(runtime=10, procs=2, estimate=60, at=5)
    session.advance(1)
    assert predicted_wait(session, 1, 10) == 59  # no run times, no job to come
    assert (session.now, session.free) == (1, 0)
    foresight = Lookahead(session, {1: 10})
    assert foresight.estimate(Geometry("cluster", 1)) == 59
    foresight.observe(Geometry("cluster", 1), 9)
    with pytest.raises(KeyError):
        foresight.estimate(Geometry("cluster", 2))

"""Predicted starts of waiting jobs: solved by hand, and compared with the twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import REGISTRY, ScoreError, get
from schedlab.policies.listed import policy_of_scores
from schedlab.policies.mixed import mixed_policy
from schedlab.queue.forecast import QueueState, Way, forecast, forecasts
from schedlab.queue.simulation import Run
from strategies import GENERAL, LINEAR, STATIC
from twins import sessions as twin
from twins.sessions import Script

RESERVATIONS = ("none", "head", "every")


def five(processors=4, after=()):
    """Job 0 has 2 of 4 processors until 30; five jobs wait, the last of which arrives at 12.

    They need 3, 1, 1, 4, 1 processors for 50, 20, 21, 10, 5 s.
    """
    running = Jobs([7], [0], [25], [25], [2])
    limits = [50, 20, 21, 10, 5]
    waiting = Jobs(range(5), [1, 2, 3, 4, 12], limits, limits, [3, 1, 1, 4, 1])
    pairs = np.array(after, dtype=np.int64).reshape(-1, 2)
    return QueueState(processors, 10, running, np.array([5]), waiting, pairs)


@pytest.mark.parametrize(
    ("policy", "reservations", "starts"),
    [
        # strict: the wide one at 30 blocks all; next to it is one processor for 20 and 21 s in turn
        ("fcfs", "none", [30, 30, 50, 80, 90]),
        # until 30 two are free: 20 s fit exactly, 21 s by the one that the head leaves over
        ("fcfs", "head", [30, 10, 10, 80, 31]),
        # all have a place: the last one has that next to the second and the wide one
        ("fcfs", "every", [30, 10, 10, 80, 31]),
        # the shortest first: 10 s on all four are the head until 30, and only 20 s end by then
        ("spt", "head", [40, 10, 40, 30, 12]),
    ],
)
def test_five_jobs_by_hand(policy, reservations, starts):
    assert forecast(five(), Way(get(policy), reservations)).tolist() == starts


def test_job_past_its_limit_is_predicted_to_end_in_a_second():
    running = Jobs([7], [0], [5], [5], [4])
    waiting = Jobs([1], [1], [50], [50], [4])
    standing = QueueState(4, 10, running, np.array([5]), waiting)
    assert forecast(standing, Way(get("fcfs"))).tolist() == [11]
    later = QueueState(4, 9, running, np.array([5]), waiting)
    assert forecast(later, Way(get("fcfs"))).tolist() == [10]


def test_dependent_job_is_predicted_after_its_dependencies():
    """The second after the one that runs, and the third after the second."""
    for reservations in RESERVATIONS:
        start = forecast(five(8, [(2, 0), (3, 2)]), Way(get("fcfs"), reservations))
        assert start[1:3].tolist() == [30, 50]


def test_listed_order_is_used():
    """By place, the job that runs counted first; no other job has a score above 0."""
    waiting = Jobs([1, 2], [1, 2], [10, 10], [10, 10], [4, 4])
    none = Jobs([], [], [], [], [])
    standing = QueueState(4, 5, none, np.array([], dtype=np.int64), waiting)
    for reservations in RESERVATIONS:
        way = Way(policy_of_scores("site", {0: -1, 1: -2}), reservations)
        assert forecast(standing, way).tolist() == [15, 5]


@settings(max_examples=50)
@given(st.integers(0, 2**16))
def test_a_mixed_policy_counts_waits_once(seed):
    """As its expression does, which is scored again at each event."""
    rng = np.random.default_rng(seed)
    limits = rng.integers(1, 40, 20)
    submit = np.sort(rng.integers(0, 100, 20))
    waiting = Jobs(range(20), submit, limits, limits, rng.integers(1, 5, 20))
    standing = QueueState(4, 100, Jobs([], [], [], [], []), np.array([], dtype=np.int64), waiting)
    policy = mixed_policy((0, 0.25, 0, 0, -0.75, 0))
    written = get(policy.expression)
    for reservations in RESERVATIONS:
        one, two = (forecast(standing, Way(each, reservations)) for each in (policy, written))
        assert one.tolist() == two.tolist()


def test_many_ways_over_threads_are_the_same():
    ways = [Way(policy, each) for policy in REGISTRY.values() for each in RESERVATIONS]
    one, two = (forecasts(five(), ways, threads) for threads in (1, 2))
    assert [start.tolist() for start in one] == [start.tolist() for start in two]


def test_mistakes_name_the_job():
    with pytest.raises(ValueError, match="job 1 needs 3 processors, the machine has 2"):
        forecast(five(2), Way(get("fcfs")))
    with pytest.raises(ValueError, match="job 2 cannot depend on job 3"):
        forecast(five(4, [(2, 3)]), Way(get("fcfs")))
    with pytest.raises(ScoreError, match="score of job 1 is"):
        forecast(five(), Way(get("log(0 - r) * n")))


@st.composite
def standings(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    now, processors = int(rng.integers(1, 60)), 8
    procs = rng.integers(1, 4, 5)
    procs = procs[np.cumsum(procs) <= processors]
    started = rng.integers(0, now + 1, len(procs))
    limits = rng.integers(1, 60, len(procs))
    running = Jobs(range(len(procs)), np.zeros(len(procs)), limits, limits, procs)
    count = int(rng.integers(1, 25))
    limits = rng.integers(1, 40, count)
    submit = np.sort(rng.integers(0, now + int(rng.integers(1, 20)), count))
    waiting = Jobs(range(count), submit, limits, limits, rng.integers(1, processors + 1, count))
    pairs = [
        (job, int(rng.integers(0, job)))
        for job in range(len(procs), len(procs) + count)
        if job and rng.random() < 0.2
    ]
    return QueueState(processors, now, running, started, waiting, np.array(pairs).reshape(-1, 2))


@pytest.mark.slow
@settings(max_examples=300)
@given(
    standings(),
    st.sampled_from(STATIC + LINEAR) | st.sampled_from(GENERAL),
    st.sampled_from(RESERVATIONS),
)
def test_every_way_equals_the_twin_job_by_job(standing, name, reservations):
    running, waiting, first = standing.running, standing.waiting, len(standing.running)
    length = np.maximum(running.estimate, standing.now + 1 - standing.started)
    columns = (
        range(first + len(waiting)),
        np.r_[running.submit, waiting.submit],
        *[np.r_[length, waiting.estimate]] * 2,
        np.r_[running.procs, waiting.procs],
    )
    after = {int(job): [int(other)] for job, other in standing.after}
    script = Script(after, {}, dict(enumerate(standing.started.tolist())), standing.now)
    run = Run(Jobs(*columns), standing.processors, get(name), reservations=reservations)
    expected = [start for start, _ in twin.simulate(run, script)][first:]
    assert forecast(standing, Way(get(name), reservations)).tolist() == expected

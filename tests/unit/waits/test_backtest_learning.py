"""Predictions for every job of a log at its submission."""

import numpy as np
import pytest

from schedlab.core.streams import generator
from schedlab.waits import backtest_learning as module
from schedlab.waits.backtest_learning import CHUNK, estimate_waits, geometry_of, predict_waits
from schedlab.waits.learner import Geometry, Learner
from schedlab.waits.predictors import ByGeometry, LastWait, QuantileBound, RunningMedian
from schedlab.waits.settings import Settings


def random_jobs(count, *key):
    """Submissions, waits and cores of jobs."""
    stream = generator("tests", "backtest", *key)
    submit = np.cumsum(stream.integers(0, 3, count) * 100)
    return submit, stream.integers(0, 6, count) * 150, 2 ** stream.integers(0, 2, count)


def one_by_one(estimator, submit, waits, cores):
    """Job by job: at each submission, the jobs started by then are observed first."""
    found, seen = [], set()
    starts = submit + waits
    estimates = {}
    for place, now in enumerate(submit.tolist()):
        ready = [one for one in range(place) if starts[one] < now and one not in seen]
        for one in sorted(ready, key=lambda one: (starts[one], one)):
            width = Geometry("site", int(cores[one]))
            estimator.observe(width, int(waits[one]), estimates[one])
            seen.add(one)
        estimates[place] = estimator.estimate(Geometry("site", int(cores[place])))
        found.append(estimates[place])
    return found


def test_geometries_are_powers_of_two():
    assert geometry_of(np.array([1, 2, 3, 4, 5, 1024, 1025])).tolist() == [
        1, 2, 4, 4, 8, 1024, 2048,
    ]  # fmt: skip


def test_a_wait_is_known_after_the_second_of_its_start():
    """The first job starts at 5: known to who comes at 6, and not to who comes at 5."""
    submit, waits, cores = np.array([0, 5, 6]), np.array([5, 7, 0]), np.ones(3, dtype=np.int64)
    assert predict_waits(LastWait, submit, waits, cores).tolist() == [0, 0, 5]


@pytest.mark.parametrize("make", [LastWait, RunningMedian, QuantileBound])
def test_backtest_equals_predicting_job_by_job(make):
    case = random_jobs(200, "predictors")
    assert predict_waits(make, *case).tolist() == one_by_one(ByGeometry(make), *case)


@pytest.mark.parametrize("policy", ["tuned", "default", "greedy"])
@pytest.mark.parametrize("power", [0.5, 0.0])
def test_algorithm_1_backtest_equals_its_learner_job_by_job(policy, power):
    """Each wait is told with the job's own estimate, though others were made since."""
    settings = Settings((10, 150, 300, 450, 800), policy, repetitions=7, power=power)
    case = random_jobs(200, "learner")
    expected = one_by_one(Learner(settings, ("tests", 1)), *case)
    assert estimate_waits(settings, ("tests", 1), "site", *case).tolist() == expected


def test_random_numbers_are_the_same_in_any_chunks(monkeypatch):
    case = random_jobs(200, "chunks")
    assert 2 * len(case[0]) < CHUNK
    whole = estimate_waits(Settings(), ("tests",), "site", *case)
    monkeypatch.setattr(module, "CHUNK", 7)
    assert estimate_waits(Settings(), ("tests",), "site", *case).tolist() == whole.tolist()


@pytest.mark.parametrize(
    ("waits", "expected"), [((1, 2), 2), ((1, 1), 1), ((0, 1), 1), ((2, 3), 3)]
)
def test_predictions_of_half_a_second_are_rounded_up(waits, expected):
    """The median of two waits, for who comes when both are known."""
    submit, known = np.array([0, 10, 50]), np.array([*waits, 0])
    assert predict_waits(RunningMedian, submit, known, np.ones(3, dtype=np.int64))[2] == expected

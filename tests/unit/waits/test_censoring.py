"""Waits of jobs that are still waiting, in the median and in the bound."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.streams import generator
from schedlab.waits.backtest_learning import predict_with_waiting
from schedlab.waits.censoring import CensoredBound, CensoredMedian, SortedWaits, censored_quantile
from schedlab.waits.predictors import QuantileBound

TIMES = st.lists(st.integers(0, 12), max_size=12)


def product_limit(known, waiting, level):
    """Kaplan and Meier as it is written down: one factor for each time at which jobs start."""
    still = 1.0
    for time in sorted(set(known)):
        at_risk = sum(wait >= time for wait in known) + sum(age >= time for age in waiting)
        still *= 1 - known.count(time) / at_risk
        if still <= 1 - level + 1e-9:
            return time
    return max([*known, *waiting], default=0)


@pytest.mark.parametrize(
    ("level", "expected"), [(0.2, 10), (0.21, 20), (0.4, 20), (0.7, 40), (0.71, 50), (1.0, 50)]
)
def test_quantiles_by_hand(level, expected):
    """Of five jobs one has waited 30 s so far. Its fifth goes to 40 and 50 in equal parts.

    So 10 and 20 s have a share of 0.2 each, 40 and 50 s of 0.3 each: up to 20 s 0.4, to 40 s 0.7.
    """
    known = np.array([10.0, 20.0, 40.0, 50.0])
    assert censored_quantile(known, [30], level) == expected


def test_quantile_beyond_the_known_waits_is_the_longest_time():
    assert censored_quantile(np.array([5.0]), [100, 90], 0.5) == 100
    assert censored_quantile(np.array([]), [7], 0.5) == 7
    assert censored_quantile(np.array([]), [], 0.5) == 0


@given(TIMES, TIMES, st.floats(0.01, 1.0))
def test_quantiles_are_those_of_the_product_limit(known, waiting, level):
    expected = product_limit(known, waiting, level)
    assert censored_quantile(np.sort(np.array(known, dtype=float)), waiting, level) == expected


@given(st.lists(st.integers(0, 5), min_size=1, max_size=200))
def test_sorted_waits_are_sorted(waits):
    known = SortedWaits()
    for wait in waits:
        known.add(wait)
    assert known.values.tolist() == sorted(waits)
    for place, wait in enumerate(waits[:-1]):
        known.remove(wait)
        assert known.values.tolist() == sorted(waits[place + 1 :])


def test_the_median_is_that_of_all_jobs_that_were_submitted():
    """Three short waits are known and four jobs have waited long: the median is not short."""
    predictor = CensoredMedian()
    for wait in (1, 2, 3):
        predictor.observe(wait)
    assert predictor.predict() == 2
    assert predictor.predict([50, 60, 70, 80]) == 80
    assert predictor.predict([50, 60]) == 3


def test_bound_without_waiting_jobs_is_that_of_started_jobs():
    one, other = CensoredBound(0.5, 0.8), QuantileBound(0.5, 0.8)
    for wait in (4, 8, 2, 9, 6, 30, 31, 32, 33, 34, 35, 36, 37):
        assert one.predict() == other.predict()
        one.observe(wait)
        other.observe(wait)


def random_jobs(count):
    """Submissions, waits and cores of jobs; some wait long."""
    stream = generator("tests", "censoring")
    waits = stream.integers(0, 6, count) * 150 * (1 + 9 * (stream.random(count) < 0.2))
    return np.cumsum(stream.integers(0, 3, count) * 100), waits, 2 ** stream.integers(0, 2, count)


def one_by_one(make, submit, waits, cores):
    """Job by job, from lists: started jobs are observed, and the others are waiting."""
    found, makers, seen = [], {}, set()
    for place, (now, width) in enumerate(zip(submit.tolist(), cores.tolist(), strict=True)):
        predictor = makers.setdefault(width, make())
        before = [one for one in range(place) if cores[one] == width]
        ready = [one for one in before if submit[one] + waits[one] < now and one not in seen]
        for one in sorted(ready, key=lambda one: (submit[one] + waits[one], one)):
            predictor.observe(int(waits[one]))
            seen.add(one)
        ages = [now - int(submit[one]) for one in before if one not in seen]
        found.append(int(predictor.predict(ages) + 0.5))
    return found


@pytest.mark.parametrize("make", [CensoredMedian, CensoredBound, lambda: CensoredBound(0.6, 0.6)])
def test_kernel_equals_the_predictors_job_by_job(make):
    case = random_jobs(400)
    assert predict_with_waiting(make, *case).tolist() == one_by_one(make, *case)

"""Predictors of a wait from earlier waits."""

from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from schedlab.core.streams import generator
from schedlab.waits.learner import Geometry
from schedlab.waits.predictors import (
    ByGeometry,
    LastWait,
    QuantileBound,
    RunningMedian,
    order_statistic,
)


def predictions(predictor, waits):
    """What is predicted before each wait and after the last."""
    found = [predictor.predict()]
    for wait in waits:
        predictor.observe(wait)
        found.append(predictor.predict())
    return found


def test_the_last_wait_and_the_running_median():
    assert QuantileBound().predict() == 0
    assert predictions(LastWait(), [5, 900, 0]) == [0, 5, 900, 0]
    assert predictions(RunningMedian(), [5, 900, 20, 30, 1]) == [0, 5, 452.5, 20, 25, 20]
    assert predictions(RunningMedian(3), [5, 900, 20, 30, 1]) == [0, 5, 452.5, 20, 30, 20]
    assert predictions(RunningMedian(1), [5, 900]) == [0, 5, 900]
    with pytest.raises(ValueError, match="window is 0"):
        RunningMedian(0)


def test_order_statistics_by_hand():
    """Of three, none is above the median with chance 1/8: the largest bounds it with 7/8."""
    assert order_statistic(3, 0.5, 0.875) == 3
    assert order_statistic(3, 0.5, 0.876) is None
    assert order_statistic(3, 0.5, 0.5) == 2
    assert order_statistic(3, 0.5, 0.125) == 1
    assert order_statistic(3, 0.5, 0.126) == 2
    # 1 - 0.95**58 is 0.9490, 1 - 0.95**59 is 0.9515
    assert QuantileBound().least == 59
    assert QuantileBound(0.5, 0.5).least == 1
    # the run of waits that signals a change
    telling = [QuantileBound(quantile).telling for quantile in (0.95, 0.94, 0.5, 0.99)]
    assert telling == [3, 4, 13, 2]


@given(st.integers(1, 200), st.floats(0.05, 0.99), st.floats(0.05, 0.99))
def test_the_smallest_that_bounds_with_confidence(count, quantile, confidence):
    place = order_statistic(count, quantile, confidence)
    chances = binom.cdf(range(count), count, quantile)
    if place is None:
        assert chances[-1] < confidence + 1e-9
    else:
        assert chances[place - 1] > confidence - 1e-9
        assert place == 1 or chances[place - 2] < confidence + 1e-9


def test_the_bound_is_the_largest_until_there_are_enough():
    """Of a quantile of 1/2 with 7/8: the largest of three, the fourth of five (26 of 32)."""
    found = predictions(QuantileBound(0.5, 0.8), [4, 8, 2, 9, 6])
    assert found == [0, 4, 8, 8, 9, 8]


def test_three_waits_in_a_row_above_their_bounds_are_a_change():
    predictor = QuantileBound()
    found = predictions(predictor, [10] * 200 + [500, 501])
    assert found[-1] == 10
    predictor.observe(502)
    assert predictor.predict() == 502
    assert len(predictor._waits) == len(predictor._sorted) == 59
    assert sorted(predictor._waits) == predictor._sorted == [10] * 56 + [500, 501, 502]


@pytest.mark.parametrize("later", [[], [500, 501, 10, 502, 10, 500, 501, 10]])
def test_separate_waits_above_their_bounds_are_not_a_change(later):
    """Nor are waits that are their bound."""
    predictor = QuantileBound()
    for wait in [10] * 200 + later:
        predictor.observe(wait)
    assert len(predictor._waits) == 200 + len(later)


def test_history_is_shortened_after_a_change():
    """Waits rise without end: the bound follows every third, and is never short of waits."""
    predictor = QuantileBound()
    sizes = []
    for wait in range(70):
        predictor.observe(wait)
        sizes.append(len(predictor._waits))
    assert sizes[58:] == [59, 60, 61, 59, 60, 61, 59, 60, 61, 59, 60, 61]


def test_bound_covers_waits_of_one_distribution_at_its_level():
    waits = generator("tests", "bound").exponential(600, 4000)
    predictor, above = QuantileBound(), 0
    for place, wait in enumerate(waits):
        above += place >= 1000 and wait > predictor.predict()
        predictor.observe(wait)
    assert 0 < above / 3000 < 0.05


@pytest.mark.parametrize("value", [0, 1, -1, float("nan")])
def test_no_quantile_and_no_confidence_are_refused(value):
    with pytest.raises(ValueError, match="quantile is"):
        QuantileBound(value)
    with pytest.raises(ValueError, match="confidence is"):
        QuantileBound(0.5, value)


def test_geometries_have_a_predictor_each_and_whole_seconds():
    estimator = ByGeometry(RunningMedian)
    one, other = Geometry("cluster", 28), Geometry("cluster", 1)
    for wait in (10, 11):
        estimator.observe(one, wait, estimate=3)
    estimator.observe(other, 7)
    assert estimator.estimate(one) == 11
    assert estimator.estimate(other) == 7
    estimator.observe(one, 0)
    assert estimator.estimate(one) == 10

    class Between(LastWait):
        def predict(self):
            return 3.46

    assert ByGeometry(Between).estimate(one) == 3
    with pytest.raises(ValueError, match="cluster/1: a wait of -1 s"):
        estimator.observe(other, -1)
    with pytest.raises(ValueError, match="cluster/1: a wait of inf s"):
        estimator.observe(other, float("inf"))


@given(st.lists(st.integers(0, 30), max_size=40), st.none() | st.integers(1, 9))
def test_the_running_median_is_that_of_the_last(waits, window):
    found = predictions(RunningMedian(window), waits)
    for count in range(1, len(waits) + 1):
        last = waits[max(count - window, 0) : count] if window else waits[:count]
        assert found[count] == median(last)

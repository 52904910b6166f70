"""Quantile regression of waits: features, fits, correction and unknown waits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.waits import regression as module
from schedlab.waits.features import NAMES, design, states
from schedlab.waits.regression import (
    DAY,
    Correction,
    QuantileRegression,
    fit,
    predict_by_regression,
)


def random_log(count=60, every=100):
    """Jobs of a log on 8 processors, and their waits."""
    stream = generator("tests", "regression", count)
    submit = np.cumsum(stream.integers(0, 3, count) * every)
    runtime, procs = stream.integers(0, 500, count), stream.integers(1, 4, count)
    jobs = Jobs(np.arange(count), submit, runtime, 2 * runtime + 1, procs)
    return jobs, stream.integers(0, 6, count) * 150


def states_one_by_one(jobs, waits, place, processors):
    """Look at every job in turn, whether it waits or runs when this one is submitted."""
    now, count, procs, work, age, free, left = int(jobs.submit[place]), 0, 0, 0, 0, processors, 0
    for one in range(place):
        start = int(jobs.submit[one] + waits[one])
        width, asked = int(jobs.procs[one]), int(jobs.estimate[one])
        if start >= now:
            count, procs, work = count + 1, procs + width, work + width * asked
            age += now - int(jobs.submit[one])
        elif start + int(jobs.runtime[one]) >= now:
            free, left = free - width, left + width * (start + asked - now)
    return [count, procs, work, age / max(count, 1), max(free, 0), max(left, 0)]


def test_states_are_those_of_the_jobs_one_by_one():
    jobs, waits = random_log()
    state = states(jobs, waits, 8)
    columns = np.column_stack([
        state.waiting, state.waiting_procs, state.waiting_work, state.age, state.free,
        state.work_left,
    ])  # fmt: skip
    expected = [states_one_by_one(jobs, waits, place, 8) for place in range(len(jobs))]
    assert columns == pytest.approx(np.array(expected, dtype=float))
    features = design(state, jobs.procs, jobs.estimate, waits, 8)
    assert features.shape == (60, len(NAMES))
    assert np.isfinite(features).all()


def test_the_fit_of_a_constant_is_the_quantile():
    ones, values = np.ones((5, 1)), np.array([1.0, 2.0, 3.0, 4.0, 50.0])
    none = np.zeros(5, dtype=bool)
    assert fit(ones, values, 0.5, none) == pytest.approx([3])
    assert fit(ones, values, 0.7, none) == pytest.approx([4])


def test_the_fit_of_a_line_by_hand():
    """Four of five values lie on 1 + 2 x; the median line goes through them."""
    x = np.arange(5.0)
    values = 1 + 2 * x + np.array([0, 0, 90, 0, 0])
    features = np.column_stack([np.ones(5), x])
    assert fit(features, values, 0.5, np.zeros(5, dtype=bool)) == pytest.approx([1, 2])


def pinball(features, values, quantile, line):
    """What the fit is to make least."""
    residuals = values - features @ line
    return np.maximum(quantile * residuals, (quantile - 1) * residuals).sum()


@pytest.mark.parametrize("quantile", [0.2, 0.5, 0.95])
def test_no_line_through_two_points_is_better(quantile):
    """The best line goes through as many points as it has coefficients: all pairs are tried."""
    stream = generator("tests", "fit")
    features = np.column_stack([np.ones(12), stream.random(12)])
    values = stream.exponential(size=12)
    found = fit(features, values, quantile, np.zeros(12, dtype=bool))
    pairs = [[a, b] for a in range(12) for b in range(a)]
    least = min(
        pinball(features, values, quantile, np.linalg.solve(features[pair], values[pair]))
        for pair in pairs
    )
    assert pinball(features, values, quantile, found) == pytest.approx(least)


def test_censored_values_by_hand():
    """Of 10, 20, 40, 50 and at least 30: the Kaplan-Meier shares are 0.2, 0.4, 0.7 and 1."""
    values = np.array([10.0, 20.0, 30.0, 40.0, 50.0])
    censored = np.array([False, False, True, False, False])
    found = [fit(np.ones((5, 1)), values, share, censored)[0] for share in (0.3, 0.5, 0.8)]
    assert found == pytest.approx([20, 40, 50])
    # as if it had started, it is the median
    assert fit(np.ones((5, 1)), values, 0.5, censored & False) == pytest.approx([30])


def test_quantile_beyond_uncensored_values_is_the_longest_value():
    censored = np.array([False, True, True, True])
    assert fit(np.ones((4, 1)), np.arange(4.0), 0.5, censored) == pytest.approx([3])


def test_a_programme_without_a_solution_keeps_the_former_fit(monkeypatch):
    model = QuantileRegression(0.5)
    for values, expected in ((np.full(200, 7), 7), (np.full(199, 9), 7)):
        model.refit(np.ones((len(values), 1)), values, values < 0)
        assert model.coefficients == pytest.approx([expected])
    monkeypatch.setattr(module, "fit", lambda *_: None)
    model.refit(np.ones((200, 1)), np.full(200, 9), np.zeros(200, dtype=bool))
    assert model.coefficients == pytest.approx([7])


def test_the_correction_by_hand():
    correction = Correction(0.75, step=0.1)
    assert correction.value == 0
    for residual in (4, 1, 3, 2):
        correction.observe(residual)
    assert correction.value == 3
    correction.score(within=False)  # 0.825 of four: the fourth
    assert (correction.level, correction.value) == (pytest.approx(0.825), 4)
    for _ in range(3):
        correction.score(within=True)
    assert (correction.level, correction.value) == (pytest.approx(0.75), 3)
    for _ in range(40):
        correction.score(within=True)
    assert correction.value == 1


def test_predictions_are_between_zero_and_the_longest_wait():
    model = QuantileRegression(0.5)
    model.coefficients = np.array([1.0])
    model.observe(0.0, 100.0)
    assert model.predict(np.array([50.0])) == 100
    assert model.predict(np.array([-500.0])) == 0


@pytest.mark.parametrize("quantile", [0.5, 0.95])
def test_coverage_recovers_after_a_change(quantile):
    """Waits are four times as long from the middle on: the share within predictions stays."""
    count = 4000
    stream = generator("tests", "coverage")
    submit = np.arange(count) * 1800
    waits = (stream.exponential(600, count) * np.where(np.arange(count) < 2000, 1, 4)).astype(int)
    found = predict_by_regression(quantile, submit, waits, np.ones((count, 1)))
    assert (waits <= found)[2000:].mean() == pytest.approx(quantile, abs=0.03)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 399), st.integers(0, 10**6))
def test_predictions_do_not_use_unknown_waits(place, other):
    """Waits, run times and jobs of the future change no prediction."""
    jobs, waits = random_log(400, every=DAY // 40)
    hidden = jobs.submit + waits >= jobs.submit[place]
    still = hidden | (jobs.submit + waits + jobs.runtime >= jobs.submit[place])
    changed = np.where(hidden, np.maximum(jobs.submit[place] - jobs.submit, 0) + other, waits)
    runtime = np.where(still, np.maximum(jobs.submit[place] - jobs.submit - changed, 0) + other,
                       jobs.runtime)  # fmt: skip
    later = Jobs(jobs.number, jobs.submit, runtime, jobs.estimate, jobs.procs)
    found = []
    for log, times in ((jobs, waits), (later, changed)):
        last = np.zeros(len(log))
        features = design(states(log, times, 8), log.procs, log.estimate, last, 8)
        cut = slice(0, place + 1)
        found.append(predict_by_regression(0.5, log.submit[cut], times[cut], features[cut])[place])
        assert predict_by_regression(0.5, log.submit, times, features)[place] == found[-1]
    assert found[0] == found[1]

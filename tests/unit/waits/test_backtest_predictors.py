"""Predictions of a log's waits and their scores; more of both in souza2020's test_waits."""

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.waits.backtest_learning import predict_waits
from schedlab.waits.backtest_predictors import (
    ASA,
    EASY,
    EXPERIENCED,
    FALLING,
    LEARNING,
    RECORDED,
    WEEK,
    backtest,
    learners_of,
    scores,
)
from schedlab.waits.settings import Settings

HOUR = 3600


def predicted_waits(recorded=None, key=("a",), count=300):
    """One job on all of four processors every three hours, which runs for two."""
    submit = np.arange(count) * 3 * HOUR
    full, asked = np.full(count, 2 * HOUR), np.full(count, 4 * HOUR)
    jobs = Jobs(np.arange(count), submit, full, asked, np.full(count, 4))
    return backtest(jobs, recorded, 4, Settings(), 5, key, "site")


def test_without_a_record_waits_are_those_under_easy():
    assert predicted_waits()["waits"].unique().tolist() == [EASY]
    assert predicted_waits(np.full(300, -1))["waits"].unique().tolist() == [EASY]


def test_recorded_waits_are_first_and_only_scored_weeks_are_listed():
    found = predicted_waits(np.full(300, 600))
    assert found["waits"].unique().tolist() == [RECORDED, EASY]
    assert len(found) == 2 * (300 - LEARNING * WEEK // (3 * HOUR))
    assert found.groupby("waits")["queue simulation"].count().tolist() == [5, 5]


def test_key_changes_only_the_drawn_predictions():
    recorded = np.arange(300) % 7 * 600
    one, same, other = (
        predicted_waits(recorded),
        predicted_waits(recorded),
        predicted_waits(recorded, ("b",)),
    )
    assert one.equals(same)
    drawn = [ASA, FALLING]
    assert one.drop(columns=drawn).equals(other.drop(columns=drawn))
    assert not one[ASA].equals(other[ASA])


def test_a_log_of_four_weeks_has_no_scores():
    found = predicted_waits(count=LEARNING * WEEK // (3 * HOUR))
    assert found.empty
    assert scores(found, ("a",)) == []


def test_waits_under_easy_are_from_the_submission_on():
    """Jobs of four hours every three: each waits an hour longer than the one before."""
    submit = np.arange(300) * 3 * HOUR
    long = np.full(300, 4 * HOUR)
    jobs = Jobs(np.arange(300), submit, long, long, np.full(300, 4))
    found = backtest(jobs, None, 4, Settings(), 5, ("a",), "site")
    assert found["wait"].tolist() == [place * HOUR for place in range(224, 300)]
    for name, make in EXPERIENCED.items():
        waits = np.arange(300) * HOUR
        expected = predict_waits(make, submit, waits, np.full(300, 4))[224:]
        assert found[name].tolist() == expected.tolist()
        assert found[name].any()


def test_queue_simulation_is_sampled_over_the_scored_jobs():
    asked = predicted_waits()["queue simulation"].notna()
    assert np.flatnonzero(asked).tolist() == [0, 18, 37, 56, 75]


def test_falling_rates_fall_by_the_root_of_rounds():
    own = Settings(rate=0.3, power=0.5)
    found = learners_of(own)
    assert found[ASA] == own
    assert (found[FALLING].rate, found[FALLING].power) == (1.0, 0.5)

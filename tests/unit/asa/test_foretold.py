"""Predictions of a log's waits and their scores; more of both in souza2020's test_waits."""

import numpy as np

from schedlab.asa.foretold import ASA, EASY, LEARNING, RECORDED, STEADY, WEEK, foretell, scores
from schedlab.asa.settings import Settings
from schedlab.jobs import Jobs

HOUR = 3600


def told(recorded=None, key=("a",), count=300):
    """One job on all of four processors every three hours, which runs for two."""
    submit = np.arange(count) * 3 * HOUR
    full, asked = np.full(count, 2 * HOUR), np.full(count, 4 * HOUR)
    jobs = Jobs(np.arange(count), submit, full, asked, np.full(count, 4))
    return foretell(jobs, recorded, 4, Settings(), 5, key, "site")


def test_without_a_record_waits_are_those_under_easy():
    assert told()["waits"].unique().tolist() == [EASY]
    assert told(np.full(300, -1))["waits"].unique().tolist() == [EASY]


def test_recorded_waits_come_first_and_only_scored_weeks_are_told():
    found = told(np.full(300, 600))
    assert found["waits"].unique().tolist() == [RECORDED, EASY]
    assert len(found) == 2 * (300 - LEARNING * WEEK // (3 * HOUR))
    assert found.groupby("waits")["queue simulation"].count().tolist() == [5, 5]


def test_the_key_decides_what_is_drawn_and_nothing_else():
    recorded = np.arange(300) % 7 * 600
    one, same, other = told(recorded), told(recorded), told(recorded, ("b",))
    assert one.equals(same)
    drawn = [ASA, STEADY]
    assert one.drop(columns=drawn).equals(other.drop(columns=drawn))
    assert not one[ASA].equals(other[ASA])


def test_a_log_of_four_weeks_has_no_scores():
    found = told(count=LEARNING * WEEK // (3 * HOUR))
    assert found.empty
    assert scores(found, ("a",)) == []

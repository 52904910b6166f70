"""Predicted starts of a queue: draws, submissions, and what a real Slurm predicted and did."""

import numpy as np
import pandas as pd
import pytest

from asked_case import ERRORS, EVEN, LIMITS, PAST, SBATCH, SQUEUE, errors_of, predictions
from schedlab.core.jobs import Jobs
from schedlab.core.requests import Requests
from schedlab.workbench.site_forecast import (
    DAY,
    WEEK,
    forecast,
    futures,
    interval_of,
    past_of_jobs,
)
from site_queue_case import queue_of


def past_of(submits, shares, user="ada", start=-1):
    frame = pd.DataFrame(
        {"partition": "main", "account": "physics", "user": user}, range(len(submits))
    )
    runtime = (np.array(shares) * 600).astype(int)
    numbers, limits = np.arange(len(submits)), np.full(len(submits), 600)
    ones = np.ones(len(submits), dtype=int)
    jobs = Jobs(numbers, submits, runtime, limits, ones, Requests.from_frame(frame))
    return past_of_jobs(jobs, start)


def test_jobs_start_at_the_latest_by_the_limits_of_those_that_run(tmp_path):
    queue = queue_of(tmp_path)
    latest = forecast(queue, []).latest - queue.now
    # job 1 ends 21 minutes and 40 s from now, job 2 after 40; passes are each half minute
    three, four = latest[queue.place("3")], latest[queue.place("4")]
    assert 1300 < three <= 1300 + 61
    assert 2400 < four <= 2400 + 61
    assert latest[queue.place("1")] == -1 - queue.now


def test_shares_are_those_of_the_user_and_longer_than_the_present_time():
    past = past_of(np.arange(20) * 60, np.arange(1, 21) / 20)
    assert past.share("ada", 0.5, 0.0) == pytest.approx(0.55)
    assert past.share("ada", 0.5, 0.99) == 1.0
    # of another user nothing is known: all jobs count
    assert past.share("eve", 0.0, 0.0) == pytest.approx(0.05)
    assert past.share("ada", 1.0, 0.5) == 1.0


@pytest.mark.parametrize(("weeks", "seconds"), [(4, 5), (1, None)])
def test_submissions_are_of_the_same_hour_of_the_week(weeks, seconds):
    """A job comes on the hour, at another second in each week."""
    hours = np.arange(weeks * 168 + 1) * 3600
    past = past_of(hours, np.full(len(hours), 0.5), start=0)
    jobs = past.submissions(10 * WEEK + 3600 - 5, DAY, 0.6)
    assert len(jobs) == 24
    if seconds:
        assert (jobs.submit % 3600 == seconds).all()


def test_futures_are_the_same_for_a_seed_and_need_a_week_of_the_past(tmp_path):
    queue = queue_of(tmp_path)
    one, again, other = (futures(queue, None, 3, seed, 1) for seed in (1, 1, 2))
    assert [way.runtime.tolist() for way in one] == [way.runtime.tolist() for way in again]
    assert [way.runtime.tolist() for way in one] != [way.runtime.tolist() for way in other]
    assert all(way.later is None for way in one)
    runs = queue.runs
    assert all((way.runtime[runs] > queue.elapsed[runs]).all() for way in one)
    assert all((way.runtime <= queue.jobs.estimate).all() for way in one)
    day, week = (past_of([0, span - 1], [0.5, 0.5]) for span in (DAY, WEEK))
    assert futures(queue, day, 1, 0, 1)[0].later is None
    assert len(futures(queue, week, 1, 0, 7)[0].later) == 2


def test_jobs_that_come_delay_those_that_wait(tmp_path):
    """Each minute a job of the highest QOS takes a node for ten minutes."""
    queue = queue_of(tmp_path)
    minutes = np.arange(0, WEEK + 60, 60)
    past = past_of(minutes, np.ones(len(minutes)))
    frame = past.jobs.requests.to_frame().assign(qos="high", nice=-9999, account="physics")
    past = past_of_jobs(
        Jobs(*(getattr(past.jobs, name) for name in ("number", "submit", "runtime", "estimate")),
             past.jobs.procs * 8, Requests.from_frame(frame))
    )  # fmt: skip
    ways = futures(queue, past, 2, 0, 1)
    alone = [type(way)(way.runtime, None) for way in ways]
    three = queue.place("3")
    busy, quiet = (forecast(queue, each, days=1).starts[:, three] for each in (ways, alone))
    assert ((busy > quiet) | (busy < 0)).all()


def test_interval_is_of_whole_simulations():
    assert interval_of(np.array([*range(10), np.inf])) == (1, 5, 9)


def test_starts_are_nearer_to_what_happened_than_those_of_a_real_slurm(tmp_path):
    """The documentation shows the table, which `errors_of` makes; each simulation is seeded."""
    table = errors_of(predictions(tmp_path))
    known = pd.read_csv(ERRORS)
    assert table.to_csv(index=False) == known.to_csv(index=False)
    for question, count in ((SQUEUE, 600), (SBATCH, 100)):
        part = table[table["where"] == question].set_index("by")
        assert (part["predictions"] > count).all()
        error = part["median_error"]
        assert error[[LIMITS, EVEN, PAST]].max() < error[question]
        assert error[[EVEN, PAST]].max() < error[question] / 2

"""Predicted starts of a queue: draws, submissions, and what a real Slurm predicted and did."""

import numpy as np
import pandas as pd
import pytest

from asked_case import ERRORS, EVEN, LIMITS, PAST, SBATCH, SQUEUE, errors_of, predictions
from schedlab.core.jobs import Jobs
from schedlab.core.requests import Requests
from schedlab.workbench.site_forecast import (
    ALIKE,
    DAY,
    WEEK,
    forecast,
    futures,
    interval_of,
    past_of_jobs,
)
from schedlab.workbench.site_whatif import with_nodes
from schedlab.workbench.why import WITHIN
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


def test_next_passes_are_drawn_within_their_periods(tmp_path):
    queue = queue_of(tmp_path)
    ways = futures(queue, None, 200, 0, 1)
    parts = np.array([way.parts for way in ways])
    assert ((parts >= 0) & (parts < 1)).all()
    # even draws, and those of one scheduler do not depend on those of the other
    assert np.abs(parts.mean(axis=0) - 0.5).max() < 0.07
    assert abs(np.corrcoef(parts.T)[0, 1]) < 0.2
    # two more nodes are free at the next pass, which is drawn
    queue = queue.changed(site=with_nodes(queue.site, "2:c1"))
    starts = forecast(queue, ways[:8], 1).starts[:, queue.place("3")] - queue.now
    periods = queue.site.scheduling.bf_interval, queue.site.scheduling.sched_interval
    passes = [
        min(int(p * part) for p, part in zip(periods, way.parts, strict=True)) for way in ways[:8]
    ]
    assert starts.tolist() == passes


def test_job_often_runs_as_its_users_job_before(tmp_path):
    """Jobs 1 and 3 are of ada, the others of bob; draws are even up to the limit."""
    queue = queue_of(tmp_path)
    least = queue.elapsed / queue.jobs.estimate
    share = np.array([way.runtime for way in futures(queue, None, 300, 0, 1)]) / queue.jobs.estimate
    draw = (share - least) / (1 - least)
    first, second, third, fourth, fifth = (queue.place(name) for name in "12345")
    same = lambda one, other: (np.abs(draw[:, one] - draw[:, other]) < 0.005).mean()  # noqa: E731
    assert abs(same(first, third) - ALIKE) < 0.09
    assert abs(same(second, fourth) - ALIKE) < 0.09
    # through the job between
    assert abs(same(second, fifth) - ALIKE**2) < 0.09
    assert same(first, second) < 0.04


def test_starts_are_nearer_to_what_happened_than_those_of_a_real_slurm(tmp_path):
    """The documentation shows the table, which `errors_of` makes; each simulation is seeded."""
    table = errors_of(predictions(tmp_path))
    known = pd.read_csv(ERRORS)
    assert table.to_csv(index=False) == known.to_csv(index=False)
    held = table[table["where"] == SQUEUE].set_index("by")["held"]
    assert f"{held[PAST]:.0f} to {held[EVEN]:.0f} % of the starts" in WITHIN
    for question, count in ((SQUEUE, 600), (SBATCH, 100)):
        part = table[table["where"] == question].set_index("by")
        assert (part["predictions"] > count).all()
        error = part["median_error"]
        assert error[[LIMITS, EVEN, PAST]].max() < error[question]
        assert error[[EVEN, PAST]].max() < error[question] / 2

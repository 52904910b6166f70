"""Metrics of co-schedules, by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.cosched import metrics
from schedlab.cosched.machine import shared_nodes
from schedlab.cosched.pricing import charges
from schedlab.cosched.schedulers import SCHEDULERS
from schedlab.cosched.simulation import CoJobs, CoSchedule, simulate
from schedlab.cosched.timelines import speedups

CLUSTER = shared_nodes(4, sockets=2, cores=10)
# Two jobs of 20 and 40 processes: one after the other, the second slowed from 100 s to 125 s.
JOBS = CoJobs([0, 1], [0.0, 10.0], [0, 0], [20, 40], [50.0, 100.0], [70.0, 140.0])
SCHEDULE = CoSchedule(
    np.array([0.0, 60.0]),
    np.array([40.0, 185.0]),
    np.array([2, 4]),
    np.array([False, False]),
    np.array([20, 40]),
)


def test_metrics_follow_the_definitions_of_the_thesis():
    found = metrics.compute_co_metrics(JOBS, SCHEDULE, CLUSTER)
    assert found["makespan"] == 185
    assert found["slowdown"] == pytest.approx((40 / 40 + 175 / 125) / 2)
    assert found["slowdown_sd"] == pytest.approx(0.2)  # of 1 and 1.4
    assert found["slowdown_pp"] == pytest.approx((1 / 20 + 1.4 / 40) / 2)
    assert found["slowed"] == 50
    assert found["utilisation"] == pytest.approx((20 * 40 + 40 * 125) / (80 * 185))
    assert found["job_speedup"] == pytest.approx((50 / 40 + 100 / 125) / 2)
    assert found["weighted_speedup"] == pytest.approx((20 * 50 + 40 * 100) / (20 * 40 + 40 * 125))
    assert found["charged"] == pytest.approx((20 * 40 + 40 * 125) / 3600)


@pytest.mark.parametrize("scheduler", ["fcfs", "easy", "conservative", "sjf", "ljf"])
def test_jobs_on_whole_nodes_have_speedup_exactly_1(scheduler):
    stream = np.random.default_rng(7)
    count = 200
    procs, time = stream.integers(1, 80, count), stream.uniform(10, 500, count)
    jobs = CoJobs(np.arange(count), np.zeros(count), np.zeros(count), procs, time, 1.4 * time)
    schedule = simulate(jobs, CLUSTER, np.array([[1.2]]), SCHEDULERS[scheduler])
    assert (schedule.end - schedule.start != time).any()  # the noise that must not show
    assert (metrics.job_speedup(jobs, schedule) == 1).all()
    computed = metrics.compute_co_metrics(jobs, schedule, CLUSTER)
    assert (computed["job_speedup"], computed["weighted_speedup"]) == (1, 1)
    columns = {name: getattr(schedule, name) for name in ("start", "end", "compact", "cores")}
    frame = pd.DataFrame({"time": time, "procs": procs} | columns)
    assert (speedups(frame) == 1).all()
    heads = {"scheduler": scheduler, "workload": 0, "application": "a"}
    assert (charges(frame.assign(**heads), CLUSTER)["speedup"] == 1).all()


@pytest.mark.parametrize(("run", "share"), [(50 / 0.99, 50), (50 / 0.9901, 0), (50.0, 0)])
def test_job_is_slowed_when_its_speedup_is_not_above_the_bound(run, share):
    end = np.array([run, 160.0])
    schedule = replace(SCHEDULE, end=end)
    assert metrics.compute_co_metrics(JOBS, schedule, CLUSTER)["slowed"] == share


def test_a_schedule_of_no_jobs_ends_at_once():
    none = np.array([])
    assert metrics.makespan(CoSchedule(none, none, none, none, none)) == 0

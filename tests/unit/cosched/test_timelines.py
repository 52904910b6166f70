"""Schedules over time, their illustrations, and charges."""

import numpy as np
import pandas as pd
import pytest

from schedlab.cosched import pricing, timelines
from schedlab.cosched.machine import shared_nodes
from schedlab.studies.kellari2025.figures import illustrations

JOBS = pd.DataFrame(
    {
        "scheduler": "EASY-Co",
        "workload": 0,
        "application": ["a", "b", "c"],
        "job": [0, 1, 2],
        "procs": [20, 20, 40],
        "submit": [0.0, 0.0, 5.0],
        "start": [0.0, 0.0, 10.0],
        "end": [10.0, 8.0, 30.0],
        "time": [8.0, 10.0, 20.0],
        "compact": [False, False, True],
        "cores": [20, 20, 40],
        "nodes": [np.array([0, 1]), np.array([0, 1]), np.array([0, 1])],
    }
)
CLUSTER = shared_nodes(2)


def test_every_job_is_in_one_state_at_a_time():
    found = timelines.states(JOBS)
    assert (found[timelines.STATES].sum(axis=1) == 3).all()
    assert found[timelines.STATES].iloc[0].tolist() == [1, 0, 2, 0]
    assert found[timelines.STATES].iloc[-1].tolist() == [0, 0, 0, 3]


def test_throughput_ends_with_all_jobs():
    found = timelines.throughput(JOBS, 30.0, 3)
    assert found["finished"].tolist() == [0, 2, 2, 3]


def test_unused_cores_have_no_process():
    found = timelines.unused_cores(JOBS, CLUSTER.processors, 30.0, 3)
    assert found["unused"].tolist() == pytest.approx([40 - (200 + 160) / 10, 0, 0])


def test_mean_speedup_of_a_span_is_of_the_jobs_that_end_in_it():
    found = timelines.speedup_bins(JOBS, 3)
    assert found["jobs"].tolist() == [2, 0, 1]
    assert found["mean"].tolist()[0] == pytest.approx((0.8 + 1.25) / 2)
    assert np.isnan(found["mean"].iloc[1])
    assert found["cumulative"].iloc[-1] == pytest.approx((0.8 + 1.25 + 1) / 3)


def test_two_jobs_on_a_node_have_a_half_each_and_a_compact_one_all():
    lanes = timelines.lanes(JOBS)
    assert sorted(lanes["bottom"][lanes["job"] < 2]) == [0, 0, 0.5, 0.5]
    assert set(lanes["height"][lanes["job"] == 2]) == {1.0}
    area = ((lanes["end"] - lanes["start"]) * lanes["height"]).sum()
    assert area == 2 * (10 / 2 + 8 / 2 + 20)


def test_ranges_of_nodes():
    assert timelines.ranges([0, 1, 2, 7, 9, 10]) == "0-2 7 9-10"
    assert timelines.ranges([4]) == "4"


def test_allocation_methods_are_compact_spread_and_striped():
    found = illustrations.allocation_methods()
    used = found.groupby("method")["node"].nunique()
    assert used.to_dict() == {"compact": 2, "spread": 4, "striped": 2}
    shared = found[found["method"] == "striped"].groupby("node")["job"].nunique()
    assert (shared == 2).all()
    assert set(found.groupby(["method", "job"])["cores"].sum()) == {16}


def test_backfill_example_is_the_thesiss_story():
    jobs = illustrations.backfill_example().set_index("name")
    assert (jobs.loc[["A", "B", "C", "F"], "start"] == 0).all()
    assert jobs.at["D", "start"] == jobs.at["A", "end"]
    assert jobs.at["F", "end"] <= jobs.at["D", "start"] < jobs.at["E", "start"]


def test_tariffs_charge_time_discounted_time_or_work():
    charged = pricing.charges(JOBS, CLUSTER)
    ratio = charged[pricing.TARIFFS].div(charged["alone"], axis=0)
    assert ratio["plain"].tolist() == pytest.approx([1.25, 0.8, 1])
    assert ratio["discount"].tolist() == pytest.approx([1, 0.8, 1])
    assert ratio["work"].tolist() == pytest.approx([1, 1, 1])


def test_a_node_is_whole_shared_half_free_or_idle():
    rows = [(0, 0, 0.0, 1.0, 0, 10), (1, 0, 0.0, 0.5, 10, 20), (2, 0, 0.5, 0.5, 15, 20)]
    rows += [(3, 1, 0.5, 0.5, 5, 10)]
    columns = ["job", "node", "bottom", "height", "start", "end"]
    states = timelines.node_states(pd.DataFrame(rows, columns=columns), 4)
    assert states.tolist() == [[1, 1, 3, 2], [0, 3, 0, 0]]

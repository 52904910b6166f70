"""Replicates on a small machine: everybody meets the same queue, and threads change nothing."""

import numpy as np
import pandas as pd
import pytest

from schedlab.jobs import Jobs
from schedlab.papers.souza2020.accuracy import run_series
from schedlab.papers.souza2020.figures.diagrams import dag, shown_run
from schedlab.papers.souza2020.figures.makespans import stacks
from schedlab.papers.souza2020.runs import (
    OTHERS,
    PAPERS,
    Practice,
    Site,
    by_workflow,
    learning_of,
    run_all,
)
from schedlab.papers.souza2020.shapes import COLUMNS, workflow_of
from schedlab.papers.souza2020.sheet import WaitSettings

SHAPES = pd.DataFrame(
    [("Montage", 320, "PSPS", 1000, 600, 590, 610), ("BLAST", 320, "PS", 500, 500, 500, 500)],
    columns=COLUMNS,
)
LEARNING = {"alternatives": [10, 100, 1000], "repetitions": 5, "rate": 1.0, "power": 0.5}


@pytest.fixture(scope="module")
def jobs():
    """Forty days of jobs that fill three quarters of four processors."""
    stream = np.random.default_rng(1)
    n = 2000
    submit = np.sort(stream.integers(0, 40 * 86_400, n))
    runtime = stream.integers(1, 5200, n)
    procs = stream.integers(1, 4, n)
    return Jobs(np.arange(n), submit, runtime, 2 * runtime, procs)


def site(replicates=2, cores=(320,)):
    settings = WaitSettings("small", "made", 960, cores, 1.0, replicates)
    return Site(settings, SHAPES, learning_of(LEARNING), Practice(4, 600, 60))


@pytest.fixture(scope="module")
def stages(jobs):
    return run_all(site(), jobs, 4, threads=1)


def test_threads_change_nothing(jobs, stages):
    assert stages.equals(run_all(site(), jobs, 4, threads=2))


def test_everybody_runs_every_workflow_of_a_scale(stages):
    found = by_workflow(stages)
    assert len(found) == 2 * 2 * (len(PAPERS) + len(OTHERS))
    assert set(zip(found["strategy"], found["estimator"], strict=True)) == {*PAPERS, *OTHERS}


def test_makespan_is_time_and_waits_where_stages_follow_each_other(stages):
    found = by_workflow(stages)
    seconds = found["workflow"].map({"Montage": 1000, "BLAST": 500})
    assert (found["makespan"] == seconds + found["twt"]).all()


def test_core_hours_are_those_of_the_shape_and_what_idled(stages):
    found = by_workflow(stages).set_index(["strategy", "workflow"])
    big = found.loc[("Big Job", "Montage"), "core_hours"]
    assert big.to_numpy() == pytest.approx(320 * 1000 / 3600)
    asa = found.loc[("ASA", "Montage")]
    assert asa["core_hours"].to_numpy() == pytest.approx((320 * 600 + 400) / 3600)
    naive = found.loc[("ASA Naive", "Montage")]
    used = naive["core_hours"] - naive["idle_hours"]
    assert used.to_numpy() == pytest.approx((320 * 600 + 400) / 3600)


def test_nothing_runs_without_jobs():
    none = Jobs([], [], [], [], [])
    assert by_workflow(run_all(site(), none, 4, threads=1)).empty
    assert run_series(site(), none, 4, 2, {"near": 60}, threads=1).empty


def test_a_series_has_as_many_submissions_as_asked_for(jobs):
    found = run_series(site(1), jobs, 4, 3, {"near": 60, "far": 600}, threads=1)
    counts = found[found["stage"] == "parallel 1"].groupby(["spacing", "workflow"]).size()
    assert counts.tolist() == [3] * 4


def test_stacks_add_up_to_makespans(stages):
    table = stacks(stages, "Montage")
    total = table.groupby("bar")[["wait", "time"]].sum().sum(axis=1)
    assert total.to_numpy() == pytest.approx(table.groupby("bar")["makespan"].first().to_numpy())


def test_the_run_that_is_shown_is_one_replicate_from_its_submission(stages):
    found = shown_run(stages, [("Per-Stage", "-")])
    assert found["submit"].iloc[0] == 0
    assert len(found) == len(dag(workflow_of(SHAPES.iloc[0].to_dict()))) == 4

"""Workflows under a background load: simulated, and on a stand-in for a Slurm."""

import re
import threading
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.slurm import background_load as module
from schedlab.slurm.background_load import SYSTEM, run_under_load, simulate_under_load
from schedlab.slurm.client import SlurmError
from schedlab.slurm.settings import SLURM_CONF, SMALL
from schedlab.waits.submissions import Submission
from schedlab.waits.workflows import Stage, Workflow

FLOW = Workflow("flow", (Stage("a", 2, 100), Stage("b", 1, 50, ("a",))))
#: the whole machine until 500, and again for 300 s
OTHERS = Jobs([1, 2], [0, 400], [500, 300], [500, 300], [2, 2])


def test_simulated_workflows_wait_for_earlier_jobs():
    rows = simulate_under_load(OTHERS, FLOW, "Per-Stage", [100, 1000], 2)
    assert rows["run"].tolist() == [1, 1, 2, 2]
    assert rows["at"].tolist() == [100, 100, 1000, 1000]
    # submitted at 100 it comes before the second of the others, its second stage after it
    assert rows["start"].tolist() == [500, 900, 1000, 1100]
    assert rows["perceived"].tolist() == [400, 300, 0, 0]


def test_unfinished_run_delays_the_next_one():
    rows = simulate_under_load(OTHERS, FLOW, "Per-Stage", [100, 200], 2)
    assert rows["at"].tolist() == [100, 100, 950, 950]


def test_every_waiting_job_has_a_reservation():
    """From 100 on 800 s of a core pass the first waiting job, and delay the second by 100 s."""
    others = Jobs([1, 2, 3], [0, 50, 60], [500, 300, 300], [500, 300, 300], [2, 2, 3])
    flow = Workflow("flow", (Stage("a", 1, 800),))
    assert simulate_under_load(others, flow, "Per-Stage", [100], 3)["start"].tolist() == [1100]
    flow = Workflow("flow", (Stage("a", 1, 700),))
    assert simulate_under_load(others, flow, "Per-Stage", [100], 3)["start"].tolist() == [100]


def test_big_job_waits_once():
    rows = simulate_under_load(OTHERS, FLOW, "Big Job", [100], 2)
    assert rows[["stage", "start", "end"]].to_numpy().tolist() == [["all", 500, 650]]


def test_runs_are_timed_from_time_0_and_share_their_learner(monkeypatch, tmp_path):
    begin = int(time.time()) - 5000
    seen, sent = [], []

    def run_workflow(described, strategy, folder, learner, poll):
        seen.append((described, strategy, folder.name, learner))
        stages = pd.DataFrame({"stage": ["a"], "submit": [0], "start": [7], "end": [9]})
        stages[["submit", "start", "end"]] += begin + 100 * len(seen)
        return SimpleNamespace(stages=stages, at=begin + 100 * len(seen))

    monkeypatch.setattr(module, "run_workflow", run_workflow)
    monkeypatch.setattr(module, "next_minute", lambda: begin)
    monkeypatch.setattr(module, "submit_at_times", lambda jobs, at: sent.append((jobs, at)) or [])
    rows = run_under_load(OTHERS, "flow", "ASA", [100, 200], tmp_path)
    assert rows["at"].tolist() == [100, 200]
    assert rows[["submit", "start", "end"]].to_numpy().tolist() == [
        [100, 107, 109],
        [200, 207, 209],
    ]
    assert [one[:3] for one in seen] == [("flow", "ASA", "run1"), ("flow", "ASA", "run2")]
    assert sent == [(OTHERS, begin)]
    assert np.array_equal(rows["run"], [1, 2])


def test_rejected_background_submission_ends_the_current_run(monkeypatch, tmp_path):
    refused, runs = threading.Event(), []

    def submitted(jobs, begin):
        yield "1"
        refused.set()
        raise SlurmError("sbatch: too large")

    def run_workflow(described, strategy, folder, learner, poll):
        runs.append(folder.name)
        refused.wait()
        time.sleep(0.2)
        stages = pd.DataFrame({"stage": ["a"], "submit": [0], "start": [7], "end": [9]})
        return SimpleNamespace(stages=stages, at=0)

    monkeypatch.setattr(module, "run_workflow", run_workflow)
    monkeypatch.setattr(module, "next_minute", lambda: 0)
    monkeypatch.setattr(module, "submit_at_times", submitted)
    with pytest.raises(SlurmError, match="too large"):
        run_under_load(OTHERS, "flow", "ASA", [100, 200], tmp_path)
    assert runs == ["run1"]


def test_system_is_that_of_the_started_slurm():
    cluster = re.search("^ClusterName=(.*)$", SLURM_CONF, re.MULTILINE)[1]
    partition = re.search(r"^PartitionName=(\S*)", SMALL.lines, re.MULTILINE)[1]
    assert f"{cluster}/{partition}" == SYSTEM


def test_simulated_waits_are_learned_by_the_name_of_the_real_system(monkeypatch):
    asked = []

    def submission(*arguments):
        asked.append(arguments[4])
        return Submission(*arguments)

    monkeypatch.setattr(module, "Submission", submission)
    simulate_under_load(OTHERS, FLOW, "Per-Stage", [100], 2)
    assert asked == ["schedlab/main"]

"""Runs whose clients are killed at every moment: each stage runs once, and no job is left."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asa_case import estimator_by_stage
from killed_case import run_with_deaths
from schedlab.waits.strategies import STRATEGIES
from slurm_case import Fate, Slurm
from workflows_case import CHAIN, DIAMOND, workflow_file

#: waits and run times so that naive allocations idle, and some are released
FATES = [
    *(Fate(wait=7, run=100), Fate(wait=3, run=50), Fate(wait=12, run=40), Fate(wait=2, run=30)),
    Fate(wait=4, run=25),
]
ESTIMATES = [10, 60, 60, 90]


def run(strategy, folder, moments=(), gaps=(), slurm=None, stages=DIAMOND, **options):
    """Return Slurm, the outcome, the estimator and the number of moments of the last client."""
    slurm = Slurm(FATES, tolerance=600) if slurm is None else slurm
    told = estimator_by_stage(workflow_file(stages).workflow, ESTIMATES)
    outcome, count = run_with_deaths(
        strategy, slurm, folder, stages, told, moments, gaps, **options
    )
    return slurm, outcome, told, count


def check_once(slurm, outcome, stages, strategy):
    """Check that every stage ran once, after those before it, and that no job is left."""
    if strategy == "Big Job":
        assert slurm.ran == ["all"]
    else:
        assert sorted(slurm.ran) == sorted(stage.name for stage in stages)
        for stage in stages:
            assert all(slurm.ran.index(name) < slurm.ran.index(stage.name) for name in stage.after)
    assert slurm.left == []
    assert len(outcome.stages) == (1 if strategy == "Big Job" else len(stages))
    assert (outcome.stages["perceived"] >= 0).all()


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("gap", "first"), [(0.0, 0), (45.0, 4), (1000.0, 8)])
def test_client_killed_at_any_moment_is_resumed_and_each_stage_runs_once(
    tmp_path, strategy, gap, first
):
    """The next client comes at once, while stages run, or after all have ended."""
    _, whole, _, count = run(strategy, tmp_path / "whole")
    assert count > 20
    # every moment in turn would take minutes
    for moment in range(first, count, count // 12):
        slurm, outcome, again, _ = run(strategy, tmp_path / str(moment), [moment], [gap])
        check_once(slurm, outcome, DIAMOND, strategy)
        # a wait that was about to be learned may be lost, none is learned twice
        starts = len(outcome.stages) + outcome.stages["resubmitted"].sum()
        if STRATEGIES[strategy].ahead:
            assert starts - 1 <= len(again.observed) <= starts
        if gap == 0:
            assert outcome.stages["estimate"].tolist() == whole.stages["estimate"].tolist()


@given(
    strategy=st.sampled_from(sorted(STRATEGIES)),
    stages=st.sampled_from([CHAIN, DIAMOND]),
    moments=st.lists(st.integers(0, 60), max_size=8),
    gaps=st.lists(st.sampled_from([0.0, 5.0, 40.0, 200.0, 900.0]), max_size=8),
    poll=st.sampled_from([1.0, 10.0]),
    forgets=st.sampled_from([300.0, 5.0]),
    waits=st.lists(st.sampled_from([0.0, 5.0, 60.0]), min_size=8, max_size=8),
)
def test_clients_killed_again_and_again_run_each_stage_once(
    strategy, stages, moments, gaps, poll, forgets, waits
):
    fates = [Fate(wait=wait, run=30, prolog=0.5) for wait in waits]
    slurm = Slurm(fates, forgets=forgets, tolerance=100)
    with tempfile.TemporaryDirectory() as folder:
        _, outcome, _, _ = run(
            strategy, Path(folder, "run"), moments, gaps, slurm, stages, poll=poll
        )
        record = json.loads(Path(folder, "run/record.json").read_text())
    check_once(slurm, outcome, stages, strategy)
    assert len({job["job"] for job in record["jobs"]}) == len(slurm.by_number)

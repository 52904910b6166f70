"""Predictors of `schedlab asa run`: learned, test-only and conformal."""

import math

import numpy as np
import pytest

from schedlab.slurm.client import SlurmError
from schedlab.slurm.journal import Journal
from schedlab.slurm.plan import plan_run
from schedlab.slurm.predictors import FEWEST, PREDICTORS, conformal_quantile
from schedlab.slurm.run import prepare_run, resume_workflow, run_workflow
from schedlab.waits.learner import Geometry, Learner
from slurm_case import Fate, Slurm
from workflows_case import CHAIN, columns_of, workflow_file

#: the geometries of the stages of `CHAIN`
NAMES = [f"fake/main/limit=1h/{cores}" for cores in (4, 1, 5)]


def recorded(path, count, wait=70.0):
    """Return a learner that has recorded so many waits of each stage."""
    learner = Learner(path=path)
    for cores in (4, 1, 5):
        for number in range(count):
            learner.observe(Geometry("fake/main", cores, "1h"), wait - number)
    return learner


def run(tmp_path, predictor, slurm, learner, tell=lambda words: None):
    outcome = run_workflow(
        *(workflow_file(CHAIN), "ASA", tmp_path / "run", learner, 1.0, tell, slurm),
        predictor=predictor,
    )
    records = Journal.read(tmp_path / "run").records
    return outcome, [record for record in records if record["kind"] == "estimate"]


def test_conformal_quantile_needs_nine_waits():
    """Of eight, the longest covers the next one with a probability of 8/9."""
    waits = [float(number) for number in range(1, 20)]
    assert conformal_quantile(waits[: FEWEST - 1]) is None
    assert conformal_quantile(waits[:FEWEST]) == 9
    assert math.ceil(0.9 * (FEWEST + 1)) == FEWEST
    assert math.ceil(0.9 * FEWEST) > FEWEST - 1


def test_conformal_quantile_covers_its_share_also_after_a_change():
    stream = np.random.default_rng(5)
    waits = [*stream.exponential(100, 300), *stream.exponential(900, 300)]
    covered = [
        waits[number] <= conformal_quantile(waits[max(0, number - 200) : number])
        for number in range(FEWEST, len(waits))
    ]
    assert np.mean(covered[:290]) == pytest.approx(0.9, abs=0.05)
    assert np.mean(covered[-200:]) == pytest.approx(0.9, abs=0.06)


def test_stages_are_submitted_by_the_start_that_slurm_tests(tmp_path):
    slurm = Slurm([Fate(wait=70, run=100), Fate(wait=40, run=50), Fate(wait=40, run=30)])
    slurm.test_wait = 40
    learner = Learner(path=tmp_path / "waits.json")
    outcome, estimates = run(tmp_path, "test-only", slurm, learner)
    assert columns_of(outcome, "submit", "start", "estimate") == [
        [0, 70, 40],
        [130, 170, 40],
        [180, 220, 40],
    ]
    # every submission has its predictor and value in the journal
    assert {(one["predictor"], one["estimate"]) for one in estimates} == {("test-only", 40)}
    assert {one["geometry"] for one in estimates} == set(NAMES)
    asked = {" ".join(request.test_arguments) for request in slurm.tested}
    assert "--test-only --ntasks=4 --time=10 --wrap=:" in asked
    assert [learner.waits(Geometry("fake/main", cores, "1h")) for cores in (4, 1, 5)] == [
        [70.0],
        [40.0],
        [40.0],
    ]


def test_past_start_is_no_wait(tmp_path):
    """Slurm's clock may be a second late."""
    slurm = Slurm()
    slurm.test_wait = -1
    _, estimates = run(tmp_path, "test-only", slurm, Learner())
    assert {one["estimate"] for one in estimates} == {0}


@pytest.mark.parametrize(("count", "estimate"), [(FEWEST - 1, None), (FEWEST, 70)])
def test_conformal_estimates_are_of_recorded_waits(tmp_path, count, estimate):
    slurm, lines = Slurm([Fate(wait=70, run=100), Fate(run=50), Fate(run=30)]), []
    learner = recorded(tmp_path / "waits.json", count)
    outcome, estimates = run(tmp_path, "conformal", slurm, learner, lines.append)
    assert {(one["predictor"], one["estimate"]) for one in estimates[:3]} == {
        ("conformal", estimate)
    }
    # submitted 70 s before it is needed; without a prediction, then
    assert columns_of(outcome, "submit")[1] == [170 - (estimate or 0)]
    missing = [line for line in lines if "cannot tell the wait of" in line]
    assert missing == [
        f"conformal: cannot tell the wait of {name} yet, too few were recorded"
        for name in NAMES
        if estimate is None
    ]
    assert len(learner.waits(Geometry("fake/main", 4, "1h"))) == count + 1


def test_resumed_run_keeps_its_predictor(tmp_path):
    slurm = Slurm()
    slurm.test_wait = 40
    prepare_run(workflow_file(CHAIN), "ASA", tmp_path / "run", slurm=slurm, predictor="test-only")
    resume_workflow(tmp_path / "run", Learner(), slurm=slurm)
    records = Journal.read(tmp_path / "run").records
    assert records[0]["predictor"] == "test-only"
    assert slurm.tested


@pytest.mark.parametrize("count", [FEWEST - 1, FEWEST])
def test_plan_uses_the_predictor(tmp_path, count):
    learner, slurm = recorded(tmp_path / "waits.json", count), Slurm()
    slurm.test_wait = 40
    by_slurm = plan_run(workflow_file(CHAIN), "ASA", learner, slurm, "test-only")
    assert by_slurm.stages["start"].tolist() == [40, 140, 190]
    conformal = plan_run(workflow_file(CHAIN), "ASA", learner, slurm, "conformal")
    is_known = count >= FEWEST
    assert conformal.stages["known"].tolist() == [is_known] * 3
    assert conformal.stages["start"].tolist()[0] == (70 if is_known else 0)
    assert slurm.by_number == {}


@pytest.mark.parametrize("predictor", PREDICTORS)
@pytest.mark.parametrize("strategy", ["ASA", "Per-Stage", "All at once", "ASA Naive"])
def test_predictor_needs_a_strategy_that_predicts(tmp_path, predictor, strategy):
    arguments = (workflow_file(CHAIN), strategy)
    if predictor == "learned" or strategy.startswith("ASA"):
        prepare_run(*arguments, tmp_path / "run", slurm=Slurm(), predictor=predictor)
        return
    for begin in (
        lambda: prepare_run(*arguments, tmp_path / "run", slurm=Slurm(), predictor=predictor),
        lambda: plan_run(*arguments, Learner(), Slurm(), predictor),
    ):
        with pytest.raises(SlurmError, match=f"--predictor {predictor}: strategy {strategy} subm"):
            begin()

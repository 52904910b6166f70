"""The plan of a run: the strategy's submissions if waits are as learned."""

import pytest

from schedlab.slurm.plan import plan_run
from schedlab.waits.learner import Geometry, Learner
from schedlab.waits.strategies import STRATEGIES
from slurm_case import Fate, Slurm
from workflows_case import CHAIN, DIAMOND, run_in_memory, workflow_file

#: cores and waits that were learned
WAITS = {4: 70, 1: 30, 5: 40}


@pytest.fixture
def learner():
    """A learner that has seen the same waits many times."""
    made = Learner()
    for cores, wait in WAITS.items():
        for _ in range(20):
            made.observe(Geometry("fake/main", cores, "1h"), wait)
    return made


def columns(plan, *names):
    return plan.stages[list(names)].to_numpy().tolist()


def test_stages_are_submitted_by_their_learned_waits_before_they_are_needed(learner):
    plan = plan_run(workflow_file(CHAIN), "ASA", learner, Slurm())
    assert columns(plan, "stage", "submit", "start", "end", "wait") == [
        ["a", 0, 70, 170, 70],
        ["b", 140, 170, 220, 30],
        ["c", 180, 220, 250, 40],
    ]
    assert plan.stages["known"].all()
    assert plan.stages["limit_min"].tolist() == [10, 10, 10]


def test_stages_submitted_when_they_are_needed_wait_from_then_on(learner):
    plan = plan_run(workflow_file(CHAIN), "Per-Stage", learner, Slurm())
    assert columns(plan, "submit", "start", "end") == [
        [0, 70, 170],
        [170, 200, 250],
        [250, 290, 320],
    ]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("stages", [CHAIN, DIAMOND])
def test_plan_is_the_run_if_waits_are_as_learned(tmp_path, strategy, stages):
    """Without any learned wait, all waits are 0, as in this Slurm in memory."""
    merged = STRATEGIES[strategy].merged
    seconds = [workflow_file(stages).workflow.seconds] if merged else [s.seconds for s in stages]
    plan = plan_run(workflow_file(stages), strategy, Learner(), Slurm())
    assert not plan.stages["known"].any()
    assert (plan.stages["end"] - plan.stages["start"]).tolist() == seconds
    assert plan.stages["end"].max() == workflow_file(stages).workflow.seconds
    slurm = Slurm([Fate(run=run) for run in seconds])
    outcome, _ = run_in_memory(strategy, slurm, tmp_path / "run", stages)
    starts = (outcome.stages["start"] - outcome.at).tolist()
    assert plan.stages["start"].tolist() == starts


def test_plan_changes_no_state_and_submits_nothing(tmp_path, learner):
    path = tmp_path / "waits.json"
    kept = Learner(path=path)
    kept.observe(Geometry("fake/main", 4, "1h"), 70)
    before, slurm = path.read_bytes(), Slurm()
    plan = plan_run(workflow_file(CHAIN), "ASA", kept, slurm)
    assert plan.stages["known"].tolist() == [True, False, False]
    assert path.read_bytes() == before
    assert slurm.by_number == {}


def test_notes_about_the_cluster_are_part_of_the_plan(learner):
    slurm = Slurm()
    plan = plan_run(workflow_file(CHAIN), "ASA", learner, slurm)
    assert plan.notes == (
        "jobs are ordered by submit time: an early submission gains its place in the queue",
    )
    assert plan.as_dict()["notes"] == list(plan.notes)
    assert plan_run(workflow_file(CHAIN), "Per-Stage", learner, slurm).notes == ()

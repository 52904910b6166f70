"""What the order of a cluster means for early submissions."""

import pytest

from asa_case import Told
from schedlab.slurm.priorities import Priorities
from schedlab.slurm.run import prepare_run, resume_workflow
from schedlab.waits.strategies import STRATEGIES, TYPED
from slurm_case import Slurm
from workflows_case import CHAIN, workflow_file

MULTIFACTOR = {
    "SchedulerType": "sched/backfill",
    "PriorityType": "priority/multifactor",
    "PriorityWeightAge": "1000",
    "PriorityFlags": "",
}


def sentences(strategy, limit=600, **settings):
    priorities = Priorities.read(MULTIFACTOR | settings)
    return priorities.sentences(STRATEGIES[TYPED[strategy]], workflow_file(CHAIN, limit))


@pytest.mark.parametrize(
    ("strategy", "settings", "words"),
    [
        ("asa", {}, "no ACCRUE_ALWAYS: a stage with a dependency does not age"),
        ("atonce", {}, "no ACCRUE_ALWAYS"),
        ("naive", {}, "waiting raises the priority, from the submission on"),
        ("asa", {"PriorityFlags": "ACCRUE_ALWAYS"}, "waiting raises the priority"),
        ("asa", {"PriorityFlags": "MAX_TRES,ACCRUE_ALWAYS"}, "waiting raises the priority"),
        ("asa", {"PriorityFlags": "MAX_TRES"}, "no ACCRUE_ALWAYS"),
        ("naive", {"PriorityWeightAge": "0"}, "PriorityWeightAge is 0"),
        ("naive", {"PriorityWeightAge": "1"}, "waiting raises the priority"),
        ("asa", {"PriorityType": "priority/basic"}, "jobs are ordered by submit time"),
    ],
)
def test_gain_of_an_early_submission(strategy, settings, words):
    (sentence,) = sentences(strategy, **settings)
    assert words in sentence


@pytest.mark.parametrize("strategy", ["bigjob", "perstage"])
def test_strategies_that_submit_nothing_early_need_no_note(strategy):
    assert sentences(strategy) == []


@pytest.mark.parametrize(("limit", "settings", "named"), [
    (86_400, "", False),
    (86_401, "", True),
    (600, "bf_window=10", False),
    (601, "defer,bf_window=10,bf_continue", True),
])  # fmt: skip
def test_limits_beyond_the_backfill_window_are_named(limit, settings, named):
    lines = sentences("naive", limit, SchedulerParameters=settings)[1:]
    assert len(lines) == (3 if named else 0)
    if named:
        assert lines[0].startswith(f"stage 'a' asks for {-(-limit // 60)} min, more than bf_window")


@pytest.mark.parametrize(("most", "named"), [("2", True), ("3", False), ("0", False)])
def test_fewer_jobs_of_a_user_in_backfilling_than_stages_are_named(most, named):
    lines = sentences("naive", SchedulerParameters=f"bf_max_job_user={most}")
    assert any("bf_max_job_user" in line for line in lines) == named


def test_cluster_without_backfilling_is_named():
    assert "no backfill scheduler" in sentences("naive", SchedulerType="sched/builtin")[1]


def test_notes_come_once_before_the_first_submission(tmp_path):
    slurm, lines = Slurm(), []
    slurm.settings = MULTIFACTOR
    prepare_run(workflow_file(CHAIN), "ASA", tmp_path / "run", poll=10.0, slurm=slurm)
    for _ in range(2):
        resume_workflow(tmp_path / "run", Told({}), lines.append, slurm)
    assert lines[0].startswith("note: PriorityFlags has no ACCRUE_ALWAYS")
    assert sum(line.startswith("note: ") for line in lines) == 1

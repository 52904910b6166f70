"""Runs with a pool on a Slurm in memory: early and lost allocations, and dead clients."""

from contextlib import suppress

import pytest

from asa_case import estimator_by_stage
from killed_case import Client, Killed
from pool_case import PoolSlurm, use_memory
from schedlab.slurm.client import SlurmError
from schedlab.slurm.journal import Journal, JournalError
from schedlab.slurm.pool.board import Board
from schedlab.slurm.run import prepare_run, resume_workflow
from schedlab.slurm.status import read_status
from schedlab.slurm.tasks import Task, TaskMarks
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.workflows import Stage, Workflow
from slurm_case import Fate

STAGES = (Stage("make", 4, 60), Stage("check", 2, 60, ("make",)), Stage("join", 1, 20, ("check",)))
TASKS = {
    "make": tuple(Task(f"m{number}", ":", 60) for number in range(8)),
    "check": (Task("c1", ":", 60), Task("c2", ":", 60, 2, 0, ("c1",)), Task("c3", ":", 60)),
}
LENGTHS = dict.fromkeys((task.name for task in TASKS["make"]), 30.0) | {"c1": 20.0, "c2": 10.0}
#: the second allocation comes early; the third, for the command, too
FATES = [Fate(wait=5), Fate(wait=10), Fate(wait=30, run=20), Fate(wait=3, run=20)]


def flow():
    workflow = Workflow("flow", STAGES)
    return WorkflowFile(
        workflow, {"make": 300, "check": 300, "join": 600}, {"join": "true"}, tasks=TASKS
    )


def run(tmp_path, monkeypatch, slurm, moments=(), gaps=(), said=None, estimates=(10, 60, 60)):
    """Run to the end, with a client killed at each moment; return outcome and count of moments."""
    use_memory(monkeypatch, slurm)
    described = flow()
    told = estimator_by_stage(described.workflow, list(estimates))
    folder = tmp_path / "run"
    prepare_run(described, "Pool", folder, 2.0, slurm=slurm)
    gaps = iter(gaps)
    for moment in [*moments, None]:
        client = Client(slurm, moment)
        with suppress(Killed), client.alive(told):
            tell = (lambda words: None) if said is None else said.append
            return resume_workflow(folder, told, tell, slurm), client.count, folder
        slurm.sleep(next(gaps, 0.0))
    raise AssertionError


def check_once(slurm, folder):
    """Check that every task has succeeded once, and each further attempt was interrupted before."""
    done = [(one.stage, one.task) for one in slurm.attempts if one.state == "done"]
    assert sorted(done) == sorted((s, task.name) for s, tasks in TASKS.items() for task in tasks)
    for stage, tasks in TASKS.items():
        for task in tasks:
            own = [a for a in slurm.attempts if (a.stage, a.task) == (stage, task.name)]
            assert [one.number for one in own] == list(range(1, len(own) + 1))
            assert {one.state for one in own[:-1]} <= {"interrupted"}
            assert TaskMarks(folder).done(stage, task.name).attempt == own[-1].number
    ends = {a.task: a for a in slurm.attempts if a.state == "done"}
    makes = [ends[task.name].start + LENGTHS[task.name] for task in TASKS["make"]]
    assert ends["c1"].start >= max(makes)
    assert ends["c2"].start >= ends["c1"].start + LENGTHS["c1"]
    assert slurm.ran == ["join"]
    assert slurm.left == []


def follow_bundles(monkeypatch, seconds):
    """Let bundles take some seconds; return the list of their sizes."""
    sizes, place = [], Board.place

    def followed(board, now):
        for entries, worker in place(board, now):
            sizes.append(len(entries))
            yield entries, worker

    monkeypatch.setattr("schedlab.slurm.pool.board.BUNDLE_S", seconds)
    monkeypatch.setattr(Board, "place", followed)
    return sizes


def test_early_allocation_works_on_the_present_stage(tmp_path, monkeypatch):
    slurm, said = PoolSlurm(FATES, LENGTHS), []
    outcome, _, folder = run(tmp_path, monkeypatch, slurm, said=said)
    check_once(slurm, folder)
    by_stage = {job.stage: number for number, job in sorted(slurm.by_number.items(), reverse=True)}
    helped = [a for a in slurm.attempts if a.stage == "make" and a.job == by_stage["check"]]
    assert helped  # six cores instead of four: two rounds of 30 s
    rows = outcome.stages.set_index("stage")
    assert rows.loc["make", "core_seconds"] == 8 * 30
    assert rows.loc["check", "core_seconds"] == 20 + 2 * 10 + 5
    assert rows.loc["check", "resubmitted"] == 0
    assert (rows["perceived"] >= 0).all()
    assert (rows["idle_core_seconds"] >= 0).all()
    assert any("make: all 8 tasks have ended" in line for line in said)
    status = read_status(folder, slurm)
    assert str(status.tasks["make"]) == "8 of 8 done, 0 run, 0 wait; 0 attempts interrupted"
    assert status.succeeded
    # the journal is the record
    lines = [record for record in Journal.read(folder).records if record["kind"] == "tasks"]
    assert sum(len(line["done"]) for line in lines) == 11
    # a second resume prints the result again, without a pool
    again = resume_workflow(folder, None, lambda words: None, slurm)
    assert again.makespan == outcome.makespan


@pytest.mark.parametrize("state", ["CANCELLED", "NODE_FAIL", "TIMEOUT", "FAILED"])
def test_lost_allocation_is_replaced_and_its_tasks_are_tried_again(tmp_path, monkeypatch, state):
    fates = [Fate(wait=5, run=20, state=state), Fate(wait=200), *FATES]
    slurm, said = PoolSlurm(fates, LENGTHS), []
    _, _, folder = run(tmp_path, monkeypatch, slurm, said=said, estimates=(10, 10, 10))
    check_once(slurm, folder)
    interrupted = [a for a in slurm.attempts if a.state == "interrupted"]
    assert len(interrupted) == 4
    assert read_status(folder, slurm).tasks["make"].interrupted == 4
    assert any(f"ended as {state}, tasks of its stage are left" in line for line in said)
    assert sum("was interrupted, job 101 has ended" in line for line in said) == 4


FULL = "OSError: [Errno 28] No space left on device"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (7, "ended with exit code 7 in job 101; its output is {}/run/output/make.m3.1.txt"),
        (FULL, f"could not be run in job 101: {FULL}"),
    ],
)
def test_failed_task_ends_the_run_with_the_words(tmp_path, monkeypatch, code, words):
    slurm = PoolSlurm(FATES, LENGTHS)
    slurm.codes["m3"] = code
    with pytest.raises(SlurmError) as error:
        run(tmp_path, monkeypatch, slurm)
    assert str(error.value).endswith(f"stage 'make': task 'm3' {words.format(tmp_path)}")
    assert len([one for one in slurm.attempts if one.task == "m3"]) == 1
    assert slurm.left == []
    assert not read_status(tmp_path / "run", slurm).resumable


def test_claim_of_a_job_without_a_line_submits_nothing(tmp_path, monkeypatch):
    """The journal has lost its end; scripts and marks of its jobs were removed."""
    slurm = PoolSlurm(FATES, LENGTHS)
    _, _, folder = run(tmp_path, monkeypatch, slurm)
    lines = (folder / "journal.jsonl").read_text().splitlines(keepends=True)
    (folder / "journal.jsonl").write_text(lines[0])
    for path in (*(folder / "jobs").iterdir(), *(folder / "marks").iterdir()):
        path.unlink()
    with pytest.raises(JournalError, match=r"its end is missing: .*/tasks/.*\.claim; nothing was"):
        resume_workflow(folder, None, lambda words: None, slurm)
    assert len(slurm.by_number) == 3


def test_replacement_if_too_little_time_is_left(tmp_path, monkeypatch):
    """Tasks of 250 s in allocations of 360 s: after the first ones, no other one fits."""
    lengths = LENGTHS | dict.fromkeys((task.name for task in TASKS["make"]), 250.0)
    long = {"make": tuple(Task(f"m{number}", ":", 290) for number in range(8))}
    monkeypatch.setitem(TASKS, "make", long["make"])
    monkeypatch.setitem(LENGTHS, "m0", 250.0)
    for name in lengths:
        monkeypatch.setitem(LENGTHS, name, lengths[name])
    slurm = PoolSlurm(FATES, LENGTHS)
    outcome, _, folder = run(tmp_path, monkeypatch, slurm, estimates=(10, 10, 10))
    check_once(slurm, folder)
    assert outcome.stages.set_index("stage").loc["make", "resubmitted"] >= 1
    assert not [a for a in slurm.attempts if a.state == "interrupted"]


@pytest.mark.parametrize("bundle", [1.0, 400.0])
@pytest.mark.slow
def test_killed_client_is_resumed_and_each_task_succeeds_once(tmp_path, monkeypatch, bundle):
    """Also with tasks in bundles, whose worker is lost, or which others get."""
    sizes = follow_bundles(monkeypatch, bundle)
    if bundle > 100:
        tasks = tuple(Task(f"m{number}", ":", 60) for number in range(40))
        monkeypatch.setitem(TASKS, "make", tasks)
        for task in tasks:
            monkeypatch.setitem(LENGTHS, task.name, 6.0)
    fates = [Fate(wait=5, run=25, state="NODE_FAIL"), *FATES]
    _, count, _ = run(tmp_path / "whole", monkeypatch, PoolSlurm(fates, LENGTHS))
    assert count > 20
    for moment in range(0, count, count // 10):
        for gap in (0.0, 40.0):
            slurm = PoolSlurm(fates, LENGTHS)
            place = tmp_path / f"{moment}.{gap}"
            _, _, folder = run(place, monkeypatch, slurm, [moment], [gap])
            check_once(slurm, folder)
    assert (max(sizes) > 1) == (bundle > 100)

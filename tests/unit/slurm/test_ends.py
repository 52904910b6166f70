"""Strategies on a Slurm in memory that end early leave no job."""

import json
import os
import re
import signal

import pytest

from schedlab.slurm import environment
from schedlab.slurm.client import SlurmError
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.interrupts import Interrupted, deferred_signals
from schedlab.waits.strategies import STRATEGIES
from slurm_case import BEGIN, Fate, Slurm
from workflows_case import AHEAD, CHAIN, DIAMOND, columns_of, run_in_memory, workflow_file

BAD = [
    (Fate(code=3), "FAILED", "exit code 3"),
    (Fate(state="TIMEOUT"), "TIMEOUT", "exit code 0:0"),
    (Fate(state="OUT_OF_MEMORY", code=125), "OUT_OF_MEMORY", "exit code 125:0"),
    (Fate(state="NODE_FAIL"), "NODE_FAIL", "exit code"),
    (Fate(state="CANCELLED"), "CANCELLED", "exit code"),
]


@pytest.mark.parametrize("strategy", ["Per-Stage", *AHEAD])
@pytest.mark.parametrize(("fate", "state", "code"), BAD, ids=[state for _, state, _ in BAD])
def test_failed_stage_cancels_the_others(tmp_path, strategy, fate, state, code):
    slurm = Slurm([Fate(run=30), fate, Fate(run=500), Fate()])
    with pytest.raises(SlurmError) as error:
        run_in_memory(
            strategy, slurm, tmp_path / "run", estimates=[0, 10, 10, 60] * (strategy == "ASA")
        )
    job = slurm.by_number[102]
    assert f"workflow flow: stage '{job.stage}': job 102 ended as {state}" in str(error.value)
    assert code in str(error.value)
    assert f"{tmp_path}/run/output/{job.stage}.102.txt" in str(error.value)
    assert slurm.left == []
    record = json.loads((tmp_path / "run/record.json").read_text())
    assert record["error"] == str(error.value)
    assert "join" not in slurm.ran


@pytest.mark.parametrize(
    ("strategy", "fates", "options", "stage"),
    [
        # not the dependents of the first one that failed
        ("ASA", [Fate(wait=5, run=30, code=9), Fate()], (CHAIN, [0, 500, 500], 20), "a': job 101"),
        # not the other one of two that end at once
        (
            *("Per-Stage", [Fate(run=30), Fate(run=20, state="CANCELLED"), Fate(run=20, code=9)]),
            *((DIAMOND, (), 10), "right': job 103"),
        ),
    ],
)
def test_stage_that_failed_first_is_named(tmp_path, strategy, fates, options, stage):
    slurm = Slurm(fates)
    with pytest.raises(SlurmError, match=rf"stage '{stage} ended as FAILED, exit code 9;"):
        run_in_memory(strategy, slurm, tmp_path / "run", *options)
    assert slurm.left == []


def test_marks_replace_job_data_that_slurm_has_forgotten(tmp_path):
    """A was seen to start at 0, its script began at 3; b began and ended between two polls."""
    slurm = Slurm([Fate(prolog=3, run=10), Fate(prolog=1, run=4)], forgets=0)
    outcome, _ = run_in_memory("Per-Stage", slurm, tmp_path / "run", CHAIN[:2], poll=10)
    assert columns_of(outcome, "start", "end") == [[0, 13], [21, 25]]
    jobs = json.loads((tmp_path / "run/record.json").read_text())["jobs"]
    assert [(job["start"] - BEGIN, job["end"] - BEGIN) for job in jobs] == [(0, 13), (21, 25)]
    slurm = Slurm([Fate(run=10, code=3)], forgets=0)
    with pytest.raises(SlurmError, match=r"stage 'a': job 101 ended as FAILED, exit code 3;"):
        run_in_memory("Per-Stage", slurm, tmp_path / "again", CHAIN[:2], poll=3)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("stage", ["first", "later"])
def test_rejected_submission_leaves_no_job(tmp_path, strategy, stage):
    slurm = Slurm([Fate(run=30)])
    name = "all" if strategy == "Big Job" else "split" if stage == "first" else "right"
    slurm.refuses[name] = "Invalid account or account/partition combination specified"
    with pytest.raises(SlurmError, match=f"flow: stage '{name}': not submitted: .*Invalid account"):
        run_in_memory(strategy, slurm, tmp_path / "run")
    assert slurm.left == []


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("stage", ["first", "later"])
def test_job_accepted_despite_a_failed_sbatch_is_not_submitted_twice(tmp_path, strategy, stage):
    slurm, lines = Slurm([Fate(run=30), Fate(run=500)]), []
    name = "all" if strategy == "Big Job" else "split" if stage == "first" else "right"
    slurm.taken.add(name)
    run_in_memory(strategy, slurm, tmp_path / "run", tell=lines.append)
    assert slurm.left == []
    # of what was submitted without a dependency, some came early and was submitted again
    assert len(slurm.ran) == len(set(slurm.ran)) == (1 if strategy == "Big Job" else 4)
    assert any(f"{name}: job" in line and "accepted, although sbatch" in line for line in lines)
    assert sum(bool(re.search(rf"{name}: job \d+ submitted", line)) for line in lines) == 1


@pytest.mark.parametrize(("times", "known"), [(11, True), (12, False)])
def test_search_for_a_submitted_job_is_retried_at_the_end(tmp_path, monkeypatch, times, known):
    """It is looked up once at its submission, and eleven times at the end."""
    slurm, lines = Slurm([Fate(run=500)]), []
    slurm.taken.add("right")
    find, calls = slurm.find, []

    def failing(request):
        calls.append(request.name)
        if len(calls) <= times:
            raise SlurmError("squeue: error: Unable to contact slurm controller")
        return find(request)

    def interrupt():
        if len(slurm.by_number) == 3:
            slurm.at_call.clear()
            raise Interrupted(15)

    monkeypatch.setattr(slurm, "find", failing)
    slurm.at_call = dict.fromkeys(range(1000), interrupt)
    with pytest.raises(Interrupted):
        run_in_memory("Per-Stage", slurm, tmp_path / "run", tell=lines.append)
    script = slurm.by_number[103].request.script
    words = f"is not known: look for it by squeue --me, its script is {script}"
    assert any("flow.right" in line and line.endswith(words) for line in lines) != known
    assert slurm.left == ([] if known else ["right"])


@pytest.mark.parametrize("began", [False, True])
def test_a_job_that_slurm_forgets_is_lost(tmp_path, monkeypatch, began):
    slurm = Slurm([Fate(run=30), Fate(wait=0 if began else 500, run=500), Fate(run=500)])
    known = slurm.jobs
    monkeypatch.setattr(
        slurm,
        "jobs",
        lambda numbers: {
            number: seen
            for number, seen in known(numbers).items()
            if number != 102 or slurm.time() < BEGIN + 60
        },
    )
    was = "RUNNING" if began else "PENDING"
    with pytest.raises(SlurmError, match=f"job 102 is lost: Slurm does not know it, it was {was}"):
        run_in_memory("Per-Stage", slurm, tmp_path / "run")
    assert slurm.left == []


@pytest.mark.parametrize("state", ["PENDING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT"])
def test_requeued_job_is_rejected_and_cancelled(tmp_path, state):
    slurm = Slurm([Fate(run=30)])

    def put_back():
        slurm.by_number[101].state, slurm.by_number[101].start = state, None

    slurm.at_call[5] = put_back
    with pytest.raises(SlurmError, match=f"'split': job 101 had begun and is {state} now"):
        run_in_memory("Per-Stage", slurm, tmp_path / "run")
    assert slurm.left == []


def test_silent_slurm_is_polled_also_when_a_submission_is_due(tmp_path):
    """B is to be submitted at 70, and squeue is silent for ten looks from 66 on."""
    slurm = Slurm([Fate(run=100), Fate(run=50)])
    looks = []

    known = slurm.jobs

    def jobs(numbers):
        looks.append(slurm.time() - BEGIN)
        return known(numbers)

    slurm.jobs, slurm.at_call[22] = jobs, lambda: setattr(slurm, "silent", 10)
    outcome, _ = run_in_memory("ASA", slurm, tmp_path / "run", CHAIN[:2], [0, 30], poll=3)
    assert looks[21:33] == [*range(66, 102, 3)]
    assert outcome.stages["stage"].tolist() == ["a", "b"]


def test_unusual_wait_reason_is_reported_once(tmp_path):
    slurm, lines = Slurm([Fate(wait=20)]), []

    slurm.at_call[3] = lambda: setattr(slurm.by_number[101], "reason", "JobHeldAdmin")
    run_in_memory("Big Job", slurm, tmp_path / "run", tell=lines.append)
    (line,) = [line for line in lines if "waits" in line]
    assert line.endswith("all: job 101 waits: JobHeldAdmin")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("call", [1, 20, 33])
def test_interrupt_leaves_no_job(tmp_path, strategy, call):
    slurm = Slurm([Fate(wait=3, run=30)])

    slurm.interrupt_at(call)
    with pytest.raises(Interrupted, match="SIGTERM"):
        run_in_memory(strategy, slurm, tmp_path / "run", estimates=[9, 9, 9])
    assert slurm.left == []
    assert json.loads((tmp_path / "run/record.json").read_text())["error"] == "SIGTERM"


@pytest.mark.parametrize(("times", "is_left"), [(99, True), (10, False)])
def test_missing_controller_is_awaited_at_the_end_and_what_is_left_is_named(
    tmp_path, monkeypatch, times, is_left
):
    slurm, lines = Slurm([Fate(run=30, code=1), Fate(run=50)]), []
    calls = fail_scancel(slurm, monkeypatch, times)
    with pytest.raises(SlurmError, match="stage 'split'"):
        run_in_memory("ASA", slurm, tmp_path / "run", estimates=[99, 99, 99], tell=lines.append)
    assert calls == [[102, 103]] * 11
    assert ("by hand: scancel 102 103" in lines[-1]) == is_left
    assert slurm.left == []


def fail_scancel(slurm, monkeypatch, times):
    """Make scancel fail a given number of times; return its requests."""
    cancel, calls = slurm.cancel, []

    def failing(requests, pending_only=False):
        if requests:
            calls.append(list(requests))
        if requests and len(calls) <= times:
            raise SlurmError("scancel: error: Unable to contact slurm controller")
        return cancel(requests, pending_only)

    monkeypatch.setattr(slurm, "cancel", failing)
    return calls


@pytest.mark.parametrize("times", [10, 500])
def test_missing_controller_is_awaited_when_an_early_job_is_cancelled(tmp_path, monkeypatch, times):
    slurm = Slurm([Fate(run=30), Fate(run=50)])
    calls = fail_scancel(slurm, monkeypatch, times)
    outcome, _ = run_in_memory("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 500], poll=60)
    assert calls == [[102]] * (times + 1)
    assert outcome.stages["resubmitted"].tolist() == [0, 1]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_second_signal_leaves_no_job(tmp_path, monkeypatch, strategy):
    slurm = Slurm([Fate(wait=3, run=30)])
    came = []

    def signalled():
        came.append("one")
        os.kill(os.getpid(), signal.SIGTERM)

    def hasty():
        if came:
            signalled()
        return deferred_signals()

    slurm.at_call[9] = signalled
    monkeypatch.setattr(environment, "deferred_signals", hasty)
    with pytest.raises(Interrupted, match="SIGTERM") as error:
        run_in_memory(strategy, slurm, tmp_path / "run", estimates=[9, 9, 9])
    assert came == ["one", "one"]
    assert (slurm.left, error.value.left) == ([], ())


def test_signal_during_cleanup_after_a_failure_leaves_no_job(tmp_path, monkeypatch):
    """Split fails; the signal comes before left and right, submitted ahead, are taken back."""
    slurm = Slurm([Fate(run=30, code=1), Fate(run=50)])
    came = []

    def hasty():
        if not came and "split" not in slurm.left and slurm.left:
            came.append("one")
            os.kill(os.getpid(), signal.SIGTERM)
        return deferred_signals()

    monkeypatch.setattr(environment, "deferred_signals", hasty)
    with pytest.raises(Interrupted, match="SIGTERM"):
        run_in_memory("ASA", slurm, tmp_path / "run", estimates=[99, 99, 99])
    assert len(slurm.by_number) == 3
    assert (came, slurm.left) == (["one"], [])


@pytest.mark.parametrize(("silent", "left"), [(59, ()), (60, (101,))])
def test_job_not_seen_to_end_is_named(tmp_path, silent, left):
    """A job is submitted, and Slurm is silent from then on."""
    slurm, lines = Slurm([Fate(wait=500)]), []

    def interrupt():
        slurm.silent = silent
        raise Interrupted(15)

    slurm.at_call[1] = interrupt
    with pytest.raises(Interrupted) as error:
        run_in_memory("Big Job", slurm, tmp_path / "run", tell=lines.append)
    assert error.value.left == left
    (job,) = json.loads((tmp_path / "run/record.json").read_text())["jobs"]
    assert job["state"] == (None if left else "CANCELLED")
    words = "taken back, but not seen to leave the queue: scancel 101"
    assert (lines[-1] == words) == bool(left)


def test_folder_of_another_run_is_not_changed(tmp_path):
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(SlurmError, match=r"is there and not empty; each run has a folder of its"):
        RunFolder(tmp_path, workflow_file())
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_only_unfinished_jobs_are_checked_at_the_end(tmp_path, monkeypatch):
    """A has ended well when the signal comes; of the two jobs b alone is taken back."""
    slurm, looks = Slurm([Fate(run=10), Fate(run=500)]), []
    known = slurm.jobs

    def jobs(numbers):
        looks.append(list(numbers))
        return known(looks[-1])

    def interrupt():
        looks.clear()
        raise Interrupted(15)

    monkeypatch.setattr(slurm, "jobs", jobs)
    slurm.at_call[20] = interrupt
    with pytest.raises(Interrupted):
        run_in_memory("Per-Stage", slurm, tmp_path / "run", CHAIN[:2])
    assert slurm.by_number[101].state == "COMPLETED"
    assert looks == [[102]]
    assert slurm.left == []

"""A workflow outlives lost, damaged and full files of its folder and its learner."""

import errno
import os
import subprocess
import sys

import pytest

from asa_case import Told
from schedlab.slurm import cautious_estimator
from schedlab.slurm.cautious_estimator import REST_S, CautiousEstimator
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.retries import GivenUpError
from schedlab.slurm.run import resume_workflow, run_workflow
from schedlab.waits import store
from schedlab.waits.learner import Geometry, Learner
from slurm_case import Fate, Slurm
from workflows_case import CHAIN, run_in_memory, workflow_file


def learned_run(slurm, folder, state, lines):
    """Run the chain with a learner whose file may be lost."""
    return run_workflow(
        workflow_file(CHAIN), "ASA", folder, Learner(path=state), 1.0, lines.append, slurm
    )


def damage(path):
    """Write what is no state."""
    path.write_text("{")


def replace_by_folder(path):
    """Make the file impossible to write, also for root."""
    path.unlink()
    (path / "inside").mkdir(parents=True)


def fill_disk(_):
    def full(*_):
        raise OSError(122, "Disk quota exceeded", "waits.json")

    store.write_text = full


@pytest.mark.parametrize("harm", [damage, replace_by_folder, fill_disk])
def test_lost_learner_file_ends_nothing_that_runs(tmp_path, monkeypatch, harm):
    monkeypatch.setattr(store, "write_text", store.write_text)  # as it is again afterwards
    slurm, lines, state = Slurm([Fate(run=1000)]), [], tmp_path / "waits.json"
    slurm.at_call[1] = lambda: harm(state)
    outcome = learned_run(slurm, tmp_path / "run", state, lines)
    assert slurm.ran == ["a", "b", "c"]
    assert {job.state for job in slurm.by_number.values()} == {"COMPLETED"}
    assert len(outcome.stages) == 3
    warned = [line for line in lines if "waits are not learned for 300 s, jobs go on: " in line]
    assert warned
    assert "waits.json" in warned[0]


def test_locked_learner_file_ends_nothing_that_runs(tmp_path, monkeypatch):
    slurm, lines, state = Slurm([Fate(run=1000)]), [], tmp_path / "waits.json"
    held = "from filelock import FileLock; import sys, time; "
    held += "lock = FileLock(sys.argv[1]); lock.acquire(); print(1, flush=True); time.sleep(60)"
    monkeypatch.setattr("schedlab.waits.store.TIMEOUT_S", 0.05)
    processes = []

    def lock():
        command = [sys.executable, "-c", held, f"{state}.lock"]
        processes.append(subprocess.Popen(command, stdout=subprocess.PIPE))
        processes[0].stdout.readline()

    slurm.at_call[1] = lock
    try:
        learned_run(slurm, tmp_path / "run", state, lines)
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    assert slurm.ran == ["a", "b", "c"]
    assert any("another process has held" in line for line in lines)


def test_damaged_learner_file_is_an_error_before_the_first_submission(tmp_path):
    slurm = Slurm()
    damage(tmp_path / "waits.json")
    with pytest.raises(ValueError, match=r"waits.json: cut short, or no state of a learner"):
        learned_run(slurm, tmp_path / "run", tmp_path / "waits.json", [])
    assert slurm.by_number == {}


class Failing:
    """An estimator that fails while told to, and records what it observes."""

    def __init__(self):
        self.fails, self.seen, self.answer = False, [], 70

    def estimate(self, geometry):
        if self.fails:
            raise OSError("away")
        return self.answer

    def observe(self, geometry, wait, estimate=None):
        if self.fails:
            raise OSError("away")
        self.seen.append((wait, estimate))


def test_estimates_without_an_estimator_are_the_last_ones_or_none():
    clock, lines, failing = [1000.0], [], Failing()
    careful = CautiousEstimator(failing, lambda: True, lambda: clock[0], lines.append)
    known, new = Geometry("s", 1), Geometry("s", 2)
    assert careful.estimate(known) == 70
    failing.fails = True
    assert (careful.estimate(known), careful.estimate(new)) == (70, 0)
    careful.observe(new, 5, 0)
    assert lines == ["waits are not learned for 300 s, jobs go on: away"]
    failing.fails, failing.answer = False, 90
    clock[0] += REST_S - 1
    assert careful.estimate(known) == 70
    clock[0] += 1
    # an estimate of 0 may be none of the learner's alternatives
    careful.observe(new, 6, 0)
    assert (careful.estimate(known), careful.estimate(new)) == (90, 90)
    careful.observe(new, 7, 90)
    assert failing.seen == [(6, None), (7, 90)]
    assert cautious_estimator.REST_S == 300


def test_estimator_must_work_before_the_first_submission():
    failing = Failing()
    failing.fails = True
    careful = CautiousEstimator(failing, lambda: False, lambda: 0.0, print)
    with pytest.raises(OSError, match="away"):
        careful.estimate(Geometry("s", 1))


def test_script_that_cannot_be_written_is_tried_again(tmp_path, monkeypatch):
    slurm, lines, script = Slurm([Fate(run=30)]), [], RunFolder.script
    failures = [OSError(122, "Disk quota exceeded")] * 2

    def full(folder, stage, *arguments):
        if stage.name == "b" and failures:
            raise failures.pop()
        return script(folder, stage, *arguments)

    monkeypatch.setattr(RunFolder, "script", full)
    run_in_memory("Per-Stage", slurm, tmp_path / "run", CHAIN, tell=lines.append)
    assert slurm.ran == ["a", "b", "c"]
    assert sum("b: not submitted: [Errno 122] Disk quota" in line for line in lines) == 2


@pytest.mark.parametrize("name", ["ENAMETOOLONG", "EISDIR", "ENOENT", "ENOTDIR", "EROFS", "EACCES"])
@pytest.mark.parametrize("method", ["script", "mark"])
def test_error_that_stays_ends_the_client_at_once_and_leaves_what_runs(
    tmp_path, monkeypatch, name, method
):
    """It is not tried again for hours; the run can be resumed."""
    code = getattr(errno, name)
    original = getattr(RunFolder, method)

    def fail(folder, *arguments):
        if method == "mark" or arguments[0].name == "b":
            raise OSError(code, os.strerror(code), "jobs")
        return original(folder, *arguments)

    slurm = Slurm([Fate(run=5000)])
    begin = slurm.time()
    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, method, fail)
        with pytest.raises(GivenUpError, match=os.strerror(code)):
            run_in_memory("ASA Naive", slurm, tmp_path / "run", CHAIN, [0, 4990, 25])
    # whether b idles is not known then
    assert slurm.left == (["a"] if method == "script" else ["a", "b"])
    assert slurm.time() - begin < 5000
    outcome = resume_workflow(tmp_path / "run", Told({}), slurm=slurm)
    assert slurm.ran == ["a", "b", "c"]
    assert len(outcome.stages) == 3


def test_marks_that_cannot_be_read_are_waited_for(tmp_path, monkeypatch):
    slurm, mark, failures = Slurm([Fate(run=30)]), RunFolder.mark, [OSError(116, "Stale")] * 3

    def stale(folder, number, kind):
        if failures:
            raise failures.pop()
        return mark(folder, number, kind)

    monkeypatch.setattr(RunFolder, "mark", stale)
    run_in_memory("ASA Naive", slurm, tmp_path / "run", CHAIN, [0, 25, 25])
    assert failures == []
    assert slurm.ran == ["a", "b", "c"]


def test_result_without_a_record_is_still_the_result(tmp_path, monkeypatch):
    lines = []

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("schedlab.slurm.run.write_text", full)
    outcome, _ = run_in_memory("Per-Stage", Slurm(), tmp_path / "run", CHAIN, tell=lines.append)
    assert len(outcome.stages) == 3
    assert lines[-1].startswith("all stages have ended, but the record is not written: [Errno 28]")

"""A workflow outlives the loss of the controller, and each of its jobs is submitted once."""

import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from schedlab.slurm import retries
from schedlab.slurm.client import SlurmError
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.interrupts import Interrupted
from schedlab.slurm.monitor import LOST_S
from schedlab.slurm.retries import FIRST_S, JITTER, LONGEST_S, REMIND_S, GivenUpError, Retries
from slurm_case import BEGIN, Fate, Slurm
from workflows_case import CHAIN, run_in_memory, workflow_file

HOUR = 3600.0


def away(slurm, begin, end):
    """Let squeue and scancel have no answer between two times."""
    jobs, cancel, find = slurm.jobs, slurm.cancel, slurm.find

    def or_silent(call):
        def asked(*arguments):
            if begin <= slurm.time() - BEGIN < end:
                raise SlurmError("squeue: error: Unable to contact slurm controller")
            return call(*arguments)

        return asked

    slurm.jobs, slurm.cancel, slurm.find = map(or_silent, (jobs, cancel, find))


@pytest.mark.parametrize("strategy", ["Per-Stage", "ASA", "All at once"])
def test_absent_controller_costs_only_time(tmp_path, strategy):
    """It is away for three hours; a ends meanwhile, and Slurm has forgotten it."""
    slurm, lines = Slurm([Fate(run=600)]), []
    away(slurm, 300, 300 + 3 * HOUR)
    outcome, _ = run_in_memory(
        strategy, slurm, tmp_path / "run", CHAIN, [9, 9, 9], 10.0, lines.append
    )
    assert slurm.ran == ["a", "b", "c"]
    assert {job.state for job in slurm.by_number.values()} == {"COMPLETED"}
    assert outcome.stages["end"].iloc[0] == BEGIN + 600
    absent = [line for line in lines if "no answer" in line]
    assert absent[0].endswith("controller; waits up to 12h, jobs go on")
    assert len(absent) == 3 * HOUR / REMIND_S
    assert sum("answers again after 3h" in line for line in lines) == 1


@pytest.mark.parametrize(("seconds", "ends"), [(100, False), (110, True)])
def test_after_the_time_the_run_ends_and_its_jobs_go_on(tmp_path, seconds, ends):
    """Polls are every ten seconds from 10 on; Slurm is silent from the first on."""
    slurm, lines = Slurm([Fate(run=5000), Fate(run=10)]), []
    away(slurm, 1, 11 + seconds)

    def run():
        run_in_memory(
            "All at once", slurm, tmp_path / "run", CHAIN, (), 10.0, lines.append, give_up=100
        )

    if not ends:
        run()
        assert slurm.ran == ["a", "b", "c"]
        return
    with pytest.raises(GivenUpError, match="workflow flow: Slurm: no answer for 100s: squeue"):
        run()
    assert slurm.left == ["a", "b", "c"]
    assert "scancel 101 102 103" in lines[-1]
    assert json.loads((tmp_path / "run/record.json").read_text())["jobs"][0]["job"] == 101


def test_messages_about_an_absence_are_rare(monkeypatch):
    slurm, lines = Slurm(), []
    waits = Retries(slurm, "Slurm", HOUR, 10.0, lines.append)
    for seconds in (0, REMIND_S - 1, 1, REMIND_S - 1):
        slurm.sleep(seconds)
        waits.failed(SlurmError("away"))
    assert lines == ["no answer: away; waits up to 1h, jobs go on"] * 2
    waits.answered()
    assert lines[2:] == ["answers again after 599s"]
    # a further absence at once is not announced, and neither is its end
    waits.failed(SlurmError("away"))
    waits.answered()
    assert len(lines) == 3


@pytest.mark.parametrize(("beyond", "ends"), [(0, False), (1, True)])
def test_a_request_is_given_up_after_its_time_alone(beyond, ends):
    slurm = Slurm()
    waits = Retries(slurm, "Slurm", HOUR, 10.0, print)
    waits.failed(SlurmError("away"))
    slurm.sleep(HOUR + beyond)
    if ends:
        with pytest.raises(GivenUpError):
            waits.failed(SlurmError("away"))
    else:
        waits.failed(SlurmError("away"))
    waits.answered()
    waits.failed(SlurmError("away"))  # a new absence


def test_delays_grow_up_to_the_longest_with_jitter(monkeypatch):
    monkeypatch.setattr(retries.random, "uniform", lambda low, high: high)
    most = [retries.delay(tries) / (1 + JITTER) for tries in range(1, 8)]
    assert most == [30, 60, 120, 240, 480, 600, 600]
    assert (most[0], most[-1]) == (FIRST_S, LONGEST_S)
    monkeypatch.setattr(retries.random, "uniform", lambda low, high: low)
    assert retries.delay(1) == FIRST_S


def test_refusals_for_now_are_tried_again_while_other_stages_go_on(tmp_path):
    """Right is refused three times; left, of the same time, runs and ends meanwhile."""
    slurm, lines = Slurm([Fate(run=30)]), []
    slurm.busy["right"] = ["QOSMaxSubmitJobPerUserLimit"] * 3
    run_in_memory("Per-Stage", slurm, tmp_path / "run", tell=lines.append)
    assert slurm.ran == ["split", "left", "right", "join"]
    assert len(slurm.by_number) == 4
    refused = [line for line in lines if "right: not submitted: sbatch: error: QOSMax" in line]
    pauses = [int(re.search(r"tried again in (\d+) s$", line)[1]) for line in refused]
    assert len(pauses) == 3
    for tries, pause in enumerate(pauses):
        least = FIRST_S * 2**tries
        assert least <= pause <= least * (1 + JITTER)
    assert slurm.by_number[103].submit - slurm.by_number[102].submit >= sum(pauses) - 3


def test_dependent_stages_wait_for_the_submission_of_the_one_before(tmp_path):
    slurm = Slurm([Fate(run=30)])
    slurm.busy["b"] = ["Resource temporarily unavailable"] * 2
    run_in_memory("All at once", slurm, tmp_path / "run", CHAIN)
    assert slurm.ran == ["a", "b", "c"]
    # a has ended before b was accepted
    requests = [job.request for job in slurm.by_number.values()]
    assert [request.after for request in requests] == [(), (), (102,)]


@pytest.mark.parametrize(("give_up", "ends"), [(90.0, False), (89.9, True)])
def test_refusals_for_longer_than_the_time_leave_running_jobs(tmp_path, monkeypatch, give_up, ends):
    """B is refused at 0, 30 and 90 s."""
    monkeypatch.setattr(retries.random, "uniform", lambda low, high: low)
    slurm, lines = Slurm([Fate(run=5000), Fate(run=10)]), []
    slurm.busy["b"] = ["QOSMaxSubmitJobPerUserLimit"] * 3

    def run():
        run_in_memory(
            "All at once", slurm, tmp_path / "run", CHAIN, tell=lines.append, give_up=give_up
        )

    if not ends:
        run()
        assert slurm.ran == ["a", "b", "c"]
        return
    with pytest.raises(GivenUpError, match=r"stage 'b': not submitted for 89.9s: .*QOSMax"):
        run()
    assert slurm.left == ["a"]
    assert lines[-1] == "left running: 101; to end them: scancel 101"


@pytest.mark.parametrize("is_there", [True, False])
def test_job_with_an_unreadable_number_is_found_by_its_mark(tmp_path, monkeypatch, is_there):
    slurm, lines = Slurm([Fate(run=30)]), []
    submit = slurm.submit

    def unreadable(request):
        number = submit(request) if is_there else 101
        if "split" not in request.name:
            return number
        raise SlurmError(f"sbatch printed '{number}\\n4711\\n', not one line with a job's number")

    monkeypatch.setattr(slurm, "submit", unreadable)
    if not is_there:
        with pytest.raises(SlurmError, match="stage 'split': not submitted: sbatch printed '101"):
            run_in_memory("Per-Stage", slurm, tmp_path / "run")
        return
    run_in_memory("Per-Stage", slurm, tmp_path / "run", tell=lines.append)
    assert slurm.ran == ["split", "left", "right", "join"]
    assert len(slurm.by_number) == 4
    assert "split: job 101 accepted, although sbatch printed '101\\n4711\\n'" in lines[0]


@pytest.mark.parametrize("seconds", [0, 100])
def test_final_refusal_counts_at_once_when_the_job_was_looked_up(tmp_path, seconds):
    slurm = Slurm([Fate(run=30)])
    slurm.refuses["right"] = "Invalid partition name specified"
    away(slurm, 0, seconds)
    with pytest.raises(SlurmError, match="'right': not submitted: sbatch: error: Invalid part"):
        run_in_memory("All at once", slurm, tmp_path / "run")
    assert (slurm.time() > BEGIN) == bool(seconds)
    assert slurm.time() - BEGIN >= seconds


def test_job_accepted_late_is_not_submitted_twice(tmp_path, monkeypatch):
    """A busy controller accepts it ten seconds after sbatch has given up."""
    slurm, lines = Slurm([Fate(run=300)]), []
    slurm.taken.add("a")
    find = slurm.find
    monkeypatch.setattr(
        slurm, "find", lambda request: find(request) if slurm.time() >= BEGIN + 10 else 0
    )
    run_in_memory("Per-Stage", slurm, tmp_path / "run", CHAIN, tell=lines.append)
    assert slurm.ran == ["a", "b", "c"]
    assert len(slurm.by_number) == 3
    assert "a: not submitted: sbatch: error: Socket timed out" in lines[0]


def test_accepted_job_that_slurm_has_forgotten_is_found_by_its_mark_in_the_folder(tmp_path):
    """And a second job of its script does not run it. Signs of patterns are escaped."""
    folder = RunFolder(tmp_path / "100%job %j", workflow_file())
    assert str(folder.output("split")) == f"{tmp_path}/100%%job %%j/output/split.%j.txt"
    assert folder.output("split", 17) == tmp_path / "100%job %j/output/split.17.txt"
    script = folder.script(workflow_file().workflow.stages[0], (), 1.0)
    claim = folder.path / "marks/1.job"
    assert folder.claimed(script) == 0
    for text, number in (("4711\n", 4711), ("", 0)):
        claim.write_text(text)
        assert folder.claimed(script) == number
    claim.unlink()
    for number, code in ((17, 0), (18, 1), (17, 0)):
        environment = os.environ | {"SLURM_JOB_ID": str(number)}
        assert subprocess.run(["bash", script], env=environment).returncode == code
    assert folder.claimed(script) == 17
    assert folder.mark(18, "began") is None


def test_job_of_another_is_named_and_not_cancelled(tmp_path):
    slurm, lines = Slurm([Fate(run=5000)]), []
    slurm.strangers.add(102)

    slurm.interrupt_at(5)
    with pytest.raises(Interrupted) as error:
        run_in_memory("All at once", slurm, tmp_path / "run", CHAIN, tell=lines.append)
    assert error.value.left == (102,)
    assert slurm.left == ["b"]
    assert any("job 102 is not known as this run's: not cancelled" in line for line in lines)


@pytest.mark.parametrize(("seconds", "lost"), [(LOST_S - 1, False), (LOST_S, True)])
def test_job_counts_as_lost_only_after_some_time(tmp_path, monkeypatch, seconds, lost):
    """Slurm has forgotten a; the marks of its end are seen late."""
    slurm = Slurm([Fate(run=50), Fate(run=20)])
    known, first = slurm.jobs, []

    def jobs(numbers):
        states = known(numbers)
        if 101 in states and states[101].over:
            first.append(slurm.time())
            if slurm.time() - first[0] <= seconds:
                return {}
        return states

    monkeypatch.setattr(slurm, "jobs", jobs)
    mark = RunFolder.mark
    monkeypatch.setattr(
        RunFolder,
        "mark",
        lambda folder, number, kind: (
            None
            if number == 101 and not (not first or slurm.time() - first[0] > seconds)
            else mark(folder, number, kind)
        ),
    )
    if lost:
        with pytest.raises(SlurmError, match="job 101 is lost"):
            run_in_memory("Per-Stage", slurm, tmp_path / "run", CHAIN[:2])
    else:
        run_in_memory("Per-Stage", slurm, tmp_path / "run", CHAIN[:2])
        assert slurm.ran == ["a", "b"]


@pytest.mark.parametrize("sign", ["\\", "\n"])
def test_folder_that_sbatch_cannot_name_is_refused(tmp_path, sign):
    with pytest.raises(SlurmError, match="a backslash or a line break in the path"):
        RunFolder(tmp_path / f"a{sign}b", workflow_file())
    assert list(tmp_path.iterdir()) == []


def test_marks_of_two_runs_in_folders_of_one_name_differ(tmp_path):
    scripts = []
    for _ in range(2):
        folder = RunFolder(tmp_path / "run", workflow_file())
        scripts.append(folder.script(workflow_file().workflow.stages[0], (), 1.0))
        for path in sorted(Path(tmp_path / "run").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
    assert scripts[0].name.startswith("1.split.")
    assert scripts[0] != scripts[1]


def test_requests_carry_the_mark_of_their_script(tmp_path):
    slurm = Slurm()
    run_in_memory("All at once", slurm, tmp_path / "run", CHAIN)
    requests = [job.request for job in slurm.by_number.values()]
    assert [request.mark for request in requests] == [
        f"schedlab:{request.script.stem}" for request in requests
    ]
    assert len({request.mark for request in requests}) == 3
    assert {request.made for request in requests} == {BEGIN}
    assert replace(requests[0], mark="") != requests[0]

"""`schedlab asa run` without Slurm and on one in memory: its output and exit codes."""

import json
import re
import signal

import pytest

from asa_command_case import asa, call, rows
from schedlab.slurm import client, detached, folder, run, status
from schedlab.slurm.client import SlurmError
from schedlab.slurm.client_lock import Client
from schedlab.slurm.folder import next_folder
from schedlab.slurm.interrupts import Interrupted
from slurm_case import Fate, Slurm


@pytest.fixture
def slurm(here, monkeypatch):
    """A Slurm in memory in the place of this machine's."""
    found = Slurm([Fate(wait=7, run=3600), Fate(wait=1, run=40), Fate(run=10)])
    monkeypatch.setattr(run, "Slurm", lambda *_: found)
    return found


def test_progress_and_result_of_a_run_are_printed(slurm, here):
    result = call("flow.yaml", "--strategy", "perstage")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert re.match(r"\d\d:\d\d:\d\d  split: job 101 submitted: 1 core, 1 min$", lines[0])
    assert lines[1].endswith("  split: job 101 started after 7 s")
    assert lines[2].endswith("  split: job 101 ended after 3600 s")
    table = lines.index("flow by Per-Stage on fake/main")
    assert rows("\n".join(lines[table + 1 : table + 3])) == [
        ["stage", "cores", "submitted, s", "waited", "perceived", "ran", "idled"],
        ["split", "1", "0", "7", "7", "3,600", "0"],
    ]
    # polls every 10 s: what ended at 3,607 was seen at 3,610
    assert lines[table + 2 + 3] == (
        "perceived wait 20 s in all, makespan 3,670 s, 1.09 core-hours used"
    )
    assert lines[-1] == (
        f"outputs, scripts and record.json are in flow.1; waits learned, in "
        f"{here}/state/schedlab/waits.json"
    )
    assert (here / "flow.1/stages.csv").exists()


def test_json_is_the_only_output(slurm, here):
    result = call("flow.yaml", "--strategy", "bigjob", "--json", "--folder", "mine")
    found = json.loads(result.stdout)
    assert "all: job 101 started after 7 s" in result.stderr
    assert {
        "workflow": "flow",
        "strategy": "Big Job",
        "system": "fake/main",
    }.items() <= found.items()
    assert (found["perceived"], found["makespan"], found["core_hours"]) == (7, 3607, 8.0)
    assert found["folder"] == "mine"
    assert [row["stage"] for row in found["stages"]] == ["all"]


def test_idle_core_hours_are_in_the_table(here, monkeypatch):
    slurm = Slurm([Fate(run=36), Fate(run=40), Fate(run=40)])
    monkeypatch.setattr(run, "Slurm", lambda *_: slurm)
    result = call("flow.yaml", "--strategy", "naive", "--poll", "1s")
    (left,) = [row for row in rows(result.stdout) if row[0] == "left"]
    assert int(left[-1]) > 0
    assert re.search(r"core-hours used, 0\.\d\d idled$", result.stdout, re.MULTILINE)


@pytest.mark.slow
def test_waits_are_learned_across_runs(slurm, here):
    state = here / "state/schedlab/waits.json"
    for number in (1, 2):
        assert call("flow.yaml", "--strategy", "asa").exit_code == 0
        record = json.loads(state.read_text())["records"]["fake/main/limit=1h/1"]
        assert record["drawn"] == 51 * number  # an estimate, and 50 of the tuned policy
    assert (here / "flow.2/record.json").exists()
    call("flow.yaml", "--strategy", "asa", "--state", "mine.json")
    assert (here / "mine.json").exists()


def test_no_slurm(here, monkeypatch):
    monkeypatch.setenv("PATH", str(here))
    result = call("flow.yaml")
    assert result.exit_code == 1
    assert result.stderr == (
        "no Slurm found: sbatch is not in PATH; run this where sbatch works, as on a login node\n"
    )
    assert not (here / "flow.1").exists()


def test_other_mistakes_are_one_line(slurm, here):
    (here / "mine").mkdir()
    (here / "mine/kept.txt").touch()
    (here / "damaged.json").write_text("{")
    for arguments, words in (
        (["nothing.yaml"], "nothing.yaml: no such file"),
        (["flow.yaml", "--strategy", "best"], "one of bigjob, perstage,"),
        (["flow.yaml", "--folder", "mine"], "mine: is there and not empty; each run has a folder"),
        (["flow.yaml", "--state", "damaged.json"], "damaged.json: cut short, or no state of a"),
    ):
        result = call(*arguments)
        assert result.exit_code == 1
        assert words in result.stderr
        assert result.stderr.count("\n") == 1
    assert slurm.by_number == {}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_is_reported(slurm, number):
    def interrupt():
        raise Interrupted(number)

    slurm.at_call[3] = interrupt
    result = call("flow.yaml")
    assert result.exit_code == 128 + number
    assert result.stderr == f"ended by {number.name}; its jobs were taken back\n"
    assert slurm.left == []


def test_jobs_left_by_a_signal_are_reported(slurm, monkeypatch):
    def interrupt():
        raise Interrupted(signal.SIGTERM)

    def down(*_):
        raise SlurmError("scancel: error: Unable to contact slurm controller")

    slurm.at_call[3] = interrupt
    monkeypatch.setattr(slurm, "cancel", down)
    result = call("flow.yaml", "--strategy", "perstage")
    assert result.exit_code == 128 + signal.SIGTERM
    assert result.stderr == (
        "ended by SIGTERM; its jobs were taken back, but for those that may be left: scancel 101\n"
    )


def test_running_jobs_left_after_a_lost_terminal_are_reported(slurm):
    def interrupt():
        raise Interrupted(signal.SIGTERM, hung_up=True)

    slurm.at_call[3] = interrupt
    result = call("flow.yaml", "--strategy", "perstage", "--poll", "5s")
    assert result.exit_code == 128 + signal.SIGTERM
    assert result.stderr == (
        "ended by SIGTERM; its jobs were taken back, but for those that run: 101; "
        "go on with: schedlab asa resume flow.1\n"
    )
    assert slurm.left == ["split"]


def test_times_of_giving_up_are_options(here, monkeypatch):
    timeouts, slurm = [], Slurm([Fate(run=3600)])
    slurm.silent = 1000
    monkeypatch.setattr(run, "Slurm", lambda timeout: timeouts.append(timeout) or slurm)
    result = call("flow.yaml", "--strategy", "perstage", "--give-up", "5m", "--timeout", "90s")
    assert result.exit_code == 1
    assert result.stderr.startswith("workflow flow: Slurm: no answer for 5m: squeue: ")
    assert set(timeouts) == {90.0}
    assert slurm.left == ["split"]


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--give-up", "12", "--give-up: "),
        ("--timeout", "0.9s", "--timeout: 0.9s is too short, the least is 1s"),
    ],
)
def test_times_that_are_none_are_refused(slurm, option, value, words):
    result = call("flow.yaml", option, value)
    assert result.exit_code == 1
    assert words in result.stderr
    assert slurm.by_number == {}
    assert call("flow.yaml", "--strategy", "perstage", "--timeout", "1s").exit_code == 0


@pytest.fixture
def stopped(here, monkeypatch):
    """A run whose detached client was ended by the machine while split ran."""

    def interrupt():
        raise Interrupted(signal.SIGTERM, detached=True)

    found = Slurm([Fate(wait=7, run=3600), Fate(wait=1, run=40), Fate(run=10)])
    monkeypatch.setattr(run, "Slurm", lambda *_: found)
    monkeypatch.setattr(status, "Slurm", lambda *_: found)
    found.at_call[3] = interrupt
    result = call("flow.yaml", "--strategy", "perstage")
    assert result.exit_code == 128 + signal.SIGTERM
    assert result.stderr == (
        "ended by SIGTERM; its jobs stay: 101; go on with: schedlab asa resume flow.1\n"
    )
    return found


def test_status_then_resume_then_status(stopped, here):
    result = asa("status", "flow.1")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "flow by Per-Stage on fake/main"
    assert [row[:3] for row in rows(result.stdout)[1:]] == [
        ["split", "101", "runs"],
        ["left", "not due"],
        ["join", "not due"],
    ]
    assert lines[-1] == "go on with: schedlab asa resume flow.1"
    result = asa("resume", "flow.1", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [row["stage"] for row in found["stages"]] == ["split", "left", "join"]
    assert found["state"] == str(here / "state/schedlab/waits.json")
    assert len(stopped.by_number) == 3
    found = json.loads(asa("status", "flow.1", "--json").stdout)
    assert (found["succeeded"], found["lives"], found["error"]) == (True, False, None)
    assert [job["state"] for job in found["jobs"]] == ["ended"] * 3
    # a run that has ended prints its result again
    assert "flow by Per-Stage on fake/main" in asa("resume", "flow.1").stdout
    assert len(stopped.by_number) == 3


def test_run_that_begins_at_the_same_time_gets_another_folder(slurm, here, monkeypatch):
    """It takes the name between this one's look and its first file."""

    def late(parent, name):
        place = next_folder(parent, name)
        if place.name == "flow.1":
            (place / "commands").mkdir(parents=True)
        return place

    monkeypatch.setattr(folder, "next_folder", late)
    result = call("flow.yaml", "--strategy", "perstage")
    assert result.exit_code == 0, result.output
    assert "record.json are in flow.2;" in result.stdout
    result = call("flow.yaml", "--folder", "flow.1")
    assert result.exit_code == 1
    assert result.stderr == "flow.1: is there and not empty; each run has a folder of its own\n"


def test_folder_with_a_blank_is_quoted_in_commands(slurm, here, monkeypatch):
    monkeypatch.setattr(status, "Slurm", lambda *_: slurm)
    slurm.silent = 1000
    arguments = ("--strategy", "perstage", "--give-up", "5m", "--folder", "a b$")
    assert call("flow.yaml", *arguments).stderr.endswith("schedlab asa resume 'a b$'\n")
    assert asa("status", "a b$").stdout.endswith("schedlab asa resume 'a b$'\n")
    monkeypatch.setattr(detached, "start_detached", lambda folder: Client("login1", 4711))
    assert "schedlab asa status 'a b$'\n" in asa("resume", "a b$", "--detach").stdout


@pytest.mark.slow
def test_detached_run_without_a_slurm_is_one_line(here, slurm, monkeypatch):
    monkeypatch.setenv("PATH", str(here))
    result = call("flow.yaml", "--detach")
    assert result.exit_code == 1
    assert "no Slurm found: sbatch is not in PATH" in result.stderr
    assert result.stderr.count("\n") == 1
    assert "no Slurm found" in (here / "flow.1/progress.txt").read_text()


def test_detached_run_names_its_process(slurm, monkeypatch):
    monkeypatch.setattr(detached, "start_detached", lambda folder: Client("login1", 4711))
    result = call("flow.yaml", "--detach")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "flow.1 is run by process 4711 on login1, which goes on without this terminal",
        "progress: flow.1/progress.txt, schedlab asa status flow.1",
        "to end it and take its jobs back: kill -INT 4711",
    ]
    assert slurm.by_number == {}
    assert json.loads(call("flow.yaml", "--detach", "--json").stdout) == {
        "folder": "flow.2",
        "host": "login1",
        "process": 4711,
    }
    result = asa("resume", "flow.1", "--detach")
    assert "flow.1 is run by process 4711" in result.stdout


def test_dry_run_prints_the_plan_and_submits_nothing(slurm, here, monkeypatch):
    monkeypatch.setattr(client, "Slurm", lambda *_: slurm)
    result = call("flow.yaml", "--strategy", "asa", "--dry-run")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "plan: flow by ASA on fake/main"
    assert rows(result.stdout)[1] == ["split", "1", "1", "0", "0", "0", "30"]
    assert lines[-3:] == [
        "learned cannot tell yet how long 1, 2, 8 cores wait on fake/main: it counts as 0",
        "note: jobs are ordered by submit time: an early submission gains its place in the queue",
        "nothing was submitted; seconds are from the beginning of the run",
    ]
    found = json.loads(call("flow.yaml", "--dry-run", "--json").stdout)
    assert [row["end"] for row in found["stages"]] == [30, 70, 80]
    assert slurm.by_number == {}
    assert sorted(path.name for path in here.iterdir()) == ["flow.yaml"]


def test_predictor_is_chosen_and_its_mistakes_are_one_line(slurm, here, monkeypatch):
    monkeypatch.setattr(client, "Slurm", lambda *_: slurm)
    slurm.test_wait = 40
    result = call("flow.yaml", "--predictor", "test-only", "--dry-run")
    assert rows(result.stdout)[1] == ["split", "1", "1", "0", "40", "40", "70"]
    assert "cannot tell" not in result.stdout
    result = call("flow.yaml", "--predictor", "conformal", "--dry-run")
    assert "conformal cannot tell yet how long 1, 2, 8 cores wait" in result.stdout
    assert call("flow.yaml", "--predictor", "test-only").exit_code == 0
    assert len(slurm.by_number) == 3
    for arguments, words in (
        (["--predictor", "best"], "one of learned, test-only, conformal"),
        (
            ["--predictor", "test-only", "--strategy", "perstage"],
            "--predictor test-only: strategy ",
        ),
    ):
        result = call("flow.yaml", *arguments)
        assert result.exit_code == 1
        assert words in result.stderr
        assert result.stderr.count("\n") == 1
    assert len(slurm.by_number) == 3

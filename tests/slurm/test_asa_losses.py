"""`schedlab asa run` on a real Slurm: lost controller, answer, file and terminal."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from schedlab.slurm.cluster import end, run, start_controller, wait_until
from slurm.test_asa import Called, call, diamond, queued, result_of  # noqa: F401  (call is a fixture)

pytestmark = pytest.mark.slurm
ORDER = ["split", "left", "right 0", "right 1", "right 2"]


def joined(called):
    """Lines that the last stage wrote."""
    return (called.folder / "join.txt").read_text().splitlines()


def test_absent_controller_and_lost_terminal_and_file_cost_only_time(slurm, tmp_path):
    (tmp_path / "flow.yaml").write_text(json.dumps(diamond("losses")))
    command = [sys.executable, "-m", "schedlab", "asa", "run", "flow.yaml", "--json"]
    # squeue alone would try for ten seconds to reach the controller
    command += ["--folder", "run", "--poll", "0.5s", "--timeout", "1s"]
    with (tmp_path / "said.txt").open("w") as said:
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env=os.environ | {"XDG_STATE_HOME": str(tmp_path / "state")},
        )
    called = Called("losses", tmp_path, process)
    wait_until("jobs", lambda: called.says("split: job", "started"))
    end(slurm.daemons["slurmctld"])
    state = called.folder / "state/schedlab/waits.json"
    state.write_text("{")
    called.process.send_signal(signal.SIGHUP)
    time.sleep(4)
    start_controller(slurm.folder, slurm.daemons)
    code, found = result_of(called)
    assert code == 0, found
    assert called.says("no answer: squeue")
    assert called.says("waits are not learned for 300 s, jobs go on", "waits.json")
    assert joined(called) == ORDER
    assert [job["state"] for job in called.record["jobs"]] == ["COMPLETED"] * 4
    assert state.read_text() == "{"


def test_job_whose_number_sbatch_did_not_print_is_not_submitted_twice(
    call,  # noqa: F811
    tmp_path,
    monkeypatch,
):
    """Slurm accepts each job, and sbatch fails nevertheless."""
    words = "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"
    (tmp_path / "sbatch").write_text(
        f'#!/bin/sh\n{shutil.which("sbatch")} "$@" >> {tmp_path}/numbers\n'
        f'echo "{words}" >&2\nexit 1\n'
    )
    (tmp_path / "sbatch").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    called = call(diamond("unprinted"), "atonce")
    code, found = result_of(called)
    assert code == 0, found
    numbers = [int(line) for line in (tmp_path / "numbers").read_text().split()]
    assert [job["job"] for job in called.record["jobs"]] == numbers
    assert len(numbers) == 4
    assert joined(called) == ORDER


def test_end_after_a_lost_terminal_leaves_the_running_stage(call):  # noqa: F811
    called = call(diamond("hangup", split="sleep 61"), "atonce")
    wait_until("jobs", lambda: called.says("split: job", "started"))
    called.process.send_signal(signal.SIGHUP)
    time.sleep(1)
    assert called.process.poll() is None
    called.process.send_signal(signal.SIGTERM)
    code, said = result_of(called)
    assert code == 128 + signal.SIGTERM
    assert queued(called) == ["hangup.split RUNNING"]
    (number,) = [job["job"] for job in called.record["jobs"] if job["stage"] == "split"]
    assert f"left running: {number}; to end them: scancel {number}" in said
    run("scancel", str(number))
    wait_until("the end of what ran", lambda: queued(called) == [])


def test_folder_with_percent_signs_has_the_output(slurm, tmp_path, monkeypatch):
    """Patterns of sbatch such as %j are part of the folder's path."""
    from schedlab.slurm.run import run_workflow
    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.learner import Learner

    monkeypatch.chdir(tmp_path)
    (tmp_path / "flow.yaml").write_text(
        json.dumps(
            {
                "name": "percent",
                "sbatch": {"mem-per-cpu": 10},
                "stages": [{"name": "a", "cores": 1, "seconds": 1, "command": "echo text"}],
            }
        )
    )
    folder = tmp_path / "100%job %j %%u %"
    run_workflow(
        WorkflowFile.read(tmp_path / "flow.yaml"), "Per-Stage", folder, Learner(), poll=0.5
    )
    (output,) = (folder / "output").iterdir()
    (job,) = json.loads((folder / "record.json").read_text())["jobs"]
    assert output.name == f"a.{job['job']}.txt"
    assert output.read_text() == "text\n"

"""`schedlab asa run` on a real Slurm: every strategy, and every early end."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from docs_case import blocks
from schedlab.slurm.cluster import run, wait_until

pytestmark = pytest.mark.slurm
STRATEGIES = ("bigjob", "perstage", "asa", "naive", "atonce")
#: seconds that split really takes: less is expected, so that what follows comes too early
LONG = 3


def diamond(name, **commands):
    """Four stages, two of them side by side; all are expected to take a second."""
    texts = {
        "split": f"sleep {LONG}; echo split > split.txt",
        "left": "sleep 1; cat split.txt > left.txt; echo left >> left.txt",
        "right": "srun bash -c 'echo right $SLURM_PROCID' > right.txt",
        "join": "cat left.txt > join.txt; sort right.txt >> join.txt; touch joined",
    } | commands
    after = {"left": ["split"], "right": ["split"], "join": ["left", "right"]}
    stages = [
        {"name": stage, "cores": cores, "seconds": 1, "limit": "1m", "command": texts[stage]}
        | ({"after": after[stage]} if stage in after else {})
        for stage, cores in (("split", 1), ("left", 2), ("right", 3), ("join", 1))
    ]
    return {"name": name, "sbatch": {"mem-per-cpu": 10}, "stages": stages}


@dataclass(frozen=True)
class Called:
    """A call of the command in a separate folder."""

    name: str
    folder: Path
    process: subprocess.Popen

    def end(self):
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out, err

    def says(self, *words):
        text = (self.folder / "said.txt").read_text()
        return any(all(word in line for word in words) for line in text.splitlines())

    @property
    def record(self):
        return json.loads((self.folder / "run/record.json").read_text())


@pytest.fixture(scope="module")
def call(slurm, tmp_path_factory):
    def start(content, strategy):
        folder = tmp_path_factory.mktemp(content["name"])
        (folder / "flow.yaml").write_text(yaml.safe_dump(content))
        command = [sys.executable, "-m", "schedlab", "asa", "run", "flow.yaml", "--json"]
        command += ["--strategy", strategy, "--folder", "run", "--poll", "0.5s"]
        with (folder / "said.txt").open("w") as said:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
                env=os.environ | {"XDG_STATE_HOME": str(folder / "state")},
                # what runs in the background of a script has Ctrl-C ignored, and so has its kin
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )
        return Called(content["name"], folder, process)

    return start


def result_of(called):
    """Exit code and JSON of a call, or its text if that is not JSON."""
    code, out, _ = called.end()
    said = (called.folder / "said.txt").read_text()
    return code, json.loads(out) if out else said


def queued(called):
    """Jobs of a call that are in the queue."""
    lines = run("squeue", "--noheader", "--format=%j %T").splitlines()
    return [line for line in lines if line.startswith(f"{called.name}.")]


@pytest.fixture(scope="module")
def runs(call):
    """All strategies at the same time."""
    called = {strategy: call(diamond(strategy), strategy) for strategy in STRATEGIES}
    return {strategy: (one, *result_of(one)) for strategy, one in called.items()}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_runs_all_stages_in_order(runs, strategy):
    called, code, found = runs[strategy]
    assert code == 0, found
    lines = ["split", "left", "right 0", "right 1", "right 2"]
    assert (called.folder / "join.txt").read_text().splitlines() == lines
    assert queued(called) == []
    stages = {row["stage"]: row for row in found["stages"]}
    if strategy == "bigjob":
        assert [(row["stage"], row["cores"]) for row in found["stages"]] == [("all", 5)]
        return
    for name, before in (("left", ["split"]), ("right", ["split"]), ("join", ["left", "right"])):
        needed = max(stages[one]["end"] for one in before)
        assert stages[name]["perceived"] == stages[name]["start"] - needed >= 0
    good = [job for job in called.record["jobs"] if job["state"] == "COMPLETED"]
    assert sorted(job["stage"] for job in good) == ["join", "left", "right", "split"]


def test_times_are_those_recorded_by_slurm(runs, slurm):
    wait_until("all jobs of the run", lambda: len(slurm.completed()) >= 4)
    completed = {job["JobId"]: job for job in slurm.completed()}
    for job in runs["perstage"][0].record["jobs"]:
        written = completed[str(job["job"])]
        for column, key in (("submit", "SubmitTime"), ("start", "StartTime"), ("end", "EndTime")):
            stamp = run("date", "+%s", "--date", written[key]).strip()
            assert job[column] == int(stamp)


def test_slurm_holds_early_stages_with_dependencies(runs):
    found = runs["asa"][2]
    assert [row["resubmitted"] for row in found["stages"]] == [0, 0, 0, 0]
    assert found["idle_core_hours"] == 0
    # submitted while split ran
    rows = {row["stage"]: row for row in found["stages"]}
    assert rows["left"]["submit"] < rows["split"]["end"]
    assert rows["left"]["wait"] > 0


def test_early_stage_without_dependencies_idles_and_is_resubmitted(runs):
    called, _, found = runs["naive"]
    rows = {row["stage"]: row for row in found["stages"]}
    for name in ("left", "right"):
        assert rows[name]["resubmitted"] == 1
        assert rows[name]["idle_core_seconds"] >= rows[name]["cores"]
        assert called.says(f"{name}: job", "idles, for split has not ended")
    early = [job for job in called.record["jobs"] if job["idled"]]
    assert {job["state"] for job in early} == {"CANCELLED"}


def test_learned_waits_are_kept(runs):
    for strategy, (called, _, found) in runs.items():
        state = called.folder / "state/schedlab/waits.json"
        assert found["state"] == str(state)
        assert state.exists() == (strategy in ("asa", "naive"))
    records = json.loads((runs["asa"][0].folder / "state/schedlab/waits.json").read_text())[
        "records"
    ]
    assert sorted(records) == [f"schedlab/main/limit=1h/{cores}" for cores in (1, 2, 3)]


@pytest.fixture(scope="module")
def early_ends(call):
    """Simultaneous calls that cannot succeed."""
    refused = diamond("refused")
    refused["sbatch"]["partition"] = "missing"
    called = {
        "failing": call(diamond("failing", left="sleep 1; exit 3", right="sleep 60"), "asa"),
        "whole": call(diamond("whole", left="exit 4", right="sleep 67"), "bigjob"),
        "refused": call(refused, "asa"),
    }
    return {name: (one, *result_of(one)) for name, one in called.items()}


def test_failed_stage_cancels_the_others(early_ends):
    called, code, said = early_ends["failing"]
    assert code == 1
    assert "workflow failing: stage 'left': job " in said
    assert "ended as FAILED, exit code 3; its output is " in said
    assert queued(called) == []
    assert not (called.folder / "joined").exists()


def test_merged_stages_end_with_the_failed_one(early_ends):
    called, code, said = early_ends["whole"]
    assert code == 1
    assert "workflow whole: stage 'left': job " in said
    assert "exit code 4; its output is " in said
    assert queued(called) == []
    wait_until("the end of the other process", lambda: "sleep 67" not in run("ps", "-eo", "args"))


def test_rejected_submission_is_reported_in_slurms_words(early_ends):
    called, code, said = early_ends["refused"]
    assert code == 1
    assert "workflow refused: stage 'split': not submitted: sbatch: " in said
    assert "nvalid partition" in said
    assert queued(called) == []


#: a signal by strategy; SIGHUP ends nothing
ENDS = {"asa": signal.SIGTERM, "naive": signal.SIGINT, "bigjob": signal.SIGTERM}


@pytest.fixture(scope="module")
def signaled(call):
    """Simultaneous calls, each ended by a signal when all its jobs are submitted."""
    called = {
        strategy: call(diamond(f"ended-{strategy}", split="sleep 63"), strategy)
        for strategy in ENDS
    }
    for strategy, number in ENDS.items():
        one = called[strategy]
        first, last = ("all", "all") if strategy == "bigjob" else ("split", "right")
        wait_until("jobs", lambda one=one, first=first: one.says(f"{first}: job", "started"))
        wait_until("jobs", lambda one=one, last=last: one.says(f"{last}: job", "submitted"))
        one.process.send_signal(number)
    return {strategy: (one, *result_of(one)) for strategy, one in called.items()}


@pytest.mark.parametrize("strategy", ENDS)
def test_a_signal_leaves_an_empty_queue(signaled, strategy):
    called, code, said = signaled[strategy]
    number = ENDS[strategy]
    assert code == 128 + number
    assert f"ended by {number.name}; its jobs were taken back" in said
    assert queued(called) == []
    assert called.record["error"] == number.name
    wait_until("the end of what ran", lambda: "sleep 63" not in run("ps", "-eo", "args"))


@pytest.mark.whole
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_example_of_the_page_runs(call, root, strategy):
    (block,) = [one for one in blocks(root / "docs/howto/workflow.md") if one.file == "words.yaml"]
    called = call(yaml.safe_load(block.text), strategy)
    code, found = result_of(called)
    assert code == 0, found
    assert (called.folder / "joined.txt").read_text() == "A\nB\n2\n"


@pytest.mark.whole
def test_job_cancelled_with_scancel_ends_the_workflow(call):
    called = call(diamond("taken", split="sleep 60"), "asa")
    wait_until("jobs", lambda: called.says("split", "started"))
    run("scancel", "--name=taken.split")
    code, said = result_of(called)
    assert code == 1
    assert "workflow taken: stage 'split': job " in said
    assert "ended as CANCELLED" in said
    assert queued(called) == []


@pytest.mark.whole
def test_short_absence_of_the_controller_is_tolerated(call, slurm):
    called = call(diamond("away"), "perstage")
    wait_until("jobs", lambda: called.says("split", "started"))
    slurm.restart()
    code, found = result_of(called)
    assert code == 0, found
    assert (called.folder / "joined").exists()


@pytest.mark.whole
def test_exceeded_limit_is_reported(call):
    content = diamond("long", split="sleep 300")
    called = call(content, "perstage")
    # limits are minutes, and Slurm looks for those that use them up every now and then
    wait_until("the end", lambda: called.process.poll() is not None, timeout=240)
    code, said = result_of(called)
    assert code == 1
    assert "workflow long: stage 'split': job " in said
    assert "ended as TIMEOUT" in said
    assert queued(called) == []


@pytest.mark.whole
def test_second_run_continues_learning(call, runs):
    called = runs["asa"][0]
    command = [sys.executable, "-m", "schedlab", "asa", "run", "flow.yaml", "--poll", "0.5s"]
    environment = os.environ | {"XDG_STATE_HOME": str(called.folder / "state")}
    path = called.folder / "state/schedlab/waits.json"
    before = json.loads(path.read_text())["records"]
    done = subprocess.run(
        command, cwd=called.folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "asa by ASA on schedlab/main" in done.stdout
    assert (called.folder / "asa.1/record.json").exists()
    after = json.loads(path.read_text())["records"]
    assert all(after[name]["drawn"] > before[name]["drawn"] for name in before)

"""`schedlab asa resume` on a real Slurm: clients killed with SIGKILL, and detached ones."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from schedlab.slurm.cluster import run, wait_until
from slurm.test_asa import STRATEGIES, diamond

pytestmark = pytest.mark.slurm
#: seconds from the journal's first line within which clients are killed; runs take about as long
SPAN_S = 6.0


def counting(name, **then):
    """The workflow; each stage appends its name to a file in one write (O_APPEND)."""
    then = {"split": "sleep 2", "left": "sleep 1", "right": "sleep 1", "join": "true"} | then
    return diamond(name, **{stage: f"echo {stage} >> ran.txt; {then[stage]}" for stage in then})


@dataclass(frozen=True)
class Resumed:
    """A workflow in a separate folder, whose clients are killed and resumed."""

    name: str
    folder: Path

    def call(self, *arguments):
        with (self.folder / "said.txt").open("a") as said:
            return subprocess.Popen(
                [sys.executable, "-m", "schedlab", "asa", *arguments],
                cwd=self.folder,
                stdout=said,
                stderr=said,
                env=os.environ | {"XDG_STATE_HOME": str(self.folder / "state")},
                start_new_session=True,
            )

    def start(self, strategy, *arguments, **then):
        (self.folder / "flow.yaml").write_text(yaml.safe_dump(counting(self.name, **then)))
        options = ["--strategy", strategy, "--folder", "run", "--poll", "0.5s", *arguments]
        process = self.call("run", "flow.yaml", *options)
        while not (self.folder / "run/journal.jsonl").exists():
            assert process.poll() is None, self.said
            time.sleep(0.02)
        return process

    @property
    def said(self):
        return (self.folder / "said.txt").read_text()

    @property
    def ran(self):
        """Names of the stages in the order of their starts, each as often as it ran."""
        return (self.folder / "ran.txt").read_text().split()

    @property
    def queue(self):
        lines = run("squeue", "--noheader", "--format=%j %T").splitlines()
        return [line for line in lines if line.startswith(f"{self.name}.")]

    def check(self, strategy):
        """Check that each stage ran once and in order, and that no job is left."""
        assert sorted(self.ran) == ["join", "left", "right", "split"], self.said
        assert (self.ran[0], self.ran[-1]) == ("split", "join")
        assert self.queue == []
        record = json.loads((self.folder / "run/record.json").read_text())
        stages = [row["stage"] for row in record["stages"]]
        assert stages == (["all"] if strategy == "bigjob" else ["split", "left", "right", "join"])


def kill_and_resume(strategies, moments, folder):
    """Run a workflow by each strategy at a time, kill their clients at moments, and resume them."""

    def one(strategy):
        (folder / strategy).mkdir(parents=True)
        flow = Resumed(f"{strategy}-{folder.name}", folder / strategy)
        process = flow.start(strategy)
        time.sleep(moments[strategy])
        process.kill()
        process.wait()
        again = flow.call("resume", "run")
        assert again.wait(timeout=120) == 0, flow.said
        flow.check(strategy)
        return strategy, flow

    with ThreadPoolExecutor(len(strategies)) as threads:
        return dict(threads.map(one, strategies))


def random_moments(number):
    """Return a moment for each strategy."""
    stream = random.Random(number)
    return {strategy: stream.uniform(0, SPAN_S) for strategy in STRATEGIES}


def test_killed_client_is_resumed_and_each_stage_runs_once(slurm, tmp_path):
    flows = kill_and_resume(["bigjob", "asa", "naive"], random_moments(0), tmp_path / "m0")
    # the learner has one update of each start
    kinds = [
        json.loads(line)["kind"]
        for line in (flows["asa"].folder / "run/journal.jsonl").read_text().splitlines()
    ]
    assert kinds.count("observe") == kinds.count("start") == 4
    assert 1 <= kinds.count("client") <= 2


@pytest.mark.whole
@pytest.mark.parametrize("number", range(1, 21))
def test_killed_client_at_twenty_moments(slurm, tmp_path, number):
    kill_and_resume(STRATEGIES, random_moments(number), tmp_path / f"m{number}")


def test_detached_run_goes_on_and_is_seen_from_outside(slurm, tmp_path):
    """A second client is refused; the detached one ends by SIGTERM, and a further one goes on."""
    flow = Resumed("detached", tmp_path)
    split = "until [ -e go ]; do sleep 0.2; done"
    started = flow.start("asa", "--detach", "--json", split=split)
    assert started.wait(timeout=60) == 0, flow.said
    process = json.loads(flow.said)["process"]
    second = flow.call("resume", "run")
    wait_until("the first stage", lambda: (tmp_path / "ran.txt").exists())
    status = json.loads(
        run(sys.executable, "-m", "schedlab", "asa", "status", str(tmp_path / "run"), "--json")
    )
    assert second.wait(timeout=60) == 1
    assert f"another client runs it (process {process} on " in flow.said
    assert (status["lives"], status["client"]["process"]) == (True, process)
    assert status["heartbeat_age"] < 60
    assert {job["stage"]: job["state"] for job in status["jobs"]}["split"] == "runs"
    os.kill(process, signal.SIGTERM)
    said = tmp_path / "run/progress.txt"
    wait_until("its end", lambda: "ended by SIGTERM; its jobs stay: " in said.read_text())
    assert "detached.split RUNNING" in flow.queue
    (tmp_path / "go").touch()
    again = flow.call("resume", "run", "--detach")
    assert again.wait(timeout=60) == 0, flow.said
    wait_until("the end", (tmp_path / "run/stages.csv").exists)
    wait_until("the last line", lambda: "outputs, scripts" in said.read_text())
    flow.check("asa")

"""Strategy pool on a real Slurm: lost allocations, a lost node and killed clients."""

import json
import re
import sys
import time
from collections import Counter

import pytest
import yaml

from schedlab.slurm.cluster import run, wait_until
from schedlab.slurm.tasks import TaskMarks
from slurm.damage import kill_node, node_of, revive
from slurm.test_asa_resume import Resumed

pytestmark = pytest.mark.slurm
#: each attempt leaves a line at its beginning, and one at its good end
COMMAND = (
    'echo "begins $SCHEDLAB_STAGE.$SCHEDLAB_TASK $SCHEDLAB_ATTEMPT $SLURM_JOB_ID" >> ran.txt; '
    'sleep {seconds}; echo "ends $SCHEDLAB_STAGE.$SCHEDLAB_TASK" >> ran.txt'
)


def flow(name, seconds):
    """Two stages with tasks, and one with a command."""
    make = [{"name": f"m{k}", "command": COMMAND.format(seconds=seconds)} for k in range(6)]
    check = [
        {"name": "wide", "cores": 2, "command": COMMAND.format(seconds=1)},
        {"name": "last", "after": ["wide"], "command": COMMAND.format(seconds=0)},
    ]
    stages = [
        {"name": "make", "cores": 2, "tasks": [task | {"limit": "1m"} for task in make]},
        {"name": "check", "cores": 2, "after": ["make"], "tasks": check},
        {"name": "join", "cores": 1, "after": ["check"], "command": "echo joined >> ran.txt"},
    ]
    times = {"make": "10m", "check": "10m", "join": "1m"}
    stages = [one | {"seconds": 5, "limit": times[one["name"]]} for one in stages]
    return {"name": name, "sbatch": {"mem-per-cpu": 10}, "stages": stages}


class Pooled(Resumed):
    """A workflow with a pool in a separate folder."""

    def begin(self, seconds):
        """Start the workflow."""
        (self.folder / "flow.yaml").write_text(yaml.safe_dump(flow(self.name, seconds)))
        options = ["--strategy", "pool", "--folder", "run", "--poll", "0.5s"]
        return self.call("run", "flow.yaml", *options)

    def attempts(self, stage="make"):
        """Return stage and task, attempt and job of all attempts that have begun."""
        path = self.folder / "ran.txt"
        text = path.read_text() if path.exists() else ""
        return [
            (name, int(attempt), job)
            for name, attempt, job in re.findall(r"^begins (\S+) (\d+) (\d+)$", text, re.M)
            if name.startswith(f"{stage}.")
        ]

    def check_once(self):
        """Check that each task succeeded once, and each further attempt was an interrupted one.

        Return the number of interrupted attempts.
        """
        lines = (self.folder / "ran.txt").read_text().splitlines()
        tasks = [f"make.m{k}" for k in range(6)] + ["check.wide", "check.last"]
        ends = [line.removeprefix("ends ") for line in lines if line.startswith("ends ")]
        assert sorted(ends) == sorted(tasks), self.said
        assert lines[-1] == "joined"
        assert lines.count("joined") == 1
        begins = self.attempts() + self.attempts("check")
        counts = Counter(name for name, _, _ in begins)
        for name in tasks:
            numbers = [attempt for found, attempt, _ in begins if found == name]
            assert numbers == list(range(1, counts[name] + 1))
        marks = TaskMarks(self.folder / "run")
        claims = sum(sum(marks.scan(stage)[1].values()) for stage in ("make", "check"))
        assert claims == len(begins)
        assert self.queue == []
        status = json.loads(self.ask("status", "run", "--json"))
        interrupted = sum(counts["interrupted"] for counts in status["tasks"].values())
        assert interrupted == len(begins) - len(tasks)
        return interrupted

    def ask(self, *arguments):
        """Return what a command prints."""
        command = [sys.executable, "-m", "schedlab", "asa", *arguments]
        return run("env", "--chdir", str(self.folder), *command)


def test_each_task_succeeds_once_though_a_job_is_cancelled_and_the_client_killed(slurm, tmp_path):
    pooled = Pooled("pool", tmp_path)
    process = pooled.begin(seconds=4)
    wait_until("two allocations at work", lambda: len({a[2] for a in pooled.attempts()}) == 2, 300)
    status = pooled.ask("status", "run")
    assert re.search(r"tasks of make: \d of 6 done, [1-4] run, ", status), status
    key = tmp_path / "run/pool/key.pem"
    assert key.stat().st_mode & 0o777 == 0o600
    run("scancel", pooled.attempts()[-1][2])
    time.sleep(1)
    process.kill()
    process.wait()
    again = pooled.call("resume", "run")
    assert again.wait(timeout=300) == 0, pooled.said
    assert 1 <= pooled.check_once() <= 2
    assert "was interrupted, job" in pooled.said


@pytest.mark.whole
def test_killed_node_costs_its_attempts(slurm, tmp_path):
    pooled = Pooled("node", tmp_path)
    process = pooled.begin(seconds=20)
    wait_until("two allocations at work", lambda: len({a[2] for a in pooled.attempts()}) == 2, 300)
    node = node_of(pooled.attempts()[0][2])
    kill_node(slurm, node)
    try:
        assert process.wait(timeout=400) == 0, pooled.said
    finally:
        revive(slurm, node)
    assert pooled.check_once() >= 1


@pytest.mark.whole
def test_tasks_go_on_while_the_client_is_away(slurm, tmp_path):
    """They leave their marks, and workers join the next scheduler."""
    pooled = Pooled("away", tmp_path)
    process = pooled.begin(seconds=6)
    wait_until("an allocation at work", lambda: bool(pooled.attempts()), 300)
    process.kill()
    process.wait()
    time.sleep(8)
    begun = {name for name, _, _ in pooled.attempts()}
    assert {f"make.{name}" for name in TaskMarks(tmp_path / "run").scan("make")[0]} == begun
    jobs = {job for _, _, job in pooled.attempts()}
    again = pooled.call("resume", "run")
    assert again.wait(timeout=300) == 0, pooled.said
    assert pooled.check_once() == 0
    assert jobs & {job for name, _, job in pooled.attempts() if name not in begun}

"""Strategy pool on a real Slurm: lost allocations, a lost node and killed clients."""

import json
import re
import sys
import time
from collections import Counter

import pytest
import yaml

from docs_case import blocks, calls_of
from schedlab.slurm.cluster import run, wait_until
from schedlab.slurm.tasks import TaskMarks
from slurm.damage import kill_node, node_of, revive
from slurm.test_asa_resume import Resumed

pytestmark = pytest.mark.slurm
#: each attempt leaves a line at its beginning, and one at its good end
COMMAND = (
    'echo "begins $SCHEDLAB_STAGE.$SCHEDLAB_TASK $SCHEDLAB_ATTEMPT $SLURM_JOB_ID" >> ran.txt; '
    '{then}; echo "ends $SCHEDLAB_STAGE.$SCHEDLAB_TASK" >> ran.txt'
)


def flow(name, then):
    """Two stages with tasks, whose first ones do something more, and one with a command."""
    make = [{"name": f"m{k}", "command": COMMAND.format(then=then)} for k in range(6)]
    check = [
        {"name": "wide", "cores": 2, "limit": "1m", "command": COMMAND.format(then="sleep 1")},
        {"name": "last", "after": ["wide"], "command": COMMAND.format(then="true")},
    ]
    stages = [
        {"name": "make", "cores": 2, "tasks": [task | {"limit": "20m"} for task in make]},
        {"name": "check", "cores": 2, "after": ["make"], "tasks": check},
        {"name": "join", "cores": 1, "after": ["check"], "command": "echo joined >> ran.txt"},
    ]
    times = {"make": "30m", "check": "30m", "join": "1m"}
    stages = [one | {"seconds": 5, "limit": times[one["name"]]} for one in stages]
    return {"name": name, "sbatch": {"mem-per-cpu": 10}, "stages": stages}


class Pooled(Resumed):
    """A workflow with a pool in a separate folder."""

    def begin(self, then="until [ -e go ]; do sleep 0.2; done"):
        """Start the workflow, whose first tasks wait for a file."""
        (self.folder / "flow.yaml").write_text(yaml.safe_dump(flow(self.name, then)))
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
        """Check that each task succeeded once; return the number of interrupted attempts."""
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
        command = [sys.executable, "-m", "schedlab", "asa", *arguments]
        return run("env", "--chdir", str(self.folder), *command)


def test_each_task_succeeds_once_though_a_job_is_cancelled_and_the_client_killed(slurm, tmp_path):
    pooled = Pooled("pool", tmp_path)
    process = pooled.begin()
    wait_until("two allocations at work", lambda: len(pooled.attempts()) == 4, 300)
    assert len({job for _, _, job in pooled.attempts()}) == 2
    status = pooled.ask("status", "run")
    assert re.search(r"tasks of make: 0 of 6 done, 4 run, 2 wait; 0 ", status), status
    key = tmp_path / "run/pool/key.pem"
    assert key.stat().st_mode & 0o777 == 0o600
    run("scancel", pooled.attempts()[-1][2])
    time.sleep(1)
    process.kill()
    process.wait()
    again = pooled.call("resume", "run")
    wait_until("interruptions", lambda: pooled.said.count("was interrupted, job") == 2, 300)
    (tmp_path / "go").touch()
    assert again.wait(timeout=300) == 0, pooled.said
    assert pooled.check_once() == 2


def test_workflow_helps_another_before_and_after_its_own_failure(slurm, tmp_path):
    """The first's allocation runs the second's tasks; it fails, the client is killed."""
    until = "until [ -e {} ]; do sleep 0.2; done"
    fails = COMMAND.format(then=f"{until.format('go')}; exit 3")
    task = {"name": "m", "cores": 2, "command": fails}
    one = [
        {"name": "make", "cores": 2, "limit": "30m", "tasks": [task]},
        {"name": "check", "cores": 2, "limit": "10m", "after": ["make"]},
        {"name": "join", "cores": 1, "after": ["check"], "command": "echo joined >> ran.txt"},
    ]
    one[1]["tasks"] = [{"name": "c", "command": COMMAND.format(then="true")}]
    tasks = [
        {"name": f"s{k}", "limit": "1m", "command": COMMAND.format(then="true")} for k in range(6)
    ]
    end = f"{until.format('end')}; echo summed >> ran.txt"
    two = [
        {"name": "scan", "cores": 32, "limit": "30m", "tasks": tasks},
        {"name": "sum", "cores": 1, "limit": "5m", "after": ["scan"], "command": end},
    ]
    for name, stages in {"one": one, "two": two}.items():
        stages = [{"seconds": 5} | stage for stage in stages]
        content = {"name": name, "sbatch": {"mem-per-cpu": 10}, "stages": stages}
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(content))
    pooled = Pooled("one+two", tmp_path)
    options = ["--strategy", "pool", "--folder", "run", "--poll", "0.5s"]
    process = pooled.call("run", "one.yaml", "two.yaml", *options)
    marks = TaskMarks(tmp_path / "run")
    wait_until("help", lambda: len(marks.scan("two.scan")[0]) == 6, 300)
    assert not marks.is_done("one.make", "m")
    jobs = {marks.done("two.scan", f"s{k}").job for k in range(6)}
    (tmp_path / "go").touch()
    wait_until("failure", lambda: "one: is given up" in pooled.said, 300)
    process.kill()
    process.wait()
    assert "workflow one: failed: stage 'make': task 'm'" in pooled.ask("status", "run")
    again = pooled.call("resume", "run")
    (tmp_path / "end").touch()
    assert again.wait(timeout=300) == 1
    message = pooled.said.splitlines()[-1]
    assert message.startswith("workflow one: stage 'make': task 'm' ended with exit code 3 in job ")
    assert "two by Pool on schedlab/main" in pooled.said
    lines = (tmp_path / "ran.txt").read_text().splitlines()
    assert sorted(line for line in lines if line.startswith("ends ")) == [
        f"ends two.scan.s{k}" for k in range(6)
    ]
    assert lines[-1] == "summed"
    assert Counter(line.split()[0] for line in lines) == {"begins": 7, "ends": 6, "summed": 1}
    record = json.loads((tmp_path / "run/record.json").read_text())
    assert {job["stage"] for job in record["jobs"] if job["job"] in jobs} == {"one.check"}
    (own,) = [job for job in record["jobs"] if job["stage"] == "two.scan"]
    assert own["start"] in (None, own["end"])  # Slurm sets both when it cancels a waiting job
    assert [row["stage"] for row in record["stages"]] == ["two.scan", "two.sum"]
    assert "workflow two: all stages have ended" in pooled.ask("status", "run")
    assert pooled.queue == []


@pytest.mark.whole
def test_killed_node_costs_its_attempts(slurm, tmp_path):
    pooled = Pooled("node", tmp_path)
    process = pooled.begin()
    wait_until("two allocations at work", lambda: len(pooled.attempts()) == 4, 300)
    node = node_of(pooled.attempts()[0][2])
    kill_node(slurm, node)
    try:
        wait_until("interruptions", lambda: "was interrupted, job" in pooled.said, 300)
        (tmp_path / "go").touch()
        assert process.wait(timeout=400) == 0, pooled.said
    finally:
        revive(slurm, node)
    assert pooled.check_once() >= 1


@pytest.mark.whole
def test_tasks_go_on_while_the_client_is_away(slurm, tmp_path):
    pooled = Pooled("away", tmp_path)
    process = pooled.begin()
    wait_until("two allocations at work", lambda: len(pooled.attempts()) == 4, 300)
    process.kill()
    process.wait()
    (tmp_path / "go").touch()
    marks = TaskMarks(tmp_path / "run")
    wait_until("marks", lambda: len(marks.scan("make")[0]) == 4)
    begun = {name for name, _, _ in pooled.attempts()}
    assert len(begun) == 4
    jobs = {job for _, _, job in pooled.attempts()}
    again = pooled.call("resume", "run")
    assert again.wait(timeout=300) == 0, pooled.said
    assert pooled.check_once() == 0
    assert jobs & {job for name, _, job in pooled.attempts() if name not in begun}


@pytest.mark.whole
def test_the_example_of_the_page_runs(slurm, tmp_path, root):
    (block,) = [one for one in blocks(root / "docs/howto/workflow.md") if one.file == "pool.yaml"]
    (tmp_path / "pool.yaml").write_text(block.text)
    pooled = Pooled("letters", tmp_path)
    process = pooled.call("run", "pool.yaml", "--strategy", "pool", "--poll", "0.5s")
    assert process.wait(timeout=300) == 0, pooled.said
    assert (tmp_path / "joined.txt").read_text() == "2\n2\n"
    assert "tasks of count: 3 of 3 done" in pooled.ask("status", "letters.1")
    assert pooled.queue == []


@pytest.mark.whole
def test_the_example_of_two_workflows_runs(slurm, tmp_path, root):
    page = root / "docs/howto/workflow.md"
    for block in blocks(page):
        if block.file in ("pool.yaml", "digits.yaml"):
            (tmp_path / block.file).write_text(block.text)
    (arguments,) = [words for words in calls_of(page, "schedlab") if "digits.yaml" in words]
    pooled = Pooled("letters+digits", tmp_path)
    assert arguments[0] == "asa"
    process = pooled.call(*arguments[1:], "--poll", "0.5s")
    assert process.wait(timeout=300) == 0, pooled.said
    assert (tmp_path / "joined.txt").read_text() == "2\n2\n"
    assert (tmp_path / "digits.txt").read_text() == "1\n2\n3\n"
    assert "workflow digits: all stages have ended" in pooled.ask("status", "letters+digits.1")
    assert pooled.queue == []


@pytest.mark.whole
def test_allocation_over_two_nodes_has_a_worker_on_each(slurm, tmp_path):
    content = flow(
        "nodes", "hostname > $SCHEDLAB_TASK.txt; echo $SLURMD_NODENAME >> nodes.txt; sleep 5"
    )
    content["stages"] = content["stages"][:1]
    content["stages"][0]["cores"] = 12
    content["stages"][0]["tasks"] = content["stages"][0]["tasks"] * 2
    tasks = [task | {"name": f"t{k}"} for k, task in enumerate(content["stages"][0]["tasks"])]
    content["stages"][0]["tasks"] = tasks
    (tmp_path / "flow.yaml").write_text(yaml.safe_dump(content))
    pooled = Pooled("nodes", tmp_path)
    process = pooled.call("run", "flow.yaml", "--strategy", "pool", "--poll", "0.5s")
    assert process.wait(timeout=300) == 0, pooled.said
    assert len(set((tmp_path / "nodes.txt").read_text().split())) == 2

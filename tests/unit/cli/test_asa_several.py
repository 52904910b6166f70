"""`schedlab asa run` with the files of several workflows."""

import json
import re

import pytest

from asa_command_case import asa, call, rows
from pool_case import PoolSlurm, use_memory
from schedlab.slurm import client, detached, run, status
from schedlab.slurm.client_lock import Client
from slurm_case import Fate

POOLED = """\
name: {name}
stages:
  - {{name: make, cores: {cores}, seconds: 60, limit: 5m, tasks: [{{name: a, command: "true"}}]}}
  - {{name: {last}, cores: 1, seconds: 10, after: [make], command: "true"}}
"""


@pytest.fixture
def pooled(here, monkeypatch):
    """A Slurm in memory with a pool, and the files of two workflows."""
    found = PoolSlurm([Fate(wait=5), Fate(wait=600), Fate(wait=1, run=36)], {"a": 18.0})
    use_memory(monkeypatch, found)
    for place in (run, status, client):
        monkeypatch.setattr(place, "Slurm", lambda *_: found)
    (here / "one.yaml").write_text(POOLED.format(name="one", cores=2, last="join"))
    (here / "two.yaml").write_text(POOLED.format(name="two", cores=1, last="sum"))
    return found


def test_several_workflows_have_one_run_and_totals_each(pooled, here):
    result = call("one.yaml", "two.yaml", "--strategy", "pool")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    table = lines.index("one+two by Pool on fake/main")
    names = [row[0] for row in rows("\n".join(lines[table + 1 : -5]))]
    assert names == ["stage", "one.make", "one.join", "two.make", "two.sum"]
    assert [line.partition(": ")[0] for line in lines[-5:-3]] == ["one", "two"]
    totals = [re.sub("^(one|two): ", "", line) for line in lines[-5:-2]]
    numbers = [
        re.match(
            r"perceived wait (\d+) s in all, makespan (\d+) s, (0\.\d\d) core-hours used", line
        )
        for line in totals
    ]
    (wait_one, span_one, _), (wait_two, span_two, _), (wait, span, _) = (
        map(float, found.groups()) for found in numbers
    )
    assert (wait, span) == (wait_one + wait_two, max(span_one, span_two))
    assert lines[-1].startswith("outputs, scripts and record.json are in one+two.1; ")
    found = json.loads(asa("resume", "one+two.1", "--json").stdout)
    assert [(one["workflow"], one["perceived"]) for one in found["workflows"]] == [
        ("one", wait_one),
        ("two", wait_two),
    ]
    result = asa("status", "one+two.1")
    assert "workflow one: all stages have ended\nworkflow two: all stages" in result.stdout
    found = json.loads(asa("status", "one+two.1", "--json").stdout)
    assert found["workflows"][1] == {"workflow": "two", "stages": 2, "ended": 2, "error": None}


@pytest.mark.parametrize("as_json", [False, True])
def test_failed_workflow_is_one_line_after_the_result_of_the_other(pooled, here, as_json):
    one = (here / "one.yaml").read_text().replace("name: a,", "name: fails,")
    (here / "one.yaml").write_text(one)
    pooled.codes["fails"] = 7
    options = ["--json"] if as_json else []
    result = call("one.yaml", "two.yaml", "--strategy", "pool", *options)
    assert result.exit_code == 1
    message = (
        "workflow one: stage 'make': task 'fails' ended with exit code 7 in job 101; its output is "
        f"{here}/one+two.1/output/one.make.fails.1.txt"
    )
    assert result.stderr.splitlines()[-1] == message
    if as_json:
        found = json.loads(result.stdout)
        assert (found["workflow"], found["error"]) == ("two", message)
        assert [row["stage"] for row in found["stages"]] == ["two.make", "two.sum"]
    else:
        lines = result.stdout.splitlines()
        assert [line for line in lines if " by Pool on" in line] == ["two by Pool on fake/main"]
        assert lines[-2].startswith("perceived wait ")
    assert pooled.left == []
    result = asa("status", "one+two.1")
    assert f"workflow one: failed: {message.partition(': ')[2]}" in result.stdout
    result = asa("resume", "one+two.1")
    assert result.exit_code == 1
    assert result.stderr.startswith("one+two.1: the run has ended: workflow one: stage 'make': ")


def test_several_workflows_are_planned_and_detached_as_one(pooled, here, monkeypatch):
    result = call("one.yaml", "two.yaml", "--strategy", "pool", "--dry-run")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == "plan: one+two by Pool on fake/main"
    assert [row[0] for row in rows(result.stdout)[1:5]] == [
        *("one.make", "one.join", "two.make", "two.sum"),
    ]
    assert pooled.by_number == {}
    monkeypatch.setattr(detached, "start_detached", lambda folder: Client("login1", 4711))
    result = call("one.yaml", "two.yaml", "--strategy", "pool", "--detach")
    assert result.stdout.startswith("one+two.1 is run by process 4711 on login1")

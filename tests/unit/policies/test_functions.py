"""User functions as policies: files, names, and their use in commands and comparisons."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

import schedlab
from sacct_case import job, write
from schedlab.cli import app
from schedlab.policies.functions import from_file, from_function
from schedlab.policies.user_files import load_functions
from schedlab.queue.simulation import Run, simulate
from site_case import jobs_of, log_of, site_log

FILE = """
import numpy as np

def smallest_area(waiting):
    return waiting.estimate * waiting.procs

def area(n, r):
    return r * n

def strict(waiting, machine):
    fits = np.cumsum(waiting.procs) <= machine.free
    return waiting.number[: np.argmin(np.append(fits, False))]

class Strict:
    def __call__(self, waiting, machine):
        return strict(waiting, machine).tolist()

def one_user_first(waiting):
    return waiting.user != 3

def lazy(waiting, machine):
    return []

number = 3
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return site_log(tmp_path_factory.mktemp("site") / "site.swf", runtime=30_000)


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    return str(tmp_path / "mine.py")


def call(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})


def test_simulate_takes_functions_classes_and_places(site, mine):
    log = schedlab.load_log(site)
    area = schedlab.simulate(log, "saf").schedule.start.tolist()
    as_function = schedlab.simulate(log, lambda waiting: waiting.estimate * waiting.procs)
    assert as_function.schedule.start.tolist() == area
    assert as_function.label.startswith("lambda (test_functions.py:")
    for function in (f"{mine}:area", lambda r, n: r * n):
        assert schedlab.simulate(log, function).schedule.start.tolist() == area
    place = f"{mine}:smallest_area"
    assert schedlab.simulate(log, place).schedule.start.tolist() == area
    every = schedlab.simulate(log, place, reservations="every").schedule.start.tolist()
    assert every == schedlab.simulate(log, "saf", reservations="every").schedule.start.tolist()
    assert every != area
    fcfs = schedlab.simulate(log, "fcfs", reservations="none").schedule.start.tolist()
    for name in ("strict", "Strict"):
        found = schedlab.simulate(log, f"{mine}:{name}")
        assert found.schedule.start.tolist() == fcfs
        assert found.label == f"{mine}:{name}"
    second = schedlab.simulate(log, "fcfs", backfill=place).schedule.start.tolist()
    assert second == schedlab.simulate(log, "fcfs", backfill="saf").schedule.start.tolist()


def test_functions_know_the_users_of_a_log(site, mine):
    """User 3 waits less than under FCFS, the others more."""
    log = schedlab.load_log(site)
    usual, favored = (
        schedlab.simulate(log, policy).by("user")["mean_wait"]
        for policy in ("fcfs", f"{mine}:one_user_first")
    )
    assert favored[3] < usual[3]
    assert favored.drop(3).mean() > usual.drop(3).mean()


@pytest.mark.slow
def test_comparison_takes_functions(site, mine):
    log = schedlab.load_log(site)
    policies = ["fcfs", "saf", f"{mine}:smallest_area", f"{mine}:strict", f"{mine}:one_user_first"]
    found = schedlab.compare(log, policies, days=7)
    assert found.windows[f"{mine}:smallest_area"].tolist() == found.windows["SAF"].tolist()
    strict = schedlab.compare(log, ["fcfs", "saf"], reservations="none", days=7)
    assert found.windows[f"{mine}:strict"].tolist() == strict.windows["FCFS"].tolist()
    assert found.ties.loc[f"{mine}:strict", "first"] == found.ties.loc[f"{mine}:strict", "last"]
    threads = schedlab.compare(log, policies, days=7, threads=2)
    assert threads.windows.equals(found.windows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reservations": "every"}, "strict' decides which jobs start: reservations is every"),
        ({"threshold": 5}, "threshold is 5"),
        ({"backfill": "spt"}, "backfill is spt, must be left out"),
        ({"policy": 3}, r"policy is 3: give a name, an expression, file.py"),
    ],
)
def test_unsupported_options_of_a_decision_are_rejected(site, mine, options, message):
    with pytest.raises(ValueError, match=message):
        schedlab.simulate(site, **{"policy": f"{mine}:strict"} | options)


@pytest.mark.slow
def test_commands_take_places(site, mine):
    run = call("simulate", site, "--policy", "saf", "--policy", f"{mine}:smallest_area")
    assert run.exit_code == 0, run.output
    rows = [re.split(r"  +", line.strip()) for line in run.output.splitlines()]
    numbers = {row[0]: row[1:] for row in rows if len(row) > 5}
    assert numbers["SAF"] == numbers[f"{mine}:smallest_area"]
    run = call("simulate", site, "--policy", f"{mine}:strict")
    assert f"{mine}:strict: decides itself which jobs start" in run.output.replace("\n", "")
    run = call("simulate", site, "--json", "--policy", "fcfs", "--policy", f"{mine}:strict")
    rows = json.loads(run.stdout)["results"]
    assert [row.get("decides_itself", False) for row in rows] == [False, True]
    run = call("compare", site, "--policy", "fcfs", "--policy", f"{mine}:strict", "--days", "7")
    assert run.exit_code == 0, run.output


@pytest.mark.parametrize("command", ["simulate", "compare"])
@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("raise SystemExit(0)", "score", "score: SystemExit: 0"),
        (FILE, "number", "no function 'number' in"),
        (FILE, "lazy", "starts no job on an idle machine"),
        ("def score(r, procs): return r", "score", "'procs' is unknown; did you mean 'n'?"),
        ("def score(q): exit()", "score", "SystemExit: None (mine.py, line 1)"),
    ],
)
def test_commands_name_the_fault_of_a_file(site, tmp_path, command, text, name, said):
    """In one line, and never with exit code 0."""
    (tmp_path / "mine.py").write_text(text)
    place = f"{tmp_path}/mine.py:{name}"
    run = call(command, site, "--policy", place, "--policy", "fcfs")
    assert run.exit_code == 1, run.output
    assert f"scheduler '{place}'" in run.output
    assert said in run.output
    assert "Traceback" not in run.output


def test_a_file_runs_once_for_all_its_functions(tmp_path):
    path = tmp_path / "counted.py"
    path.write_text("values = []\ndef one(w): return values\ndef two(w): return values\n")
    found = load_functions({"a": f"{path}:one", "b": f"{path}:two"}, "order")
    assert found["a"](0) is found["b"](0)


def test_policy_is_named_after_its_function(mine):
    def score(waiting):
        return waiting.procs

    assert from_function(score).label == "score"
    assert from_function(score, "mine").name == "mine"
    assert from_file(f"{mine}:Strict").kind == "decision"
    assert repr(from_function(score).of_log(log_of(jobs_of((0, 1, 1))).frame)).count("owners") == 0


def test_commands_that_need_an_expression_refuse_a_file(site, mine):
    place = f"{mine}:smallest_area"
    run = call("explain", site, "5", "--policy", place)
    assert run.exit_code == 1
    assert f"policy '{place}' is a Python function" in run.output
    run = call("simulate", site, "--policy", "mine.py")
    assert run.exit_code == 1
    assert "must be file.py:function" in run.output
    run = call("export-slurm", place, "--processors", "16")
    assert run.exit_code == 1
    assert "a policy in a file has no expression" in run.output


def test_a_log_without_jobs_is_a_schedule_without_jobs():
    empty = jobs_of((0, 1, 1)).take([])
    for policy in (from_function(lambda q: q.procs), from_function(lambda q, m: q.number)):
        assert len(simulate(Run(empty, 4, policy))) == 0


def test_functions_know_the_accounts_of_a_dump(tmp_path):
    """Which SWF has no field for."""
    times = {"Submit": "1709290000", "Eligible": "1709290000", "Start": "1709290100"}
    times["End"] = "1709304500"
    jobs = [job(7 + k, Account=name, **times) for k, name in enumerate(("physics", "art", "art"))]
    dump = write(tmp_path, *jobs)
    seen = {}

    def look(waiting):
        seen.update(zip(waiting.number.tolist(), waiting.account.tolist(), strict=True))
        return waiting.number

    log = schedlab.load_log(dump, processors=4096)
    schedlab.simulate(log, look)
    assert len(seen) == 3
    accounts = [account for _, account in sorted(seen.items())]
    assert min(accounts) >= 0
    assert accounts[1] == accounts[2] != accounts[0]

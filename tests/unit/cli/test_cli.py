"""The commands `simulate`, `policies` and `learn`, as a user calls them."""

import json
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.files.config import load, read_yaml
from schedlab.policies import get
from schedlab.policies.expression import compile_expression
from site_case import site_log

LOG = """; MaxProcs: 4
1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 1 -1 -1 -1
2 0 -1 5 4 -1 -1 4 5 -1 1 1 1 -1 1 -1 -1 -1
3 0 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1
4 1 -1 -1 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "site.swf"
    path.write_text(LOG)
    return str(path)


def call(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "120"})


def test_a_log_is_simulated_under_each_policy(log):
    """Waits by hand: job 2 waits 10 s behind jobs 1 and 3."""
    result = call("simulate", log, "--policy", "fcfs", "--policy", "r * n")
    assert result.exit_code == 0
    assert "3 jobs on 4 processors" in result.output
    assert "rules full_estimate: runtime_positive dropped 1" in result.output
    fcfs = next(line for line in result.output.splitlines() if "FCFS" in line)
    assert fcfs.split()[:-2] == ["FCFS", "3", "0", "9", "10", "10", "1.17", "1.00", "1.45"]
    assert fcfs.split()[-2:] == ["100.0%", "15"]  # all are submitted at once


@pytest.mark.parametrize(
    ("change", "mode"),
    [
        ([], "EASY backfilling; full dialect"),
        (["--no-backfill"], "strict order, no backfilling; full dialect"),
        (["--reservations", "none"], "strict order, no backfilling; full dialect"),
        (["--reservations", "fit"], "first fit, no reservations; full dialect"),
        (["--reservations", "1"], "EASY backfilling; full dialect"),
        (["--reservations", "3"], "backfilling, reservations for the first 3 jobs; full"),
        (["--reservations", "every"], "conservative backfilling, compression completion; full"),
    ],
)
def test_reservation_mode_is_stated(log, change, mode):
    result = call("simulate", log, "--policy", "fcfs", *change)
    assert result.exit_code == 0
    assert mode in result.output


@pytest.mark.parametrize(
    ("dialect", "message"), [("full", ""), ("artefact", "has a machine that does not change")]
)
def test_a_machine_changes_as_a_table_says(log, tmp_path, dialect, message):
    """All processors are reserved until 1000 s."""
    changes, starts = tmp_path / "changes.csv", tmp_path / "starts.csv"
    changes.write_text("kind,time,processors,end\nreservation,0,4,1000\n")
    options = ("--policy", "fcfs", "--starts", str(starts), "--dialect", dialect)
    result = call("simulate", log, "--changes", str(changes), *options)
    assert (result.exit_code, message in result.output) == (bool(message), True), result.output
    assert message or pd.read_csv(starts)["start"].min() == 1000


PASSED = """; MaxProcs: 4
1 0 -1 600 2 -1 -1 2 600 -1 1 1 1 -1 1 -1 -1 -1
2 0 -1 60 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1
3 3 -1 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1
"""


@pytest.mark.parametrize(
    ("change", "third", "mode"),
    [
        ([], 27, "Slurm's backfilling, a reservation for every job"),
        (["--reservations", "head"], 27, "Slurm's backfilling, a reservation for the head of the"),
        (["--reservations", "3"], 27, "Slurm's backfilling, reservations for the first 3 jobs"),
        (["--no-backfill"], 659, "Slurm's main scheduler, no backfilling"),
    ],
)
def test_slurms_schedulers_are_a_dialect(log, tmp_path, change, third, mode):
    """Job 3 passes job 2 at the pass of 30 s; a job holds its processors for a second more."""
    Path(log).write_text(PASSED)
    starts = tmp_path / "starts.csv"
    order = ("--policy", "fcfs", "--starts", str(starts))
    result = call("simulate", log, "--dialect", "slurm", *order, *change)
    assert result.exit_code == 0, result.output
    assert mode in result.output
    assert "; slurm dialect" in result.output
    assert pd.read_csv(starts)["wait"].tolist() == [0, 601, third]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--processors", "2"], "site.swf: job 1 needs 3 processors, the machine has 2"),
        (["--reservations", "every", "--no-backfill"], "--no-backfill means reservations none"),
    ],
)
def test_mistakes_end_in_one_clear_line(log, change, message):
    result = call("simulate", log, *change)
    assert result.exit_code == 1
    assert message in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; looked for"),
        ("; MaxProcs: 4\n", "there is no job in it"),
        (
            "; MaxProcs: 4\n" + LOG.splitlines()[4],
            "no job is left; rules full_estimate: runtime_positive dropped 1",
        ),
        (LOG.replace("; MaxProcs: 4\n", ""), "does not say MaxProcs; give --processors"),
        (LOG.replace("MaxProcs: 4", "MaxProcs: -1"), "does not say MaxProcs; give --processors"),
        ("JobID|Submit|Start\n", "field ElapsedRaw or Elapsed or End is missing; name it in sacct"),
        ("JobID,Submit,Start\n", "field ElapsedRaw or Elapsed or End is missing; name it in sacct"),
        (None, "No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path, text, message):
    path = tmp_path / "own.swf"
    if text is not None:
        path.write_text(text)
    result = call("simulate", str(path))
    assert result.exit_code == 1
    assert result.output.startswith(f"{path}: ")
    assert message in result.output
    assert "Traceback" not in result.output


def log_without_limits(path, limits=lambda number: number % 3 == 0):
    """Write a log of 300 jobs on a busy machine of 4 processors, most without a time limit.

    A job of 1,000 s on 2 processors comes every 400 s; the third with a limit are alone on them.
    """
    lines = ["; MaxProcs: 4"]
    for number in range(1, 301):
        estimate = 1200 if limits(number) else -1
        lines.append(f"{number} {number * 400} -1 1000 2 -1 -1 2 {estimate} -1 1 1 1 -1 1 -1 -1 -1")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_dropped_jobs_are_reported_before_the_table_with_a_remedy(tmp_path):
    """Two thirds of the jobs lack a limit; those that are left never wait."""
    log = log_without_limits(tmp_path / "site.swf")
    said = call("simulate", log, "--policy", "fcfs").output
    before, table = said.split("100 jobs on 4 processors")
    assert "drop 200 jobs (66.7%) and 111 core-hours (66.7%) of the log" in before
    assert "estimate_positive: 200 jobs (66.7%)" in before
    assert "--rules rr9212_ran" in before
    assert "--rules full_actual" in before
    assert "no job waits under any policy" in table
    for rules in ("rr9212_ran", "full_actual"):
        kept = call("simulate", log, "--policy", "fcfs", "--rules", rules).output
        assert "300 jobs on 4 processors" in kept
        assert "drop" not in kept
        assert "no job waits" not in kept


def test_little_that_is_dropped_is_no_warning(tmp_path):
    log = log_without_limits(tmp_path / "site.swf", limits=lambda number: number != 7)
    said = call("simulate", log, "--policy", "fcfs").output
    assert "drop 1 job (0.3%)" in said
    assert "--rules" not in said


LEARN = ("--tuples", "6", "--trials", "1024")


@pytest.mark.slow
def test_a_policy_is_learned_and_its_line_is_one_for_the_configuration(tmp_path, root):
    result = call("learn", site_log(tmp_path / "My-Site 2.swf"), *LEARN)
    assert result.exit_code == 0, result.output
    assert "1,500 jobs on 16 processors; rules full_estimate: all jobs kept" in result.output
    assert re.search(r"6 of \d+ tuples of the first half", result.output)
    assert "LaTeX" in result.output
    assert "log_{10}" in result.output or "cdot" in result.output
    assert re.search(r"^.+ +4 +0\.\d{6}$", result.output, re.MULTILINE)
    assert re.search(
        r"^learned( +[\d.]+){3} +[\d.]+ to [\d.]+ +too few windows$", result.output, re.M
    )
    assert re.search(
        r"^learned: [\d.]+ times \([\d.]+ to [\d.]+\) FCFS, chosen beforehand: too few windows",
        result.output,
        re.MULTILINE,
    )
    tried = re.search(r"^    (schedlab simulate .*)$", result.output, re.MULTILINE)[1]
    again = call(*shlex.split(tried)[1:])
    assert again.exit_code == 0, again.output
    line = re.search(r"^    (learned_\w+: .*)$", result.output, re.MULTILINE)[1]
    path = tmp_path / "mine.yaml"
    path.write_text(f"policies:\n  {line}\n")
    schema = root / "workflow/schemas/config.schema.yaml"
    ((name, expression),) = load(path, read_yaml(schema), partial=True)["policies"].items()
    assert name == "learned_my_site_2"
    assert not compile_expression(expression).moves
    assert get(expression).order == "static"


@pytest.mark.slow
def test_learn_prints_one_json_object(tmp_path):
    log = site_log(tmp_path / "site.swf")
    plain, found = (
        call("learn", log, *LEARN).output,
        json.loads(call("learn", log, *LEARN, "--json").stdout),
    )
    assert (found["log"], found["jobs"], found["tuples"]) == ("site.swf", 1500, 6)
    assert f'"{found["policy"]}"' in plain
    assert f"LaTeX        {found['latex']}" in plain
    assert [one["rank"] for one in found["functions"]] == sorted(
        one["rank"] for one in found["functions"]
    )
    assert found["functions"][0]["policy"] == found["policy"]
    assert found["not_tested"] is None
    assert found["test"]["windows"] == 2
    assert found["test"]["verdict"] in plain
    (learned,) = [one for one in found["test"]["results"] if one["policy"] == "learned"]
    shown = f"{learned['mean']:,.2f} +{learned['median']:,.2f} +{learned['ratio']:.2f}"
    assert re.search(rf"^learned +{shown}", plain, re.MULTILINE)
    assert learned["max_wait"] > 0


@pytest.mark.slow
def test_a_log_too_short_for_windows_is_learned_from_and_not_checked(tmp_path):
    path = tmp_path / "short.swf"
    site_log(path)
    head, *lines = path.read_text().splitlines()
    path.write_text("\n".join([head, *lines[:500]]) + "\n")
    result = call("learn", str(path), *LEARN)
    assert result.exit_code == 0, result.output
    found = json.loads(call("learn", str(path), *LEARN, "--json").stdout)
    assert found["test"] is None
    assert found["not_tested"] in result.output
    assert "not checked on the second half" in result.output

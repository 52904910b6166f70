"""The command line, as a user calls it."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from schedlab.cli import app

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
    assert "1 jobs dropped" in result.output
    fcfs = next(line for line in result.output.splitlines() if "FCFS" in line)
    assert [cell.strip() for cell in fcfs.split("│")[2:4]] == ["3", "1.17"]


def test_policies_are_listed():
    """By name, with their scores."""
    assert "wfp3" in call("policies").output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--policy", "wfp"], "did you mean 'wfp3'"),
        (["--processors", "2"], "job 1 needs 3 processors, the machine has 2"),
        (["--processors", "0"], "the machine has 0 processors"),
        (["--rules", "none"], "unknown rules 'none'; one of sc17_actual"),
        (["--dialect", "fll"], "unknown dialect 'fll'; one of full"),
    ],
)
def test_mistakes_end_in_one_clear_line(log, change, message):
    """No traceback, exit code 1."""
    result = call("simulate", log, *change)
    assert result.exit_code == 1
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_log_without_jobs_is_an_error(tmp_path):
    """The file and the rules are named."""
    path = tmp_path / "empty.swf"
    path.write_text("; MaxProcs: 4\n")
    result = call("simulate", str(path))
    assert result.exit_code == 1
    assert "rules full_estimate leave no job" in result.output


def test_a_broken_line_is_named(tmp_path):
    """File, line and field."""
    path = tmp_path / "broken.swf"
    path.write_text(LOG.replace("2 0 -1 5", "2 0 -1 five"))
    result = call("simulate", str(path))
    assert result.exit_code == 1
    assert "broken.swf" in result.output
    assert "line 3" in result.output

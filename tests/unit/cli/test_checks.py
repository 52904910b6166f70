"""Typing errors and contradictions are reported before a log is read."""

import re

import pytest
from typer.testing import CliRunner

from schedlab.cli import app, checks
from schedlab.cli.checks import SchedulingOptions

COMMANDS = {
    "simulate": [],
    "compare": [],
    "explain": ["1"],
    "gantt": [],
    "explore": ["--html", "page.html"],
    "export-schedule": ["--swf", "out.swf"],
    "tune": [],
    "learn": [],
}
WITHOUT = {
    "--policy": {"tune", "learn"},
    "--dialect": {"explain", "gantt", "export-schedule"},
    "--reservations": {"tune", "learn"},
    "--threshold": {"explore", "export-schedule", "learn"},
}


def call(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "80"})


TYPED = [
    ("--policy", "wfp33", "no policy is registered as 'wfp33'; did you mean 'wfp3'?"),
    ("--dialect", "slrum", "unknown dialect 'slrum'; did you mean 'slurm'?"),
    ("--dialect", "slurm+bf_intervl=9", "unknown switch 'bf_intervl'; did you mean 'bf_interval'?"),
    ("--reservations", "everi", "unknown reservations 'everi'; did you mean 'every'?"),
    ("--rules", "full_estimat", "unknown rules 'full_estimat'; did you mean 'full_estimate'?"),
    ("--threshold", "86400", "--threshold: 86400 is a number without a unit"),
    ("--default-limit", "86400", "--default-limit: 86400 is a number without a unit"),
]


@pytest.mark.parametrize(
    ("command", "option", "value", "message"),
    [
        (command, *typed)
        for command in COMMANDS
        for typed in TYPED
        if command not in WITHOUT.get(typed[0], ())
    ],
)
def test_a_typing_error_is_reported_before_the_log_is_read(command, option, value, message):
    result = call(command, "missing.swf", *COMMANDS[command], option, value)
    assert result.exit_code == 1
    assert message in result.stderr
    assert "missing.swf" not in result.stderr
    right = call(command, "missing.swf", *COMMANDS[command])
    assert "missing.swf: No such file" in right.stderr


def test_misspelled_metric_and_backfilling_order_are_reported():
    for option, value, message in (
        ("--metric", "slowdwn", "unknown metric 'slowdwn'; did you mean 'slowdown'?"),
        ("--backfill-order", "staf", "did you mean 'saf'?"),
        ("--compression", "instan", "unknown compression 'instan'; did you mean 'instant'?"),
    ):
        assert message in call("compare", "missing.swf", option, value).stderr
    result = call("whatif", "missing.txt", "gone.txt", "--policy", "wfp33")
    assert "did you mean 'wfp3'?" in result.stderr
    result = call("site", "init", "missing.txt", "--rules", "full_estimat")
    assert "did you mean 'full_estimate'?" in result.stderr


def test_reservations_are_those_of_the_dialect():
    assert SchedulingOptions().check(["fcfs"]).settings["reservations"] == "head"
    assert SchedulingOptions().check(["fcfs"]).mode == "EASY backfilling"
    found = SchedulingOptions().check(["fcfs"], dialect="slurm+bf_interval=300")
    assert (found.settings["reservations"], found.mode) == (
        "every",
        "Slurm's backfilling, a reservation for every job",
    )
    kept = SchedulingOptions("head").check(["fcfs"], "slurm")
    assert kept.settings["reservations"] == "head"


def test_default_policies_omit_those_that_slurm_cannot_run(monkeypatch):
    said = []
    monkeypatch.setattr(checks, "warn", said.append)
    usual = ["fcfs", "wfp3", "spt"]
    found = SchedulingOptions().check(usual, dialect="slurm", usual=usual)
    assert found.policies == ["fcfs", "spt"]
    assert len(said) == 1
    assert re.match("WFP.? is left out: dialect slurm has static orders", said[0])
    with pytest.raises(ValueError, match="'wfp3' moves while jobs wait"):
        SchedulingOptions().check(["fcfs", "wfp3"], dialect="slurm", usual=usual)
    assert SchedulingOptions().check(usual, usual=usual).policies == usual


@pytest.mark.parametrize(
    ("settings", "dialect", "message"),
    [
        ({"threshold": "60s"}, "artefact", "dialect artefact has no starvation threshold"),
        ({"threshold": "60s"}, "slurm", "dialect slurm has no starvation threshold"),
        ({"reservations": "every"}, "ocs", "ocs knows no reservations of every job"),
        (
            {"reservations": "every", "backfill_order": "spt"},
            "full",
            "there is no order of backfilling",
        ),
        ({"compression": "none"}, "full", "compression is none, but reservations is head"),
    ],
)
def test_contradictions_need_no_log(settings, dialect, message):
    with pytest.raises(ValueError, match=message):
        SchedulingOptions(**settings).check(["fcfs"], dialect)

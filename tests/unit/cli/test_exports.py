"""The commands that write logs for other programs, and what --json says of written files."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.policies import REGISTRY
from schedlab.traces.swf import read_swf

LOG = """; MaxProcs: 4
7 5 -1 10 3 -1 -1 3 12 -1 1 8 2 -1 1 -1 -1 -1
2 0 -1 5 4 -1 -1 4 5 -1 1 9 2 -1 1 -1 -1 -1
3 5 -1 10 2 -1 -1 2 10 -1 1 8 2 -1 1 -1 -1 -1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "site.swf"
    path.write_text(LOG)
    return str(path)


def call(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "120"})


@pytest.mark.parametrize(("version", "name"), [("4", "delay"), ("5", "DelayProfile")])
def test_a_log_is_a_batsim_workload(log, tmp_path, version, name):
    path = tmp_path / "workload.json"
    result = call("export-batsim", log, "--out", str(path), "--batsim", version)
    assert result.exit_code == 0, result.output
    assert "workload.json: 3 jobs on 4 processors; rules full_estimate" in result.output
    workload = json.loads(path.read_text())
    assert workload["nb_res"] == 4
    jobs = [(job["id"], job["walltime"]) for job in workload["jobs"]]
    assert jobs == [("2", 5), ("3", 10), ("7", 12)]
    assert workload["profiles"]["10"]["type"] == name


def test_a_schedule_is_written_as_a_log_and_as_a_table(log, tmp_path):
    """By hand: job 3 runs from 5 to 15, job 7 of 3 processors after it."""
    swf, table = tmp_path / "out.swf.gz", tmp_path / "jobs.csv"
    result = call("export-schedule", log, "--swf", str(swf), "--evalys", str(table))
    assert result.exit_code == 0, result.output
    assert "jobs.csv: 3 jobs under FCFS; EASY backfilling" in result.output
    written = read_swf(swf)
    assert written.header.integer("MaxProcs") == 4
    columns = written.jobs[["number", "submit", "wait", "user", "group"]]
    assert columns.to_numpy().tolist() == [[2, 0, 0, 9, 2], [3, 5, 0, 8, 2], [7, 5, 10, 8, 2]]
    assert pd.read_csv(table)["finish_time"].tolist() == [5, 15, 25]


@pytest.mark.parametrize(
    ("header", "unix_start", "zone"),
    [
        ("; UnixStartTime: 843480031\n; TimeZoneString: Europe/Oslo\n", 843480071, "Europe/Oslo"),
        ("", None, None),
    ],
)
def test_a_schedule_has_the_calendar_of_its_log(log, tmp_path, header, unix_start, zone):
    """Second 0 of a schedule is the first submission; a log without a calendar has none here."""
    shifted = tmp_path / "shifted.swf"
    rows = [line.split() for line in LOG.splitlines() if not line.startswith(";")]
    text = "".join(f"{row[0]} {int(row[1]) + 40} {' '.join(row[2:])}\n" for row in rows)
    shifted.write_text(f"; MaxProcs: 4\n{header}{text}")
    out = tmp_path / "out.swf"
    result = call("export-schedule", str(shifted), "--swf", str(out))
    assert result.exit_code == 0, result.output
    read = read_swf(out).header
    assert read.integer("UnixStartTime") == unix_start
    assert next(iter(read.values("TimeZoneString")), None) == zone


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("export-schedule",), "nothing to write: give --swf, --evalys or both"),
        (("export-batsim", "--out", "x.json", "--batsim", "3"), "unknown version of Batsim '3'"),
    ],
)
def test_mistakes_end_in_one_clear_line(log, words, message):
    command, *more = words
    result = call(command, log, *more)
    assert result.exit_code == 1
    assert message in result.output
    assert "Traceback" not in result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "names", "more"),
    [
        ("gantt LOG --out {0} --policy spt", ["a.png"], {"policy": "SPT"}),
        ("explore LOG --html {0} --policy spt", ["a.html"], {"policies": ["SPT"]}),
        ("export-batsim LOG --out {0}", ["a.json"], {}),
        ("export-schedule LOG --swf {0} --evalys {1}", ["a.swf", "a.csv"], {"policy": "FCFS"}),
    ],
)
def test_json_names_the_written_files(tmp_path, command, names, more):
    log, files = tmp_path / "site.swf", [str(tmp_path / name) for name in names]
    log.write_text(LOG)
    arguments = command.format(*files).replace("LOG", str(log)).split()
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["log"], found["jobs"], found["processors"]) == ("site.swf", 3, 4)
    assert found["files"] == files
    assert found.items() >= more.items()
    plain = CliRunner().invoke(app, arguments)
    assert [line.split(": ")[0] for line in plain.stdout.splitlines()][-len(files) :] == files


def test_policies_are_listed():
    found = json.loads(CliRunner().invoke(app, ["policies", "--json"]).stdout)["policies"]
    assert [one["name"] for one in found] == list(REGISTRY)
    assert found[1]["order"] == "linear"
    assert found[0]["expression"] == "s"

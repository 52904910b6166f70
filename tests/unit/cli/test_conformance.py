"""The command that holds a simulator to the kit, and to recordings."""

import csv
import json
import sys

import pytest
from typer.testing import CliRunner

from recording_case import OWN
from schedlab.cli import app
from schedlab.workbench.conformance.kit import read_kit

#: each job starts when it is submitted
AT_ONCE = """
import csv, sys
with open(sys.argv[1]) as jobs, open(sys.argv[2], "w") as out:
    print("number,start", file=out)
    for row in csv.DictReader(jobs):
        print(row["number"], row["submit"], sep=",", file=out)
"""


@pytest.fixture
def at_once(tmp_path):
    (tmp_path / "sim.py").write_text(AT_ONCE)
    return f"{sys.executable} {tmp_path}/sim.py {{workload}} {{out}}"


def run(*words):
    return CliRunner().invoke(app, ["conformance", *map(str, words)])


def test_without_a_command_rules_and_workloads_are_listed():
    text = run().output
    for name in [*read_kit().rules, *read_kit().workloads]:
        assert name in text
    assert set(json.loads(run("--json").output)["rules"]) == set(read_kit().rules)


def test_a_simulator_that_differs_ends_with_a_code_and_the_first_difference(at_once, tmp_path):
    words = ("--rule", "strict", "--workload", "textbook", "--command", at_once)
    found = run(*words, "--out", tmp_path / "cases.csv")
    assert found.exit_code == 1
    assert "strict, workload textbook: at 10 s job 2 starts, expected at 100 s." in found.output
    (row,) = csv.DictReader((tmp_path / "cases.csv").open())
    assert (row["verdict"], row["differing"], float(row["wait"])) == ("differs", "5", 0)
    (case,) = json.loads(run(*words, "--json").output)["cases"]
    assert case["rule"] == "strict"


def test_recordings_are_compared_by_distance(at_once):
    found = run("--recordings", OWN, "--command", at_once)
    assert found.exit_code == 1
    assert len([line for line in found.output.splitlines() if line.endswith("far")]) == 8
    said = run("--recordings", OWN)
    assert "--recordings needs --command" in said.output


def test_the_kit_is_copied(tmp_path):
    assert "files" in run("--export", tmp_path / "kit").output
    assert (tmp_path / "kit/starts.csv").exists()
    assert "exists" in run("--export", tmp_path / "kit").output


def test_this_simulator_conforms_by_its_own_command(tmp_path):
    program = f"{sys.executable} -m schedlab export-schedule {{swf}} --policy fcfs"
    words = ("--workload", "textbook", "--workload", "together", "--command")
    for rule, reservations in (("easy", "head"), ("first_fit", "fit")):
        command = f"{program} --reservations {reservations} --swf {{out}}"
        found = run("--rule", rule, *words, command)
        assert found.exit_code == 0, found.output


def test_options_that_do_not_go_together_and_a_folder_to_write_are_errors(at_once, tmp_path):
    said = run("--recordings", OWN, "--command", at_once, "--out", tmp_path / "out.csv")
    assert (said.exit_code, "leave them out" in said.output) == (1, True)
    said = run("--command", at_once, "--out", tmp_path)
    assert f"{tmp_path}: is a folder" in said.output
    (tmp_path / "file").write_text("")
    words = ("--rule", "strict", "--workload", "textbook", "--command", at_once)
    said = run(*words, "--out", tmp_path / "file/out.csv")
    assert isinstance(said.exception, SystemExit)
    assert str(tmp_path / "file") in said.output

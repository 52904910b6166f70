"""The command that exports policies to Slurm, as a user calls it."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.exports.slurm import slurm_export


def call(*arguments):
    return CliRunner().invoke(app, ["export-slurm", *arguments], env={"COLUMNS": "120"})


def test_export_writes_files_and_prints_the_next_steps(tmp_path):
    folder = tmp_path / "new" / "slurm"
    result = call("f1", "--processors", "64", "--origin", "2026-01-01", "--out", str(folder))
    assert result.exit_code == 0, result.output
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written == slurm_export("f1", processors=64).files
    assert "F1 by a job_submit.lua that gives each job its place once" in result.output
    assert "\n    JobSubmitPlugins=lua\n" in result.output
    assert "\n5. scontrol reconfigure" in result.output


def test_existing_files_are_replaced_only_with_force(tmp_path):
    own = tmp_path / "job_submit.lua"
    own.write_text("-- the site's own")
    asked = ("f1", "--processors", "64", "--out", str(tmp_path))
    result = call(*asked)
    assert result.exit_code == 1
    assert f"there already: {own}; give --force, or another --out" in result.output
    assert [path.read_text() for path in tmp_path.iterdir()] == ["-- the site's own"]
    result = call(*asked, "--force")
    assert result.exit_code == 0, result.output
    assert own.read_text().startswith("-- job_submit.lua: F1")
    assert "slurm-priority.conf, " in call(*asked).output, "all of them are named"


def test_end_of_fair_share_is_the_first_line_on_stderr_before_the_files_are_written(tmp_path):
    """It is said although the files cannot be written; points change no weight, so nothing is."""
    (tmp_path / "file").write_text("no folder")
    asked = ("f1", "--processors", "64", "--out", str(tmp_path / "file"))
    result = call(*asked)
    assert result.exit_code == 1
    first = result.stderr.splitlines()[0]
    assert first.startswith("This ends fair share and QOS: their weights are 0 or not read.")
    assert "schedlab export-slurm --points N" in first
    assert "This ends" not in call(*asked, "--points", "9").stderr


def test_without_a_folder_the_files_are_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("wfp3", "--processors", "64")
    assert result.exit_code == 0, result.output
    assert "==> slurm_priority.py <==\n#!/usr/bin/env python3" in result.output
    assert not list(tmp_path.iterdir())


def test_json_has_all_of_it(tmp_path):
    result = call("sqf", "--processors", "64", "--json", "--out", str(tmp_path))
    found = json.loads(result.stdout)
    assert found["means"] == "weights"
    assert found["exact"] is True
    assert found["processors"] == 64
    assert found["files"] == {"slurm-priority.conf": (tmp_path / "slurm-priority.conf").read_text()}


def test_the_origin_is_today_by_default(monkeypatch):
    monkeypatch.setattr("time.time", lambda: 1_780_000_000.5)
    result = call("f1", "--processors", "64")
    assert "ORIGIN = 1779926400 -- 2026-05-28 00:00:00 UTC" in result.output


def test_an_origin_in_the_future_is_refused(monkeypatch):
    monkeypatch.setattr("time.time", lambda: 1_779_926_400.0)  # the first second of 2026-05-28
    asked = ("f1", "--processors", "64", "--origin")
    assert call(*asked, "2026-05-28").exit_code == 0
    result = call(*asked, "2026-05-29")
    assert result.exit_code == 1
    assert "--origin 2026-05-29: is in the future" in result.output


@pytest.mark.parametrize(("longest", "taken"), [(1209599, 1209600), (1209601, 1209601)])
def test_the_longest_limit_of_a_log_is_at_least_two_weeks(longest, taken, tmp_path):
    path = tmp_path / "tuned.json"
    path.write_text(json.dumps({"policy": "r * n", "processors": 4, "longest": longest}))
    assert f"LONGEST = {taken} " in call(str(path)).output
    assert "LONGEST = 3600 " in call(str(path), "--longest", "1h").output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("f1",), "give --processors"),
        (("f1", "--processors", "4", "--origin", "1 May"), "a day is written YYYY-MM-DD"),
        (("f1", "--processors", "0"), "give --processors"),
        (("wfp3", "--processors", "4", "--means", "weights"), "wait only oldest first"),
        (("wfp3", "--processors", "4", "--means", "lua"), "unknown means 'lua'"),
        (("none.json",), "none.json: No such file or directory"),
    ],
)
def test_mistakes_are_reported_in_one_line(arguments, words, tmp_path):
    result = call(*arguments, "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert words in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", ["{}", "[]", "no JSON", '{"policy": 3}'])
def test_unrelated_json_file_is_rejected(content, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(content)
    result = call(str(path))
    assert result.exit_code == 1
    assert "no policy in it" in result.output


def test_all_files_or_no_file_is_written(tmp_path, monkeypatch):
    write = Path.write_text

    def fail(path, *arguments, **settings):
        if path.name.endswith("job_submit.lua"):
            raise OSError(28, "No space left on device", str(path))
        return write(path, *arguments, **settings)

    monkeypatch.setattr(Path, "write_text", fail)
    result = call("f1", "--processors", "64", "--out", str(tmp_path))
    assert result.exit_code == 1
    assert "No space left" in result.output
    assert not list(tmp_path.iterdir())


def test_export_reads_the_result_of_tune(tmp_path):
    """A log of 40 days on 4 processors, one job of each size an hour."""
    draw = np.random.default_rng(5)
    lines = ["; MaxProcs: 4"]
    for number in range(960):
        run, procs = draw.integers(60, 9000), draw.integers(1, 5)
        fields = [number + 1, number * 3600, -1, run, procs, -1, -1, procs, 9000, -1, 1, 1]
        lines.append(" ".join(map(str, [*fields, 1, -1, 1, -1, -1, -1])))
    log, out = tmp_path / "site.swf", tmp_path / "tuned.json"
    log.write_text("\n".join(lines) + "\n")
    told = CliRunner().invoke(
        app, ["tune", str(log), "--points", "3", "--threshold", "24h", "--out", str(out)]
    )
    assert told.exit_code == 0, told.output
    assert f"export-slurm {out}" in told.output
    tuned = json.loads(out.read_text())
    assert (tuned["processors"], tuned["longest"], tuned["threshold"]) == (4, 9000, 86400)
    result = call(str(out), "--json")
    assert result.exit_code == 0, result.output
    assert "starvation threshold of 86400 s" in result.stderr
    assert tuned["backfill"] == "spf"
    assert "in another one (spf): expect less of it" in " ".join(result.stderr.split())
    found = json.loads(result.stdout)
    assert found["expression"] == tuned["policy"]
    assert found["processors"] == 4
    export = slurm_export(tuned["policy"], processors=4)
    assert found["lines"] == list(export.lines)


def test_a_threshold_is_a_guard_in_a_script(tmp_path):
    """Of two jobs the long one goes first as soon as it has waited for more than two days."""
    found = json.loads(call("saf", "--processors", "64", "--threshold", "2d", "--json").stdout)
    assert found["means"] == "script"
    assert "w - 172800" in found["expression"]
    assert json.loads(call("saf", "--processors", "64", "--json").stdout)["means"] == "submit"
    assert json.loads(call("saf_age", "--processors", "64", "--json").stdout)["means"] == "submit"
    bare = call("saf", "--processors", "64", "--threshold", "172800")
    assert bare.exit_code != 0
    assert "is a number without a unit" in bare.stderr


def test_points_keep_the_priorities_of_the_site():
    result = call("saf", "--processors", "64", "--points", "500", "--threshold", "2d", "--json")
    found = json.loads(result.stdout)
    assert (found["means"], found["lines"], found["exact"]) == ("script", [], False)
    assert "\nPOINTS = 500 " in found["files"]["slurm_priority.py"]
    said = " ".join(result.stderr.split())
    assert "the 500 points of the policy: expect smaller gains if they were not simulated" in said
    assert "waited 172800 s is not first" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("options", "words"),
    [(("--points", "0"), "points are 0"), (("--points", "5", "--means", "weights"), "by a script")],
)
def test_points_that_cannot_be_added_are_an_error(options, words):
    result = call("saf", "--processors", "64", *options)
    assert result.exit_code == 1
    assert words in result.output

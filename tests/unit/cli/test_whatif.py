"""`schedlab whatif`: tables, plain and complete when piped, JSON, help, mistakes."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.traces.slurm import sinfo_text, squeue_text

SLURM = Path(__file__).parents[1] / "workbench" / "slurm-22.05"


@pytest.fixture
def site(tmp_path, monkeypatch):
    for name in ("squeue.txt", "sinfo.txt"):
        shutil.copy(SLURM / name, tmp_path)
    monkeypatch.chdir(tmp_path)


def call(*arguments):
    return CliRunner().invoke(app, ["whatif", *arguments], env={"COLUMNS": "80"})


def rows(text):
    return [re.split(r"  +", line.strip()) for line in text.splitlines() if "  " in line.strip()]


def test_help_has_an_example_that_runs_and_the_very_formats(site):
    said = " ".join(call("--help").stdout.split())
    assert squeue_text.FORMAT in said
    assert sinfo_text.FORMAT in said
    example = re.search(r"Example: (schedlab .+)$", said)[1]
    result = call(*shlex.split(example)[2:])
    assert result.exit_code == 0, result.output
    assert [row[0] for row in rows(result.stdout)][1:4] == ["as it stands", "FCFS", "r * n"]


def test_table_is_printed_with_jobs_that_cannot_start(site):
    result = call("squeue.txt", "sinfo.txt", "--policy", "fcfs", "--hours", "1")
    left_out, title, _ = result.stdout.split("\n", 2)
    assert left_out.startswith("The prediction leaves out: limits of QOS, accounts, users and arra")
    assert title == "9 jobs wait, 2 run on 32 processors, 2026-11-22T12:43:17"
    heads, *found = rows(result.stdout)[:3]
    waits = ["mean wait, s", "median wait, s", "95 % wait, s"]
    assert heads == ["policy", *waits, "start in 1 h", "in use, 1 h"]
    assert found[0][0] == "as it stands"
    assert found[0][1:] == found[1][1:] == ["110", "117", "189", "9", "6.3%"]
    assert "2 of 11 waiting jobs cannot start at present" in result.stdout
    assert "  9: held by its user\n  11: its partition does not allow it\n" in result.stdout
    assert "begin times: 1 of 9 jobs come later" in result.stderr


def test_every_policy_of_the_registry_by_default(site):
    result = call("squeue.txt", "sinfo.txt", "--json", "--threads", "2")
    assert len(json.loads(result.stdout)["results"]) == 25


def test_starts_of_each_job(site):
    result = call("squeue.txt", "sinfo.txt", "--policy", "spt", "--jobs")
    table = rows(result.stdout.partition("starts\n")[2])
    assert table[0] == ["job", "user", "held by", "processors", "as it stands", "SPT"]
    assert table[1] == ["3", "user1", "–", "20", *["2026-11-22T12:44:05"] * 2]


def test_job_that_a_limit_holds_is_named_in_its_row(site):
    queue = Path("squeue.txt")
    lines = queue.read_text().splitlines()
    held = next(place for place, line in enumerate(lines) if line.startswith("3|"))
    lines[held] = lines[held].rpartition("|")[0] + "|QOSMaxCpuPerUserLimit"
    queue.write_text("\n".join(lines))
    result = call("squeue.txt", "sinfo.txt", "--policy", "spt", "--jobs")
    assert rows(result.stdout.partition("starts\n")[2])[1][2] == "QOSMaxCpuPerUserLimit"
    assert "1 of 9 waiting jobs are held by what is left out" in result.stdout
    assert "  3: QOSMaxCpuPerUserLimit\n" in result.stdout
    assert "limit" not in result.stderr
    said = json.loads(call("squeue.txt", "sinfo.txt", "--policy", "spt", "--json").stdout)
    assert [job["held_by"] for job in said["jobs"]][:2] == ["QOSMaxCpuPerUserLimit", ""]
    assert "preemption" in said["left_out"]


def test_json_has_results_jobs_and_reasons(site):
    result = call(
        "squeue.txt", "sinfo.txt", "--policy", "fcfs", "--reservations", "every", "--json"
    )
    said = json.loads(result.stdout)
    assert (said["processors"], said["running"], said["hours"]) == (32, 2, 24)
    assert said["reservations"] == ["every"]
    assert said["results"][1]["policy"] == "FCFS"
    assert said["results"][1]["started"] == 9
    first = said["jobs"][0]
    assert (first["id"], first["start"]["FCFS"] - said["now"]) == ("3", 48)
    assert [job["id"] for job in said["cannot_start"]] == ["9", "11"]
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["squeue.txt", "none.txt"], "none.txt: No such file or directory"),
        (["squeue.txt", "sinfo.txt", "--reservations", "two"], "unknown reservations 'two'"),
        (["squeue.txt", "sinfo.txt", "--at", "noon"], "'noon' is no time"),
        (["squeue.txt", "sinfo.txt", "--hours", "0.0001"], "must be at least a second"),
    ],
)
def test_mistakes_end_in_one_line(arguments, message, site):
    result = call(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert "Traceback" not in result.output

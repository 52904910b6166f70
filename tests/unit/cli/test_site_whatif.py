"""`schedlab whatif` on a site's own Slurm: table, JSON, mistakes."""

import json
import re
import shlex

import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from site_queue_case import write

SITE = "squeue.txt --slurm-conf slurm.conf --accounts accounts.txt"


@pytest.fixture(autouse=True)
def site(tmp_path, monkeypatch):
    write(tmp_path)
    monkeypatch.chdir(tmp_path)


def call(text):
    return CliRunner().invoke(app, ["whatif", *shlex.split(text)], env={"COLUMNS": "80"})


def test_each_change_is_a_row(tmp_path):
    changes = "--slurm-set PriorityWeightQOS=0 --add-nodes 2:g1 --drain c1 --policy site --policy "
    changes += "'r * n' --jobs"
    result = call(f"{SITE} {changes}")
    assert result.exit_code == 0, result.output
    rows = [re.split(r"  +", line) for line in result.stdout.splitlines() if "  " in line.strip()]
    assert result.stdout.startswith("The prediction leaves out: licenses")
    names = ["as it is", "PriorityWeightQOS=0", "--add-nodes 2:g1", "--drain c1", "points by r * n"]
    assert [row[0] for row in rows[1:6]] == names
    assert rows[3][4] == "3"
    assert [row[0] for row in rows[7:10]] == ["3", "4", "5"]
    assert "3 jobs wait, 2 run on 3 nodes, 2026-11-22T12:33:20" in result.stdout


def test_json_has_the_same():
    answer = json.loads(call(f"{SITE} --drain c1 --json").stdout)
    assert [row["change"] for row in answer["results"]] == ["as it is", "--drain c1"]
    assert [job["id"] for job in answer["jobs"]] == ["3", "4", "5"]
    assert answer["left_out"][0] == "licenses and burst buffers"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (f"squeue.txt accounts.txt {SITE.partition(' ')[2]}", "MACHINE: the site's files decide"),
        (f"{SITE} --reservations every", "--reservations: the site's files decide"),
        (f"{SITE} --policy nothing", "nothing"),
        ("squeue.txt accounts.txt --drain c1", "--drain is of a site's Slurm: give --slurm-conf"),
        ("squeue.txt", "MACHINE: give the output of sinfo, or --slurm-conf"),
        (f"{SITE} --slurm-set bf_nothing=1", "bf_nothing is no key of slurm.conf"),
    ],
)
def test_mistakes_end_in_a_line(arguments, words):
    result = call(arguments)
    assert result.exit_code == 1
    assert words in result.stderr

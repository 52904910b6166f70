"""The command for the page of schedules, as a user calls it."""

import json
import re

import pytest
from typer.testing import CliRunner

from schedlab.cli import app

LOG = """; MaxProcs: 4
7 5 -1 10 3 -1 -1 3 10 -1 1 8 1 -1 1 -1 -1 -1
2 0 -1 5 4 -1 -1 4 5 -1 1 9 1 -1 1 -1 -1 -1
3 5 -1 10 1 -1 -1 1 10 -1 1 8 1 -1 1 -1 -1 -1
"""


def call(*arguments):
    return CliRunner().invoke(app, ["explore", *arguments], env={"COLUMNS": "120"})


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "site.swf"
    path.write_text(LOG)
    return str(path)


def test_page_shows_policies_in_the_given_order(log, tmp_path):
    path = tmp_path / "out" / "page.html"
    result = call(log, "--html", str(path), "--policy", "f1", "--policy", "fcfs")
    assert result.exit_code == 0, result.output
    assert "page.html: 3 jobs" in result.output
    page = path.read_text()
    assert re.findall(r"<h2>(\S+) <small>", page) == ["F1", "FCFS"]
    assert "EASY backfilling; full dialect; rules full_estimate: all jobs kept" in page
    facts = json.loads(re.search(r'<script id="facts"[^>]*>(.*?)</script>', page)[1])
    assert ["user", "u1", 3] in facts["columns"]

"""Every block of docs/recipes.md runs as it is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import matplotlib as mpl
import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from site_case import site_log

TEXT = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
LINES = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    site_log(tmp_path / "site.swf.gz", waits=True)
    monkeypatch.chdir(tmp_path)
    mpl.use("agg")
    return tmp_path


def test_there_are_five_recipes():
    assert len(PYTHON) == len(re.findall("^## ", TEXT, re.MULTILINE)) == 5


@pytest.mark.slow
@pytest.mark.parametrize("place", range(5))
def test_python_of_a_recipe_runs(folder, place, capsys):
    exec(compile(PYTHON[place], f"recipe {place + 1}", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_commands_of_a_recipe_run(folder, line):
    program, *arguments = shlex.split(line)
    assert program == ".venv/bin/schedlab"
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output


@pytest.mark.slow
def test_the_last_recipe_makes_its_files(folder):
    exec(compile(PYTHON[-1], "recipe 5", "exec"), {})
    made = {path.name for path in folder.iterdir()}
    assert made == {"site.swf.gz", "starts.csv.gz", "schedule.png", "schedule.json.gz"}

"""Calls of `schedlab asa run`, and rows of its tables."""

import re

from typer.testing import CliRunner

from schedlab.cli import app

WORKFLOW = """\
name: flow
stages:
  - {name: split, cores: 1, seconds: 30, command: "true"}
  - {name: left, cores: 8, seconds: 40, after: [split], command: "true"}
  - {name: join, cores: 2, seconds: 10, after: [left], command: "true"}
"""


def asa(*arguments):
    return CliRunner().invoke(app, ["asa", *arguments], env={"COLUMNS": "80"})


def call(*arguments):
    return CliRunner().invoke(app, ["asa", "run", *arguments], env={"COLUMNS": "80"})


def rows(text):
    """Return the cells of the rows of a printed table."""
    return [re.split(r"  +", line.strip()) for line in text.splitlines() if "  " in line.strip()]

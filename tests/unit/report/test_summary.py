"""The three summary lines at the end of a run."""

import pandas as pd
import typer
from typer.testing import CliRunner

from schedlab.report.scoreboard import COLUMNS
from schedlab.report.summary import main
from schedlab.report.tables import write_csv

ROW = dict.fromkeys(COLUMNS, "") | dict.fromkeys(
    ["difference", "relative", "minutes"], float("nan")
)


def board(*rows):
    names = ["paper", "verdict", "kind"]
    return pd.DataFrame([ROW | dict(zip(names, row, strict=True)) for row in rows])


def call(page):
    app = typer.Typer()
    app.command()(main)
    return CliRunner().invoke(app, [str(page)])


WAITING = ("two", "log not available", "")


def test_numbers_are_counted_by_paper_and_kind(tmp_path):
    page = tmp_path / "index.html"
    page.write_text("<html>")
    rows = [("one", "match", "replicated"), ("one", "differs", "reproduced")]
    rows += [("one", "match", "arithmetic on print"), WAITING]
    write_csv(board(*rows), tmp_path / "scoreboard.csv")
    lines = call(page).output.splitlines()
    assert lines[0].startswith(f"The report: {page}")
    assert lines[1] == (
        "Compared with the papers: one: 1 of 2 computed numbers match; 1 differs, not explained. "
        "1 of 1 numbers that are arithmetic on the paper’s own print match. | 1 published numbers "
        "need their logs"
    )
    assert lines[2] == (
        "The papers' numbers: export SCHEDLAB_ARCHIVE=/folder/with/logs, then snakemake "
        "--cores all (docs/howto/reproduce.md)"
    )
    assert len(lines) == 3


def test_missing_report_is_an_error_without_claims(tmp_path):
    result = call(tmp_path / "results/report/index.html")
    assert result.exit_code == 1
    assert "the report was not made" in result.stderr
    assert "The report:" not in result.output

"""schedlab verify, as a user calls it."""

import json

import pandas as pd
import pytest
from rich.console import Console
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.cli.verify import as_table
from schedlab.files.programs import program
from schedlab.report.scoreboard import COLUMNS
from schedlab.report.tables import write_csv
from schedlab.report.verdicts import GRADES

EXPECTED = "paper\titem\tdialect\tcell\tverdict\texplained\none\ttable1\t\ta\tmatch\t\n"


@pytest.fixture
def call(tmp_path):
    """Verify a scoreboard with one number against one that matches."""

    def run(*arguments, verdict="match", papers=("one",)):
        rows = [
            dict.fromkeys(COLUMNS, "")
            | {"paper": paper, "item": "table1", "label": "Table 1", "cell": "a"}
            | {"published": "2", "computed": "2.5", "verdict": verdict, "minutes": 1.25}
            for paper in papers
        ]
        write_csv(pd.DataFrame(rows), tmp_path / "board.csv")
        (tmp_path / "expected.tsv").write_text(EXPECTED)
        paths = (str(tmp_path / "board.csv"), "--expected", str(tmp_path / "expected.tsv"))
        return CliRunner().invoke(app, ["verify", *paths, *arguments])

    return run


def test_unchanged_verdict_exits_with_success(call):
    result = call()
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == (
        "Of 1 published numbers: 1 as expected: nothing got worse"
    )


def test_a_verdict_that_got_worse_is_named_and_fails(call):
    result = call(verdict="differs")
    assert result.exit_code == 1
    assert (
        "worse: one, table1, a: match -> unexplained (published 2, computed 2.5)" in result.output
    )
    assert result.output.splitlines()[-1].endswith("1 worse: something got worse")


def test_missing_verdicts_fail_only_with_strict(call):
    assert call(verdict="log not available").exit_code == 0
    assert "need their logs" in call(verdict="log not available").output
    assert call("--strict", verdict="log not available").exit_code == 1


def test_piped_output_is_columns_of_tabs_with_every_grade(call):
    header, row, *_ = call().output.splitlines()
    names, cells = header.split("\t"), row.split("\t")
    assert dict(zip(names, cells, strict=True)) == {
        **{"paper": "one", "item": "Table 1", "numbers": "1", "match": "1", "minutes": "1.25"},
        **dict.fromkeys(("consistent", "same ranking", "explained", "unexplained"), "0"),
        "log not available": "0",
    }


def test_json_has_the_same_counts(call):
    data = json.loads(call("--json", verdict="differs").output)
    assert data["ok"] is False
    assert data["counts"]["worse"] == 1
    assert data["worse"][0]["cell"] == "a"
    assert data["tables"][0]["unexplained"] == 1
    assert json.loads(call("--json").output)["ok"] is True


def test_single_paper_can_be_selected(call):
    result = call("--paper", "one", papers=("one", "two"))
    assert "two" not in result.output
    assert call("--paper", "three").exit_code == 1
    assert "unknown paper 'three'" in call("--paper", "three").stderr


def test_missing_scoreboard_is_reported_with_the_command(tmp_path):
    result = CliRunner().invoke(app, ["verify", str(tmp_path / "board.csv")])
    assert result.exit_code == 1
    assert f"\n    {program('snakemake')} --cores all {tmp_path}/board.csv\n" in result.stderr


def test_folder_of_a_run_has_its_scoreboard(call, tmp_path):
    call()
    (tmp_path / "run/report").mkdir(parents=True)
    (tmp_path / "board.csv").rename(tmp_path / "run/report/scoreboard.csv")
    paths = [str(tmp_path / "run"), "--expected", str(tmp_path / "expected.tsv")]
    assert CliRunner().invoke(app, ["verify", *paths]).exit_code == 0


def test_table_for_a_terminal_fits_80_columns_with_whole_words():
    row = dict.fromkeys(GRADES, 100) | {"paper": "carastan2017", "numbers": 144, "minutes": 12.5}
    rows = [row | {"label": label} for label in ("Table 4", "Figures 6.14 and 6.15")]
    console = Console(width=80)
    with console.capture() as capture:
        console.print(as_table(rows))
    text = capture.get()
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("carastan2017") == 1


def test_grades_that_do_not_occur_have_no_column():
    row = dict.fromkeys(GRADES, 0) | {"paper": "one", "label": "a", "numbers": 2, "minutes": None}
    headers = [column.header for column in as_table([row | {"match": 2}]).columns]
    assert headers == ["", "all", "match", "min"]

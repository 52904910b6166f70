"""The three summary lines at the end of a run."""

from collections import Counter

import pytest
import typer
from typer.testing import CliRunner

from schedlab.report.summary import main, sentence, verdicts_by_paper

HEADER = "row,published,computed,verdict,reason\n"
TABLE5 = "a,1,1,match,\nb,2,3,same ranking,known\nc,2,3,differs,unexplained\nd,2,2,consistent,\n"
DIALECTS = "row,dialect,verdict\na,artefact,match\na,full,differs\n"


@pytest.fixture
def report(tmp_path):
    """Make a report without comparisons, and return its first page."""
    page = tmp_path / "results/report/index.html"
    page.parent.mkdir(parents=True)
    page.write_text("<html>")
    return page


def write_comparison(report, name, text):
    path = report.parent.parent / "figures" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def call(page):
    app = typer.Typer()
    app.command()(main)
    return CliRunner().invoke(app, [str(page)])


def test_verdicts_are_counted_by_paper_over_tables_in_the_papers_dialect(report):
    write_comparison(report, "one/table4_comparison.csv", DIALECTS)
    write_comparison(report, "one/table5_comparison.csv", HEADER + TABLE5)
    write_comparison(report, "two/table1_comparison.csv", HEADER + "a,1,,log not available,\n")
    counts = verdicts_by_paper(report.parent.parent / "figures")
    assert +counts["one"] == {
        "match": 2,
        "consistent": 1,
        "differs": 1,
        "same ranking": 1,
        "unexplained": 1,
    }
    assert counts["two"]["log not available"] == 1
    lines = call(report).output.splitlines()
    assert lines[0].startswith(f"The report: {report}")
    assert lines[1] == (
        "Compared with the papers: one 2 of 5 numbers match, 1 are consistent, 1 differ with the "
        "same ranking, 1 differ, 1 of them unexplained"
    )
    assert lines[2] == (
        "The papers' numbers: export SCHEDLAB_ARCHIVE=/folder/with/logs, then snakemake "
        "--cores all (docs/howto/reproduce.md)"
    )
    assert len(lines) == 3


def test_a_dialect_without_a_name_is_counted_as_one(report):
    write_comparison(
        report, "one/table4_comparison.csv", "row,dialect,verdict\na,,match\nb,full,differs\n"
    )
    assert +verdicts_by_paper(report.parent.parent / "figures")["one"] == {"match": 1}


def test_papers_without_comparisons_are_left_out_of_the_sentence():
    """One has no match, another nothing else, and a third waits for its logs."""
    counts = {
        "one": Counter({"differs": 1200, "unexplained": 1100, "log not available": 2300}),
        "two": Counter({"match": 4}),
        "three": Counter({"log not available": 9}),
    }
    assert sentence(counts) == (
        "Compared with the papers: one 0 of 1,200 numbers match, 1,200 differ, 1,100 of them "
        "unexplained; log not available: 2,300 | two 4 of 4 numbers match"
    )


def test_stand_ins_give_no_match(report):
    write_comparison(
        report, "one/table4_comparison.csv", HEADER + "a,1,2,log not available,on a model\n" * 3
    )
    line = call(report).output.splitlines()[1]
    assert "nothing yet" in line
    assert "3 published numbers need their logs" in line


def test_missing_report_is_an_error_without_claims(tmp_path):
    result = call(tmp_path / "results/report/index.html")
    assert result.exit_code == 1
    assert "the report was not made" in result.stderr
    assert "The report:" not in result.output

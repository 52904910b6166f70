"""snakemake verify succeeds if nothing got worse, and fails otherwise."""

import json

import pandas as pd
import pytest

from schedlab.files.programs import program

TABLE = "table5_comparison"
EXPECTED = "resources/expected.tsv"
BOARD = "results/report/scoreboard.csv"


@pytest.fixture
def small_project(new_project, tmp_path):
    """Copy of the project that scores one table, offline and without a log."""
    folder = new_project(tmp_path)
    for sheet in folder.glob("resources/*/scored.tsv"):
        header, *rows = sheet.read_text().splitlines()
        kept = [row for row in rows if (sheet.parent.name, row.split("\t")[0]) == PLACE]
        sheet.write_text("\n".join([header, *kept, ""]))
    header, *rows = (folder / EXPECTED).read_text().splitlines()
    kept = [row for row in rows if row.startswith("carastan2017\ttable5\t")]
    (folder / EXPECTED).write_text("\n".join([header, *kept, ""]))
    (folder / "offline.yaml").write_text("download: {offline: true}\n")
    return folder


PLACE = ("carastan2017", TABLE)


def test_checks_that_did_not_run_are_listed_and_do_not_fail(snakemake, small_project, monkeypatch):
    run = snakemake(small_project, "verify", "--configfile", "offline.yaml")
    assert run.returncode == 0, run.stdout
    assert "Of 20 published numbers: " in run.stdout
    assert "nothing got worse" in run.stdout
    board = pd.read_csv(small_project / BOARD)
    assert len(board) == 20
    monkeypatch.chdir(small_project)
    called = program("snakemake")
    commands = board["command"].unique().tolist()
    target = f"results/figures/carastan2017/{TABLE}.csv"
    assert commands == [f"{called} --cores all {target} --configfile offline.yaml"]
    assert board["minutes"].gt(0).all()
    facts = json.loads((small_project / "results/report/run.json").read_text())
    assert facts["command"] == f"{called} --cores all --configfile offline.yaml"


def test_a_number_that_is_expected_and_not_made_fails(snakemake, small_project):
    """Also a second time: what fails is asked again whenever it is asked for."""
    with (small_project / EXPECTED).open("a") as file:
        file.write("carastan2017\ttable5\t\tA log more | year\tmatch\t\n")
    for _ in range(2):
        run = snakemake(small_project, "verify", "--configfile", "offline.yaml")
        assert run.returncode != 0
        assert "gone: carastan2017, table5, A log more | year: match" in run.stdout
        assert "something got worse" in run.stdout

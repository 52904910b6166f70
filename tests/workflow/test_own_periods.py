"""Your policies and traces in legrand2018: which items they add, and which stay the same."""

import re

import pytest

QUICK = ("--configfile", "config/quick.yaml")
MINE = ("--config", "policies={mine: r * n - w}")
SHEET = "config/experiments/legrand2018.tsv"
FIGURES = "results/quick/figures/legrand2018"


def jobs_of(text, rule):
    """Jobs of a rule in the summary of a dry run."""
    found = re.search(rf"^{rule}\s+(\d+)$", text, re.MULTILINE)
    return int(found[1]) if found else 0


@pytest.fixture
def site(new_project, tmp_path):
    """Copy of the workflow with a trace of your own, by weeks and by months."""
    folder = new_project(tmp_path)
    header, *rows = [line.split("\t") for line in (folder / SHEET).read_text().splitlines()]
    cells = dict(zip(header, rows[1], strict=True))
    items = {"thresholds": "table_mine", "best": "fig_mine_best", "mixed": "fig_mine_mixed"}
    items |= {"search": "fig_mine_search", "space": "fig_mine_space", "months": "-"}
    own = {f"{column}_item": item for column, item in items.items()}
    weeks = cells | {"experiment": "mine_weeks", "label": "MINE", "space": "1-4"} | own
    months = weeks | dict.fromkeys(own, "-") | {"experiment": "mine_months", "split": "months"}
    months |= {"cleaning": "rr9212_months", "months_item": "fig_mine_months", "space": "-"}
    lines = [*rows, [weeks[cell] for cell in header], [months[cell] for cell in header]]
    text = "\n".join("\t".join(line) for line in [header, *lines])
    (folder / SHEET).write_text(text + "\n")
    return folder


def test_user_policies_run_once_per_experiment_into_separate_files(snakemake, project):
    without = snakemake(project, "legrand2018", "-n", *QUICK)
    assert without.returncode == 0, without.stdout
    assert jobs_of(without.stdout, "simulate_own") == 0
    assert "_own." not in without.stdout
    run = snakemake(project, "legrand2018", "-n", *QUICK, *MINE)
    assert run.returncode == 0, run.stdout
    assert jobs_of(run.stdout, "simulate_own") == 12  # by weeks, by months, by the text
    for item in ("table2", "table3", "fig1", "fig2", "fig3", "fig15"):
        assert f"{FIGURES}/{item}_own." in run.stdout, item


def test_user_traces_have_their_items_and_are_not_in_the_papers_items(snakemake, site):
    run = snakemake(site, "legrand2018", "-n", *QUICK)
    assert run.returncode == 0, run.stdout
    for item in ("table_mine.csv", *(f"fig_mine_{kind}.png" for kind in ("best", "months"))):
        assert f"{FIGURES}/{item}" in run.stdout, item
    items = [f"{FIGURES}/{item}.csv" for item in ("table1", "claims", "online", "fig1", "fig15")]
    papers = snakemake(site, *items, "-n", *QUICK)
    assert papers.returncode == 0, papers.stdout
    assert "mine_" not in papers.stdout

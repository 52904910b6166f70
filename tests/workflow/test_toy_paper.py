"""A sixth paper, added as in docs/howto/paper.md: files, a line of papers.smk, a sheet."""

import pandas as pd
import pytest

from docs_case import ROOT
from howto_case import follow

PAGE = ROOT / "docs/howto/paper.md"


@pytest.fixture
def project_with_sixth_paper(new_project, tmp_path):
    """Copy of the project with a sixth paper, and the one line that it takes."""
    folder = new_project(tmp_path)
    follow(PAGE, folder)
    return folder


def test_sixth_paper_gives_its_table_and_its_page(snakemake, project_with_sixth_paper):
    page = "results/quick/report/toy2026.html"
    run = snakemake(project_with_sixth_paper, "toy2026", page, "--configfile", "config/quick.yaml")
    assert run.returncode == 0, run.stdout
    table = pd.read_csv(project_with_sixth_paper / "results/quick/figures/toy2026/table1.csv")
    assert table["policy"].tolist() == ["f1", "fcfs", "spt"]
    assert "3 policies" in (project_with_sixth_paper / page).read_text()


def test_paper_whose_sheet_names_an_unknown_model_is_rejected(snakemake, project_with_sixth_paper):
    sheet = project_with_sixth_paper / "config/experiments/toy2026.tsv"
    sheet.write_text(sheet.read_text().replace("lublin_quick_256\t256\t", "lublin_quik\t256\t"))
    run = snakemake(project_with_sixth_paper, "toy2026", "-n", "--configfile", "config/quick.yaml")
    assert "toy2026.tsv: experiment 'one_row': 'lublin_quik' is not in" in run.stdout

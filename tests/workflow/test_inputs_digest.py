"""What decides a verdict: a change of it changes the digest of the inputs, other changes do not."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TARGETS = {
    "carastan2017": "table4_comparison",
    "kellari2025": "table6_comparison",
    "klusacek2016": "table1_comparison",
    "legrand2018": "table2_comparison",
    "souza2020": "arithmetic_comparison",
}


@pytest.fixture(scope="module")
def own(new_project, tmp_path_factory):
    """Copy of the project to edit."""
    return new_project(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="module")
def before(own):
    return digests(own)


def digests(folder):
    """Return the digest of the inputs of each paper's table, at the papers' scale."""
    groups = {paper: [f"results/figures/{paper}/{file}.csv"] for paper, file in TARGETS.items()}
    run = subprocess.run(
        [sys.executable, Path(__file__).with_name("inputs_digest.py"), "config/config.yaml"],
        input=json.dumps(groups),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout.splitlines()[-1])


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def changed(before, after):
    return {paper for paper in TARGETS if before[paper] != after[paper]}


def test_every_kind_of_input_counts_for_the_papers_that_use_it(own, before):
    """A resource, a row of a sheet, a kernel and a checksum of a raw log, of a paper each."""
    with (own / "resources/kellari2025/published.tsv").open("a", encoding="utf-8") as file:
        file.write("\n")
    edit(own / "config/experiments/legrand2018.tsv", "\t28-64\t65-100\t", "\t28-63\t64-100\t")
    with (own / "src/schedlab/kernels/plan/planning.pyx").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    assert changed(before, digests(own)) == {"kellari2025", "klusacek2016", "legrand2018"}


def test_what_only_shows_results_does_not_count(new_project, before, tmp_path):
    """Nor does another folder, or results that exist already."""
    project = new_project(tmp_path / "elsewhere")
    edit(project / "src/schedlab/report/pages.py", '"""', '"""A page: ')
    made = project / "results/figures/souza2020"
    made.mkdir(parents=True)
    shutil.copy(project / "config/quick.yaml", made / "arithmetic_comparison.csv")
    assert changed(before, digests(project)) == set()

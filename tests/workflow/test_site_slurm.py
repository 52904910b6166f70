"""The report on a site's own Slurm, from the synthetic site."""

import pandas as pd
import pytest
import yaml
from typer.testing import CliRunner

from check_pages import faults_of
from schedlab.cli import app


@pytest.fixture(scope="module")
def made(snakemake, new_project, tmp_path_factory):
    """Results of a small synthetic site."""
    project = new_project(tmp_path_factory.mktemp("site"))
    folder = project / "example"
    for words in (
        ["site", "example", folder, "--days", "40", "--jobs", "900"],
        [
            *("site", "init", folder / "log.parquet", "--out", folder / "site.yaml"),
            *("--slurm-conf", folder / "slurm.conf", "--accounts", folder / "accounts.txt"),
            *("--name", "example"),
        ],
    ):
        run = CliRunner().invoke(app, list(map(str, words)))
        assert run.exit_code == 0, run.output
    small = {"site": {"tries": {"jobs": 900, "search": 8}, "forks": 20}}
    (project / "small.yaml").write_text(yaml.safe_dump(small))
    files = ("config/quick.yaml", "small.yaml", "example/site.yaml")
    run = snakemake(project, "site", "--configfile", *files, timeout=900)
    assert run.returncode == 0, run.stdout
    return project / "results/site_example"


@pytest.mark.xdist_group("site_slurm")
def test_first_page_says_what_to_change_and_how_far_the_simulation_is(made):
    page = (made / "report/site.html").read_text()
    assert "<h1>What should the Slurm of example change?</h1>" in page
    texts = {path.stem: path.read_text() for path in (made / "figures/site").glob("*.txt")}
    answer = texts["settings_answer"]
    assert answer.startswith(("Change ", "Add points", "No advice", "Cannot tell"))
    said = page[page.index('<section id="answer">') :]
    assert answer.split(".")[0].split("=")[0] in said
    # what is not modeled is on the first page
    assert "Not modeled: the time that a pass takes" in said
    facts = pd.read_csv(made / "figures/site/calibration_facts.csv").iloc[0]
    assert f"{facts['median_error']:.0%}" in texts["how_far"]


@pytest.mark.xdist_group("site_slurm")
def test_best_of_the_search_is_named_by_its_settings(made):
    changes = pd.read_parquet(made / "simulations/site/settings.changes.parquet")
    rows = changes[changes["label"].str.endswith("(search)")]
    assert rows["label"].tolist() == [name for name in changes["searched"].unique() if name]
    text = (made / "figures/site/settings_tried.txt").read_text()
    assert [all(setting in text for setting in row) for row in rows["texts"]] == [True] * len(rows)
    assert ("of a search:" in text) == bool(len(rows))


@pytest.mark.xdist_group("site_slurm")
def test_what_to_paste_is_there_only_with_advice(made):
    texts = {path.stem: path.read_text() for path in (made / "figures/site").glob("*.txt")}
    gives = texts["settings_answer"].startswith(("Change Pri", "Change bf", "Add points"))
    assert bool(texts["paste"].strip()) == gives


@pytest.mark.xdist_group("site_slurm")
def test_table_has_every_changed_setting(made):
    table = pd.read_csv(made / "figures/site/toggles.csv")
    assert set(table["group"]) == {
        "weights", "schedulers", "points", "QOS", "partitions", "nodes",
    }  # fmt: skip
    ran = table[table["wait"].notna()]
    assert ((ran["wait low"] <= ran["wait"]) & (ran["wait"] <= ran["wait high"])).all()


@pytest.mark.xdist_group("site_slurm")
def test_pages_are_plain(made):
    paths = [made / "report/site.html", *(made / "report/site").glob("*.html")]
    assert len(paths) == 9
    assert not [fault for path in paths for fault in faults_of(path.read_text())]

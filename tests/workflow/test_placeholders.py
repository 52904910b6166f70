"""The placeholder of a missing log is replaced once the log is available."""

import json
import shutil

import pandas as pd
import pytest

from site_case import site_log

QUICK = ("--configfile", "config/quick.yaml")
TABLE = "results/quick/figures/carastan2017/table5.csv"
LOG, RECORD = "resources/raw/CTC-SP2.swf", "resources/raw/CTC-SP2.json"


@pytest.fixture(scope="module")
def without_logs(snakemake, new_project, tmp_path_factory):
    """A project with a table made without logs, and an archive of one, drawn as CTC-SP2."""
    folder = new_project(tmp_path_factory.mktemp("without"))
    registry = folder / "config/traces.tsv"
    lines = [line.split("\t") for line in registry.read_text().splitlines()]
    cells = lines[0]
    for line in lines:
        if line[0] == "CTC-SP2":
            for cell in ("sha256", "git_blob", "jobs"):
                line[cells.index(cell)] = "-"
            file = line[cells.index("file")]
    registry.write_text("".join("\t".join(line) + "\n" for line in lines))
    run = snakemake(folder, TABLE, *QUICK)
    assert run.returncode == 0, run.stdout
    assert json.loads((folder / RECORD).read_text())["status"] == "log not available"
    archive = folder / "archive/of/logs"
    archive.mkdir(parents=True)
    site_log(archive / file, jobs=300)
    text = (archive / file).read_text()
    (archive / file).write_text(f"; UnixStartTime: 835466188\n{text}")
    return folder


@pytest.fixture
def project(without_logs, tmp_path):
    """Copy of that project, times of files as well."""
    folder = tmp_path / "project"
    shutil.copytree(without_logs, folder)
    return folder


def missing_logs(folder):
    """Number of rows of Table 5 without values."""
    table = pd.read_csv(folder / TABLE)
    assert len(table) == 4
    return int(table.eq("log not available").any(axis=1).sum())


@pytest.mark.parametrize("lost", ["metadata", "everything"])
def test_a_log_that_turns_up_is_fetched_though_snakemake_has_forgotten(snakemake, project, lost):
    assert missing_logs(project) == 4
    shutil.rmtree(project / ".snakemake" / ("metadata" if lost == "metadata" else ""))
    run = snakemake(project, TABLE, *QUICK, archive=project / "archive")
    assert run.returncode == 0, run.stdout
    assert json.loads((project / RECORD).read_text())["status"] == "available"
    assert (project / LOG).read_text().count("\n") == 302
    assert missing_logs(project) == 3
    # the other logs, still missing, are looked for by the same attempt and cost nothing
    assert run.stdout.count("Fetching") == 1
    again = snakemake(project, TABLE, *QUICK, archive=project / "archive")
    assert "Nothing to be done" in again.stdout


def test_dry_run_lists_the_fetch_and_leaves_the_record_unchanged(snakemake, project):
    shutil.rmtree(project / ".snakemake")
    before = (project / RECORD).read_bytes()
    run = snakemake(project, "-n", TABLE, *QUICK, archive=project / "archive")
    assert "Fetching CTC-SP2" in run.stdout
    assert (project / RECORD).read_bytes() == before


def test_placeholders_of_todays_attempt_stay_without_metadata(snakemake, project):
    shutil.rmtree(project / ".snakemake")
    run = snakemake(project, TABLE, *QUICK)
    assert "Nothing to be done" in run.stdout


def test_unreadable_record_is_rewritten(snakemake, project):
    shutil.rmtree(project / ".snakemake")
    (project / RECORD).write_text("{")
    run = snakemake(project, TABLE, *QUICK)
    assert run.returncode == 0, run.stdout
    assert json.loads((project / RECORD).read_text())["status"] == "log not available"


def rewrite_timeout(folder, timeout):
    """Give the attempt of the record a timeout as an earlier version wrote it: without a unit."""
    record = json.loads((folder / RECORD).read_text())
    assert record["attempt"]["timeout"] == "30s"
    record["attempt"]["timeout"] = timeout
    (folder / RECORD).write_text(json.dumps(record))
    shutil.rmtree(folder / ".snakemake")


def test_a_placeholder_of_an_earlier_version_is_looked_for_again(snakemake, project):
    rewrite_timeout(project, 30)
    run = snakemake(project, TABLE, *QUICK)
    assert run.returncode == 0, run.stdout
    record = json.loads((project / RECORD).read_text())
    assert (record["status"], record["attempt"]["timeout"]) == ("log not available", "30s")
    assert missing_logs(project) == 4


@pytest.mark.parametrize("timeout", [30, 2.5])
def test_a_log_of_an_earlier_version_is_fetched_as_it_was_then(snakemake, project, timeout):
    archive = project / "archive"
    assert snakemake(project, TABLE, *QUICK, archive=archive).returncode == 0
    rewrite_timeout(project, timeout)
    again = snakemake(project, TABLE, *QUICK, archive=archive)
    assert "Nothing to be done" in again.stdout
    (project / LOG).unlink()
    run = snakemake(project, TABLE, *QUICK, archive=archive)
    assert run.returncode == 0, run.stdout
    record = json.loads((project / RECORD).read_text())
    assert (record["status"], record["attempt"]["timeout"]) == ("available", timeout)
    assert missing_logs(project) == 3

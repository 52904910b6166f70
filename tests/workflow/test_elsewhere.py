"""The workflow used from other folders: as a module, deployed, and with your configuration."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

TABLE = "results/quick/figures/table4.csv"
SHEET = "config/experiments/carastan2017.tsv"
MODULE = """
module schedlab:
    snakefile: "{home}/workflow/Snakefile"
    config: config

use rule * from schedlab as schedlab_*
"""


def keep_two_rows(folder):
    """Leave two rows of Table 4 in the sheet below a folder."""
    header, *rows = (folder / SHEET).read_text().splitlines()
    kept = [row for row in rows if row.startswith(("ctc_backfill_artefact", "ctc_actual_artefact"))]
    (folder / SHEET).write_text("\n".join([header, *kept, ""]))


@pytest.fixture
def configuration(root, tmp_path):
    """Copy the configuration to a folder that holds nothing else, with two rows of Table 4."""
    folder = tmp_path / "mine"
    shutil.copytree(root / "config", folder / "config")
    keep_two_rows(folder)
    return folder


def rows_of(folder):
    """Rows of the table that was made in a folder."""
    return len(pd.read_csv(folder / TABLE))


def test_snakefile_of_another_folder_uses_the_configuration_here(snakemake, project, configuration):
    arguments = ("-s", str(project / "Snakefile"), "--configfile", "config/quick.yaml")
    run = snakemake(configuration, TABLE, *arguments, package=project)
    assert run.returncode == 0, run.stdout
    assert rows_of(configuration) == 2
    assert not (project / "results").exists()


def test_folder_of_the_test_data_is_at_the_quick_scale(snakemake, root, project, tmp_path):
    shutil.copytree(root / ".test", tmp_path / "data", symlinks=False)
    run = snakemake(project, TABLE, "-n", "--directory", str(tmp_path / "data"))
    assert run.returncode == 0, run.stdout
    assert "generate_workload" in run.stdout


def test_snakemake_without_the_package_says_what_to_install(root, tmp_path):
    """As where a catalog lints the workflow, in an environment of Snakemake's alone."""
    hidden = "import sys; sys.modules['schedlab'] = None; from snakemake.cli import main; main()"
    command = [sys.executable, "-c", hidden, "-n", "-s", root / "workflow/Snakefile"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "pip install '.[workflow]'" in run.stderr + run.stdout
    assert "Traceback" not in run.stderr


def test_empty_directory_uses_the_configuration_of_the_workflow(snakemake, new_project, tmp_path):
    home, other = tmp_path / "home", tmp_path / "other"
    for folder in (home, other):
        folder.mkdir()
    keep_two_rows(new_project(home))
    arguments = ("--directory", str(other), "--configfile", "config/quick.yaml")
    run = snakemake(home, TABLE, *arguments)
    assert run.returncode == 0, run.stdout
    assert rows_of(other) == 2
    assert not (home / "results").exists()


def test_workflow_runs_as_a_module_of_another_workflow(snakemake, project, configuration):
    (configuration / "Snakefile").write_text(
        'configfile: "config/quick.yaml"\n' + MODULE.format(home=project)
    )
    run = snakemake(configuration, TABLE, package=project)
    assert run.returncode == 0, run.stdout
    assert rows_of(configuration) == 2


def test_prefix_of_an_importing_workflow_stays_in_its_shells(snakemake, project, configuration):
    (configuration / "Snakefile").write_text(
        'configfile: "config/quick.yaml"\nshell.prefix("export MINE=seen; ")\n'
        + MODULE.format(home=project)
        + """
rule mine:
    output: "mine.txt"
    threads: 2
    shell: "echo $MINE $OPENBLAS_NUM_THREADS > {output}"
"""
    )
    run = snakemake(configuration, "mine.txt", package=project)
    assert run.returncode == 0, run.stdout
    assert (configuration / "mine.txt").read_text() == "seen 1\n"


def test_python_whose_path_a_shell_splits_is_refused_with_the_reason(project, tmp_path):
    folder = tmp_path / "a b"
    folder.symlink_to(sys.prefix)
    run = subprocess.run(
        [folder / "bin/python", "-m", "snakemake", "-n", TABLE],
        cwd=project, env=os.environ | {"PYTHONPATH": str(project / "src")}, text=True,
        capture_output=True,
    )  # fmt: skip
    assert run.returncode == 1
    assert f"Error: Snakemake cannot start scripts with {folder}/bin/python" in run.stderr


def test_importing_workflow_sets_the_folder_of_results(snakemake, project, configuration):
    (configuration / "Snakefile").write_text(
        'configfile: "config/quick.yaml"\n'
        + MODULE.format(home=project).replace(
            "    config: config", "    config: config\n    pathvars: results='made/here'"
        )
    )
    run = snakemake(configuration, "made/here/figures/table4.csv", package=project)
    assert run.returncode == 0, run.stdout
    assert len(pd.read_csv(configuration / "made/here/figures/table4.csv")) == 2
    assert not (configuration / "results").exists()


@pytest.fixture
def hosted(project, tmp_path, monkeypatch):
    """Make git find the project, as a repository with a tag, at a hosting service's address."""
    repository = tmp_path / "hosted/someone/schedlab"
    shutil.copytree(project, repository, ignore=shutil.ignore_patterns("results", ".snakemake"))
    author = ("-c", "user.name=someone", "-c", "user.email=someone@example.org")
    for command in (
        ("init", "-q"),
        ("add", "-A"),
        (*author, "commit", "-qm", "all"),
        ("tag", "v1"),
    ):
        subprocess.run(["git", *command], cwd=repository, check=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.file://{tmp_path}/hosted/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/")
    return "https://github.com/someone/schedlab"


def test_workflow_deployed_from_a_hosting_service_runs(snakemake, project, hosted, tmp_path):
    deployed = tmp_path / "deployed"
    snakedeploy = Path(sys.executable).with_name("snakedeploy")
    command = [snakedeploy, "deploy-workflow", hosted, str(deployed), "--tag", "v1"]
    subprocess.run(command, check=True, env=os.environ)
    text = (deployed / "workflow/Snakefile").read_text()
    assert 'github("someone/schedlab", path="workflow/Snakefile", tag="v1")' in text
    settings = yaml.safe_load((deployed / "config/quick.yaml").read_text())
    (deployed / "config/config.yaml").write_text(yaml.safe_dump(settings))
    keep_two_rows(deployed)
    run = snakemake(deployed, TABLE, package=project)
    assert run.returncode == 0, run.stdout
    assert rows_of(deployed) == 2

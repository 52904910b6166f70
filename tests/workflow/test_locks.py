"""A run that finds the locks of another one says how to unlock, even with --quiet."""

import pytest

TARGET = "results/figures/carastan2017/table2.csv"


@pytest.fixture
def locked(new_project, tmp_path):
    """Copy of the project in which a killed run has left the lock of a table."""
    folder = new_project(tmp_path / "project")
    locks = folder / ".snakemake/locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text(f"{TARGET}\n")
    return folder


@pytest.mark.parametrize("quiet", [["all"], ["host", "reason"]])
def test_locked_folder_reports_how_to_unlock_it(snakemake, locked, quiet):
    run = snakemake(locked, "--quiet", *quiet, "--", TARGET)
    assert run.returncode == 1
    assert "--unlock" in run.stdout
    assert not (locked / TARGET).exists()
    unlocked = snakemake(locked, TARGET, "--unlock", "--quiet", "all")
    assert (unlocked.returncode, unlocked.stdout.count("--unlock")) == (0, 0)
    run = snakemake(locked, "--quiet", *quiet, "--", TARGET)
    assert (run.returncode, run.stdout.count("--unlock")) == (0, 0)
    assert (locked / TARGET).exists()

"""The quick scale through profiles/slurm, on a real Slurm."""

from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.slurm
TABLE = "results/figures/table4.csv"
QUICK = ("--configfile", "config/quick.yaml")
# as the README has it
COMMAND = ("--profile", "profiles/slurm", TABLE)


@dataclass(frozen=True)
class Quick:
    """A finished run: its folder, what Snakemake said, the Slurm jobs that it left."""

    folder: Path
    returncode: int
    output: str
    jobs: list[dict[str, str]]


@pytest.fixture(scope="module")
def quick(slurm, new_project, snakemake, tmp_path_factory) -> Quick:
    """Make Table 4 at the quick scale through Slurm."""
    folder = new_project(tmp_path_factory.mktemp("cluster"))
    run = snakemake(folder, *COMMAND, *QUICK, cores=None)
    return Quick(folder, run.returncode, run.stdout, slurm.completed())


def test_command_is_the_one_of_the_readme(root):
    assert f"snakemake {' '.join(COMMAND)}\n" in (root / "README.md").read_text()


def test_quick_scale_comes_through(quick):
    assert quick.returncode == 0, quick.output
    assert (quick.folder / TABLE).stat().st_size


def test_jobs_went_through_slurm(quick):
    assert {job["JobState"] for job in quick.jobs} == {"COMPLETED"}
    assert {job["NodeList"][0] for job in quick.jobs} == {"n"}


def test_short_jobs_share_a_slurm_job(quick):
    made = list((quick.folder / "results").rglob("*.parquet"))
    assert len(quick.jobs) < len(made) / 4


def test_table_is_the_one_made_without_slurm(quick, new_project, snakemake, tmp_path):
    run = snakemake(new_project(tmp_path), TABLE, *QUICK)
    assert run.returncode == 0, run.stdout
    assert (tmp_path / TABLE).read_bytes() == (quick.folder / TABLE).read_bytes()


def test_failed_job_comes_back_as_failed(slurm, new_project, snakemake, tmp_path):
    """A workload that is no Parquet file ends the job that cuts it, and Snakemake with it."""
    folder = new_project(tmp_path)
    workload = folder / "results/workloads/lublin_quick_256.parquet"
    workload.parent.mkdir(parents=True)
    workload.write_text("no workload\n")
    pieces = "results/pieces/lublin_quick_256.none.sequences15d.parquet"
    run = snakemake(folder, "--profile", "profiles/slurm", pieces, *QUICK, cores=None)
    assert run.returncode == 1, run.stdout
    assert "Parquet magic bytes not found" in run.stdout, "the reason is shown"
    assert slurm.completed()[-1]["JobState"] == "FAILED"
    assert not (folder / pieces).exists()

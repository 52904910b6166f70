"""The quick scale through profiles/slurm, on a real Slurm."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from schedlab.config import filled

pytestmark = pytest.mark.slurm
TABLE = "results/figures/table4.csv"
SETTINGS = ("quick.yaml", "config.yaml")
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
def quick_project(new_project):
    """Copy the project with the quick scale as its configuration: no command has to name it."""

    def copy(folder: Path) -> Path:
        config = new_project(folder) / "config"
        read = {name: yaml.safe_load((config / name).read_text()) for name in SETTINGS}
        settings = filled(read["quick.yaml"], read["config.yaml"]) | {"scale": "papers"}
        (config / "config.yaml").write_text(yaml.safe_dump(settings))
        return folder

    return copy


@pytest.fixture(scope="module")
def quick(slurm, quick_project, snakemake, tmp_path_factory) -> Quick:
    """Make Table 4 at the quick scale through Slurm."""
    folder = quick_project(tmp_path_factory.mktemp("cluster"))
    run = snakemake(folder, *COMMAND, cores=None)
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


def test_table_is_the_one_made_without_slurm(quick, quick_project, snakemake, tmp_path):
    run = snakemake(quick_project(tmp_path), TABLE)
    assert run.returncode == 0, run.stdout
    assert (tmp_path / TABLE).read_bytes() == (quick.folder / TABLE).read_bytes()


def test_failed_job_comes_back_as_failed(slurm, quick_project, snakemake, tmp_path):
    """A workload that is no Parquet file ends the job that cuts it, and Snakemake with it."""
    folder = quick_project(tmp_path)
    workload = folder / "results/workloads/lublin_quick_256.parquet"
    workload.parent.mkdir(parents=True)
    workload.write_text("no workload\n")
    pieces = "results/pieces/lublin_quick_256.none.sequences15d.parquet"
    run = snakemake(folder, "--profile", "profiles/slurm", pieces, cores=None)
    assert run.returncode == 1, run.stdout
    assert "no checksum in it" in run.stdout, "the reason is shown"
    assert slurm.completed()[-1]["JobState"] == "FAILED"
    assert not (folder / pieces).exists()

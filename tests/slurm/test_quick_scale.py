"""The quick scale through profiles/slurm, on a real Slurm."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from schedlab.files.config import fill_defaults
from slurm import damage

pytestmark = pytest.mark.slurm
TABLE = "results/figures/table4.csv"
PIECES = "results/pieces/lublin_quick_338.none.sequences15d.parquet"
TIMEOUT = 1800
SETTINGS = ("quick.yaml", "config.yaml")
# as the README has it
COMMAND = ("--profile", "profiles/slurm", TABLE)


@dataclass(frozen=True)
class Quick:
    """A finished run: its folder, Snakemake's output, its jobs and the killed ones."""

    folder: Path
    returncode: int
    output: str
    jobs: list[dict[str, str]]
    killed: str


@pytest.fixture(scope="module")
def quick_project(new_project):
    """Copy the project with the quick scale as its configuration: no command has to name it."""

    def copy(folder: Path) -> Path:
        config = new_project(folder) / "config"
        read = {name: yaml.safe_load((config / name).read_text()) for name in SETTINGS}
        settings = fill_defaults(read["quick.yaml"], read["config.yaml"]) | {"scale": "papers"}
        (config / "config.yaml").write_text(yaml.safe_dump(settings))
        return folder

    return copy


@pytest.fixture(scope="module")
def quick(slurm, quick_project, snakemake, tmp_path_factory) -> Quick:
    """Make Table 4 at the quick scale through Slurm; the first job that runs is killed."""
    folder = quick_project(tmp_path_factory.mktemp("cluster"))
    before = len(slurm.completed())
    with ThreadPoolExecutor(1) as elsewhere:
        running = elsewhere.submit(snakemake, folder, *COMMAND, cores=None, timeout=TIMEOUT)
        while not (found := damage.jobs("RUNNING")) and not running.done():
            time.sleep(0.5)
        for job in found[:1]:
            damage.kill_job(job)
        run = running.result()
    return Quick(folder, run.returncode, run.stdout, slurm.completed()[before:], *found[:1])


def test_command_is_the_one_of_the_readme(root):
    assert f"snakemake {' '.join(COMMAND)}\n" in (root / "README.md").read_text()


def test_quick_scale_succeeds(quick):
    assert quick.returncode == 0, quick.output
    assert (quick.folder / TABLE).stat().st_size


def test_jobs_went_through_slurm(quick):
    ends = {job["JobId"]: job["JobState"] for job in quick.jobs}
    assert ends.pop(quick.killed) in damage.ENDED_BADLY
    assert set(ends.values()) == {"COMPLETED"}
    assert {job["NodeList"][0] for job in quick.jobs} == {"n"}


def test_finished_run_has_no_further_jobs_and_an_empty_queue(quick, snakemake):
    run = snakemake(quick.folder, TABLE, "-n", timeout=TIMEOUT)
    assert "Nothing to be done" in run.stdout
    assert not damage.jobs("PENDING,RUNNING,COMPLETING")


def test_short_jobs_share_a_slurm_job(quick):
    made = list((quick.folder / "results").rglob("*.parquet"))
    assert len(quick.jobs) < len(made) / 4


def test_table_is_the_one_made_without_slurm(quick, quick_project, snakemake, tmp_path):
    run = snakemake(quick_project(tmp_path), TABLE, timeout=TIMEOUT)
    assert run.returncode == 0, run.stdout
    assert (tmp_path / TABLE).read_bytes() == (quick.folder / TABLE).read_bytes()


def test_failed_job_is_reported_as_failed(slurm, quick_project, snakemake, tmp_path):
    """A workload that is no Parquet file ends the job that cuts it, and Snakemake with it."""
    folder = quick_project(tmp_path)
    workload = folder / "results/workloads/lublin_quick_338.parquet"
    workload.parent.mkdir(parents=True)
    workload.write_text("no workload\n")
    once = ("--profile", "profiles/slurm", "--retries", "0")
    run = snakemake(folder, PIECES, *once, cores=None, timeout=TIMEOUT)
    assert run.returncode == 1, run.stdout
    assert "no checksum in it" in run.stdout, "the reason is shown"
    assert slurm.completed()[-1]["JobState"] == "FAILED"
    assert not (folder / PIECES).exists()


def test_generic_profile_gives_the_same_table(slurm, quick, quick_project, snakemake, tmp_path):
    pytest.importorskip("snakemake_executor_plugin_cluster_generic")
    folder = quick_project(tmp_path)
    before = len(slurm.completed())
    run = snakemake(folder, "--profile", "profiles/generic", PIECES, cores=None, timeout=TIMEOUT)
    assert run.returncode == 0, run.stdout
    assert [job["JobState"] for job in slurm.completed()[before:]] == ["COMPLETED"]
    assert (folder / PIECES).read_bytes() == (quick.folder / PIECES).read_bytes()


@pytest.mark.parametrize("profile", ["slurm", "generic"])
def test_missing_partition_is_reported_before_the_first_job(
    slurm, quick_project, snakemake, tmp_path, profile, monkeypatch
):
    if profile == "generic":
        pytest.importorskip("snakemake_executor_plugin_cluster_generic")
    monkeypatch.setenv("SBATCH_PARTITION", "missing")
    folder, before = quick_project(tmp_path), len(slurm.completed())
    place = ("--default-resources", "slurm_partition=missing")
    run = snakemake(folder, PIECES, "--profile", f"profiles/{profile}", *place, cores=None)
    assert run.returncode == 1
    assert "invalid partition specified: missing" in run.stdout
    assert "nothing was submitted" in run.stdout
    assert not damage.jobs("PENDING,RUNNING,COMPLETING")
    assert len(slurm.completed()) == before

"""The quick scale through profiles/slurm, on a real Slurm."""

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from schedlab.files.config import fill_defaults
from slurm import damage

pytestmark = pytest.mark.slurm
TABLE = "results/figures/table4.csv"
PIECES = "results/pieces/lublin_quick_338.none.sequences15d.parquet"
TIMEOUT = 1800
# seconds between polls of the queue: the profiles have more, for queues of others
POLLS = {
    "slurm": ("slurm-init-seconds-before-status-checks", 2),
    "generic": ("seconds-between-status-checks", 2),
}
SETTINGS = ("quick.yaml", "config.yaml")
# as the README has it
COMMAND = ("--profile", "profiles/slurm", TABLE)


@dataclass(frozen=True)
class Finished:
    """A finished run: its folder, Snakemake's output, its jobs and the killed one."""

    folder: Path
    returncode: int
    output: str
    jobs: list[dict[str, str]]
    killed: str | None


@pytest.fixture(scope="module")
def quick_project(new_project):
    """Copy the project with the quick scale, and profiles that poll more often."""

    def copy(folder: Path) -> Path:
        config = new_project(folder) / "config"
        read = {name: yaml.safe_load((config / name).read_text()) for name in SETTINGS}
        settings = fill_defaults(read["quick.yaml"], read["config.yaml"]) | {"scale": "papers"}
        (config / "config.yaml").write_text(yaml.safe_dump(settings))
        for name, (key, seconds) in POLLS.items():
            path = folder / "profiles" / name / "profile.yaml"
            profile = yaml.safe_load(path.read_text())
            assert profile[key] > seconds
            path.write_text(yaml.safe_dump(profile | {key: seconds}))
        return folder

    return copy


def start(folder: Path, *arguments: str) -> subprocess.Popen:
    """Start Snakemake in a folder; unlike runs of the fixture, several can last at a time."""
    environment = {k: v for k, v in os.environ.items() if k != "SCHEDLAB_ARCHIVE"}
    with (folder / "said.txt").open("w") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "snakemake", *arguments],
            cwd=folder,
            env=environment | {"PYTHONPATH": str(folder / "src")},
            stdout=said,
            stderr=said,
        )


@pytest.fixture(scope="module")
def runs(slurm, quick_project, tmp_path_factory) -> dict[str, Finished]:
    """Run Snakemake through Slurm for several tests at the same time: most of it is waiting.

    table: Table 4 at the quick scale; the first of its jobs that runs is killed.
    broken: a workload that is no Parquet file ends the job that cuts it; there is no second try.
    generic: pieces with the other profile, if its executor is installed.
    """
    commands = {
        "table": COMMAND,
        "broken": (PIECES, "--profile", "profiles/slurm", "--retries", "0"),
        "generic": ("--profile", "profiles/generic", PIECES),
    }
    if not find_spec("snakemake_executor_plugin_cluster_generic"):
        del commands["generic"]
    folders = {name: quick_project(tmp_path_factory.mktemp(name)) for name in commands}
    workload = folders["broken"] / "results/workloads/lublin_quick_338.parquet"
    workload.parent.mkdir(parents=True)
    workload.write_text("no workload\n")
    running = {name: start(folders[name], *command) for name, command in commands.items()}
    killed = {}
    try:
        while not (found := damage.jobs("RUNNING", folder=folders["table"])):
            if running["table"].poll() is not None:
                break
            time.sleep(0.5)
        for job in found[:1]:
            damage.kill_job(job)
            killed["table"] = job
        end = time.monotonic() + TIMEOUT
        codes = {name: run.wait(end - time.monotonic()) for name, run in running.items()}
    finally:
        for run in running.values():
            run.kill()
    return {
        name: Finished(
            folder,
            codes[name],
            (folder / "said.txt").read_text(),
            [job for job in slurm.completed() if job["WorkDir"] == str(folder)],
            killed.get(name),
        )
        for name, folder in folders.items()
    }


@pytest.fixture(scope="module")
def quick(runs) -> Finished:
    """Return the run that makes Table 4."""
    return runs["table"]


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


def test_failed_job_is_reported_as_failed(runs):
    """A workload that is no Parquet file ends the job that cuts it, and Snakemake with it."""
    run = runs["broken"]
    assert run.returncode == 1, run.output
    assert "no checksum in it" in run.output, "the reason is shown"
    assert run.jobs[-1]["JobState"] == "FAILED"
    assert not (run.folder / PIECES).exists()


def test_generic_profile_gives_the_same_table(runs, quick):
    pytest.importorskip("snakemake_executor_plugin_cluster_generic")
    run = runs["generic"]
    assert run.returncode == 0, run.output
    assert [job["JobState"] for job in run.jobs] == ["COMPLETED"]
    assert (run.folder / PIECES).read_bytes() == (quick.folder / PIECES).read_bytes()


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


def test_all_jobs_run_within_one_allocation_as_documented(slurm, quick_project, root, tmp_path):
    text = (root / "docs/hpc.md").read_text(encoding="utf-8")
    line = " ".join(re.search(r"^ +(sbatch --ntasks=1.*?\n.*)$", text, re.MULTILINE)[1].split())
    for documented, here in {
        "sbatch --ntasks=1": "sbatch --wait --ntasks=1",
        "--cpus-per-task=16": "--cpus-per-task=2",
        "--mem=32G": "--mem=2G",
        "mem_mb=32000": "mem_mb=4000",
        "\\ '.venv/bin/snakemake": f"'{sys.executable} -m snakemake {PIECES}",
    }.items():
        assert documented in line
        line = line.replace(documented, here)
    folder, before = quick_project(tmp_path), len(slurm.completed())
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    run = subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=TIMEOUT, check=False,
    )  # fmt: skip
    said = "".join(path.read_text() for path in folder.glob("slurm-*.out"))
    assert run.returncode == 0, f"{line}\n{run.stderr}\n{said}"
    assert (folder / PIECES).is_file()
    assert len(slurm.completed()) == before + 1

"""All five papers at the quick scale through Slurm, with a job, a node and Snakemake killed."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from schedlab.slurm.cluster import RunningSlurm, SlurmError, wait_until
from slurm import damage

pytestmark = [pytest.mark.slurm, pytest.mark.whole]
QUICK = ("--configfile", "config/quick.yaml")
# everything takes seconds at this scale: a few jobs of Slurm's in all, as docs/hpc.md has it
COMPONENTS = "prepare=50 learn=50 simulate=30 plan=20 weigh=20 long=20 figures=100"
SLURM = ("--profile", "profiles/slurm", *QUICK, "--group-components", *COMPONENTS.split())
HOUR = 3600
# What is of a run and not of its results: how long things took, and where and when they ran.
OF_THE_RUN = (
    *("benchmarks/", "logs/"),
    *("figures/klusacek2016/fig5.", "report/klusacek2016", "report/scoreboard.csv"),
    *("report/index.html", "report/run.json"),
    *(f"report/{paper}/numbers" for paper in ("carastan2017", "kellari2025", "legrand2018")),
    "report/souza2020/numbers",
)


@dataclass(frozen=True)
class Runs:
    """Two folders of results, what was killed, and the jobs of Slurm's that the run took."""

    slurm: Path
    local: Path
    killed: dict[str, str]
    jobs: list[dict[str, str]]
    seconds: float
    output: str


def start(folder: Path, log: Path) -> subprocess.Popen:
    environment = {k: v for k, v in os.environ.items() if k != "SCHEDLAB_ARCHIVE"}
    environment["PYTHONPATH"] = str(folder / "src")
    with log.open("a") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "snakemake", *SLURM],
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=output,
        )


def running_job(run: subprocess.Popen, name: str, log: Path) -> str:
    """Wait for a job of a name to run, and return its number."""
    end = time.monotonic() + HOUR
    while not (found := damage.jobs("RUNNING", name)):
        if run.poll() is not None or time.monotonic() > end:
            raise SlurmError(f"no job '{name}' was ever seen to run:\n{log.read_text()[-4000:]}")
        time.sleep(1)
    return found[0]


def ends(slurm: RunningSlurm) -> list[tuple[str, str]]:
    """Return how every job ended, by number; one that started again ended more than once."""
    return [(job["JobId"], job["JobState"]) for job in slurm.completed()]


@pytest.fixture(scope="module")
def runs(slurm, new_project, snakemake, tmp_path_factory) -> Runs:
    """Make everything twice: here, and through Slurm with what can go wrong going wrong."""
    local = new_project(tmp_path_factory.mktemp("local"))
    done = snakemake(local, *QUICK, timeout=HOUR)
    assert done.returncode == 0, done.stdout
    folder = new_project(tmp_path_factory.mktemp("cluster"))
    log, killed, begin = folder / "slurm.log", {}, time.monotonic()
    run = start(folder, log)
    killed["job"] = running_job(run, "simulate", log)
    damage.kill_job(killed["job"])
    killed["with its node"] = running_job(run, "", log)
    killed["node"] = damage.node_of(killed["with its node"])
    damage.kill_node(slurm, killed["node"])
    lost = (killed["with its node"], "NODE_FAIL")
    wait_until("the end of a job whose node is lost", lambda: lost in ends(slurm))
    running_job(run, "plan", log)
    run.send_signal(signal.SIGKILL)
    run.wait()
    damage.empty_queue()
    damage.revive(slurm, killed["node"])
    snakemake(folder, *QUICK, "--unlock")
    code = start(folder, log).wait(HOUR)
    seconds = time.monotonic() - begin
    assert code == 0, log.read_text()[-10_000:]
    states = Counter(state for _, state in ends(slurm))
    print(f"{states} in {seconds:.0f} s; killed: {killed}")
    return Runs(folder, local, killed, slurm.completed(), seconds, log.read_text())


def results(folder: Path) -> dict[str, bytes]:
    """Read what must be the same in every run, by path below the results."""
    top = folder / "results/quick"
    files = {str(path.relative_to(top)): path for path in top.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes() for name, path in files.items() if not name.startswith(OF_THE_RUN)
    }


def test_every_result_is_the_one_made_without_slurm(runs):
    computed, local = results(runs.slurm), results(runs.local)
    assert len(local) > 500
    assert set(computed) == set(local)
    assert not [name for name in computed if computed[name] != local[name]]


def test_both_runs_have_the_same_files(runs):
    made = [
        {path.name for path in (folder / "results/quick").rglob("*")}
        for folder in (runs.slurm, runs.local)
    ]
    assert made[0] == made[1]


def test_few_jobs_went_through_slurm(runs):
    assert 10 < len(runs.jobs) < 60


def test_killed_jobs_have_a_failed_state(runs):
    ended = {job["JobId"]: job["JobState"] for job in reversed(runs.jobs)}
    assert ended[runs.killed["job"]] in damage.ENDED_BADLY
    assert ended[runs.killed["with its node"]] == "NODE_FAIL"
    assert "COMPLETED" in ended.values()


def test_queue_is_empty_at_the_end(runs):
    assert not damage.jobs("PENDING,RUNNING,COMPLETING")

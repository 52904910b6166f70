"""What `sbatch --test-only` predicts on a real Slurm, compared with schedlab's rule for it."""

import json
import re
import signal
import subprocess
import sys
from datetime import datetime

import numpy as np
import pytest
import yaml

from schedlab.slurm.cluster import run, wait_until
from schedlab.waits.lookahead import slurm_test_wait

pytestmark = [pytest.mark.slurm, pytest.mark.whole]
#: seconds from a start to when it is asked, and of rounding
LATE = 8
SMALL = ("--output=/dev/null", "--mem-per-cpu=10")


def submit(cores: int, minutes: int) -> str:
    size = (f"-n{cores}", f"--time={minutes}")
    return run("sbatch", "--parsable", *SMALL, *size, "--wrap", "sleep 60").strip()


def printed(cores: int) -> float:
    """Return the wait of a job of five minutes, as Slurm prints it."""
    test = f"sbatch --test-only {' '.join(SMALL)} -n{cores} --time=5 --wrap=true 2>&1"
    start = re.search(r"to start at (\S+)", run("sh", "-c", test))[1]
    return (datetime.fromisoformat(start) - datetime.now()).total_seconds()


@pytest.fixture
def queue(slurm):
    """Of 32 processors 16 are busy for ten minutes; two jobs wait that request 40 more."""
    jobs = [submit(16, 10)]
    wait_until("a running job", lambda: run("squeue", "-h", "-t", "R", "-o", "%i").count("\n") == 1)
    jobs += [submit(32, 30), submit(32, 10)]
    yield
    run("scancel", *jobs, check=False)


@pytest.mark.parametrize(("cores", "expected"), [(16, 2400), (32, 3000)])
def test_slurm_adds_the_requested_work_of_waiting_jobs(queue, cores, expected):
    work = 32 * 2400
    rule = slurm_test_wait(0, np.array([600]), np.array([16]), work, cores, 32)
    assert rule == expected
    assert printed(cores) == pytest.approx(rule, abs=LATE)


def test_stages_are_submitted_by_the_start_that_slurm_tests(queue, tmp_path):
    """The estimates in the journal are what sbatch prints; stages that never fit are refused."""
    stages = [
        {"name": "first", "cores": 16, "seconds": 5, "limit": "5m", "command": "true"},
        {"name": "wide", "cores": 32, "seconds": 5, "limit": "5m", "command": "true"},
    ]
    stages[1]["after"] = ["first"]
    flow = {"name": "tested", "sbatch": {"mem-per-cpu": 10}, "stages": stages}
    (tmp_path / "flow.yaml").write_text(yaml.safe_dump(flow))
    command = [sys.executable, "-m", "schedlab", "asa", "run", "flow.yaml", "--poll", "0.5s"]
    command += ["--predictor", "test-only", "--state", "waits.json"]
    call = ("env", "--chdir", str(tmp_path), *command)
    plan = json.loads(run(*call, "--dry-run", "--json"))
    waits = {stage["cores"]: stage["wait"] for stage in plan["stages"]}
    assert waits[16] == pytest.approx(printed(16), abs=LATE)
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    journal = tmp_path / "tested.1/journal.jsonl"
    wait_until("a submission", lambda: journal.exists() and '"accepted"' in journal.read_text())
    process.send_signal(signal.SIGTERM)
    assert process.wait(120) == 128 + signal.SIGTERM
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    estimates = [line for line in lines if line["kind"] == "estimate"]
    assert {line["predictor"] for line in estimates} == {"test-only"}
    expected = {int(line["geometry"].rpartition("/")[2]): line["estimate"] for line in estimates}
    assert {16, 32} == expected.keys()
    for cores, estimate in expected.items():
        # Slurm is asked again a moment later
        assert estimate == pytest.approx(printed(cores), abs=3 * LATE)
    stages[1]["cores"] = 33
    (tmp_path / "flow.yaml").write_text(yaml.safe_dump(flow))
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert refused.returncode == 1
    assert re.search(
        r"flow\.yaml:\d+: stage 'wide': key 'cores': is 33, a job in partition main has at most 32",
        refused.stderr,
    )
    assert not (tmp_path / "tested.2").exists()

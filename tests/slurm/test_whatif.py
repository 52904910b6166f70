"""Predictions of `schedlab whatif` for a real queue, compared with what happens there."""

import contextlib
import json
from datetime import datetime

import pytest

from schedlab.slurm.cluster import SlurmError, run, wait_until
from schedlab.traces.slurm import sinfo_text, squeue_text
from schedlab.workbench.queue_state import load_queue
from schedlab.workbench.whatif import AS_IT_STANDS, what_if

pytestmark = [pytest.mark.slurm, pytest.mark.whole]
#: seconds of which a real start may be off: the scheduler looks at the queue once in one or two
LATE = 5


def submit(seconds: int, *options: str) -> str:
    quiet = ("--output=/dev/null", "--mem-per-cpu=10", "--parsable", "--time=1")
    return run("sbatch", *quiet, *options, "--wrap", f"sleep {seconds}").strip()


@pytest.fixture(scope="module")
def queue(slurm, tmp_path_factory):
    """32 processors: two jobs run for a minute, four wait, and one of these is on hold."""
    folder = tmp_path_factory.mktemp("queue")
    runs = [submit(60, "-n16"), submit(60, "-n12")]
    wait_until("running jobs", lambda: run("squeue", "-h", "-t", "R", "-o", "%i").count("\n") == 2)
    waits = [
        submit(1, "-n20"),
        submit(1, "-n8"),
        submit(1, "-n4", f"--dependency=afterany:{runs[0]}"),
    ]
    held = submit(1, "-n1", "--hold")
    commands = {
        "squeue.txt": squeue_text.COMMAND,
        "sinfo.txt": sinfo_text.COMMAND,
        "squeue.json": "squeue --json",
        "sinfo.json": "sinfo --json",
    }
    for name, command in commands.items():
        (folder / name).write_text(run("sh", "-c", command))
    yield folder, waits, held
    run("scancel", *runs, *waits, held, check=False)


def test_text_and_json_give_the_same_queue(queue):
    folder, waits, held = queue
    now = load_queue(folder / "squeue.txt", folder / "sinfo.txt")
    assert now.standing.processors == 32
    assert now.jobs["id"].tolist() == waits
    assert now.stuck["id"].tolist() == [held]
    assert json.loads((folder / "squeue.json").read_text())["jobs"]
    same = load_queue(folder / "squeue.json", folder / "sinfo.json")
    assert same.jobs.equals(now.jobs)
    assert same.stuck.equals(now.stuck)


def test_starts_are_as_predicted(queue, slurm):
    """Who runs uses its limit up; who starts then is too short to be waited for."""
    folder, waits, _ = queue
    found = what_if(load_queue(folder / "squeue.txt", folder / "sinfo.txt"), [])
    predicted = found.starts[AS_IT_STANDS]

    def ended() -> dict[str, str]:
        return {job["JobId"]: job["StartTime"] for job in slurm.completed()}

    with contextlib.suppress(SlurmError):  # twice the time limit: jobs run for a minute
        wait_until("starts", lambda: set(waits) <= set(ended()))
    wait_until("starts", lambda: set(waits) <= set(ended()))
    for job in waits:
        said = datetime.fromisoformat(found.present.source.stamp(int(predicted[job])))
        real = datetime.fromisoformat(ended()[job])
        assert abs((real - said).total_seconds()) <= LATE

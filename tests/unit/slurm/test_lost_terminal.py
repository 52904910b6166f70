"""A workflow outlives the loss of its terminal."""

import os
import pty
import signal
import stat
import subprocess
import sys

import pytest

from schedlab.slurm.interrupts import Interrupted
from slurm_case import Fate, Slurm
from workflows_case import CHAIN, run_in_memory


def test_closed_output_ends_nothing(tmp_path):
    def closed(words):
        raise BrokenPipeError(32, "Broken pipe")

    outcome, _ = run_in_memory("Per-Stage", Slurm(), tmp_path / "run", CHAIN, tell=closed)
    assert len(outcome.stages) == 3


def kill_at(slurm, **numbers):
    for name, number in numbers.items():
        slurm.at_call[int(name[5:])] = lambda number=number: os.kill(os.getpid(), number)


def test_lost_terminal_does_not_end_the_run(tmp_path):
    slurm = Slurm([Fate(run=30)])
    kill_at(slurm, call_5=signal.SIGHUP, call_40=signal.SIGHUP)
    run_in_memory("ASA", slurm, tmp_path / "run", CHAIN, [9, 9, 9])
    assert {job.state for job in slurm.by_number.values()} == {"COMPLETED"}


def test_end_after_a_lost_terminal_leaves_what_runs(tmp_path):
    """A runs, b and c wait for it; the node ends the session's processes."""
    slurm, lines = Slurm([Fate(run=5000)]), []
    kill_at(slurm, call_5=signal.SIGHUP, call_9=signal.SIGTERM)
    with pytest.raises(Interrupted, match="SIGTERM") as error:
        run_in_memory("All at once", slurm, tmp_path / "run", CHAIN, tell=lines.append)
    assert (error.value.left, error.value.hung_up) == ((101,), True)
    assert slurm.left == ["a"]
    assert slurm.by_number[101].state == "RUNNING"
    assert lines[-1] == "left running: 101; to end them: scancel 101"


def test_end_after_a_lost_terminal_takes_idle_jobs_back(tmp_path):
    """B came early and idles while a runs."""
    slurm = Slurm([Fate(run=5000)])
    kill_at(slurm, call_30=signal.SIGHUP, call_35=signal.SIGTERM)
    with pytest.raises(Interrupted):
        run_in_memory("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 6000])
    assert slurm.by_number[102].idles
    assert slurm.left == ["a"]


@pytest.mark.slow
def test_output_after_a_lost_terminal_is_in_the_folder(tmp_path):
    code = (
        "import os, signal, sys; from schedlab.slurm.run import _hang_up\n"
        "class Place: path = __import__('pathlib').Path(sys.argv[1])\n"
        "lost = _hang_up(Place); print('before', flush=True); lost(); print('after', flush=True)"
    )
    leader, follower = pty.openpty()
    subprocess.run(
        [sys.executable, "-c", code, tmp_path], stdout=follower, stderr=subprocess.PIPE, check=True
    )
    assert os.read(leader, 100).split() == [b"before"]
    assert (tmp_path / "progress.txt").read_text() == "after\n"
    assert stat.S_IMODE((tmp_path / "progress.txt").stat().st_mode) & 0o600 == 0o600
    # what is no terminal stays as it is
    (tmp_path / "progress.txt").unlink()
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE, check=True
    )
    assert done.stdout.split() == [b"before", b"after"]

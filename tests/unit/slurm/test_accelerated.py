"""A session in a separate process: its environment and its cleanup, without Slurm."""

import os
import signal
import tempfile
from pathlib import Path

import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.slurm import accelerated as module
from schedlab.slurm import database
from schedlab.slurm.accelerated import SlurmError, replayed
from schedlab.slurm.interrupts import Interrupted

JOBS = Jobs([1], [0], [5], [5], [1])


@pytest.fixture
def session(monkeypatch, tmp_path):
    """Run a shell script in place of the session, its first argument the folder with etc."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(module, "SETTINGS", tmp_path / "slurm")
    installed = []
    monkeypatch.setattr(module, "install", lambda *parts: installed.append(parts))

    def run(script, with_database=False):
        command = ["sh", "-c", script.replace("OUT", str(tmp_path))]
        monkeypatch.setattr(module, "apart", lambda folder, _: [*command, "sh", str(folder.parent)])
        return replayed(JOBS, 8, [], with_database, 100, tmp_path / "log")

    run.installed, run.left = installed, lambda: list((tmp_path / "tmp").iterdir())
    return run


def test_session_result_is_read_and_its_folder_is_removed(session):
    rows = session('echo hello; cp "$1/jobs.csv" "$1/replay.csv"')
    assert rows.equals(pd.DataFrame(JOBS.to_frame()))
    assert session.left() == []


def test_session_gets_no_variables_of_a_site(session, monkeypatch, tmp_path):
    for name in ("SLURM_CONF", "SBATCH_PARTITION", "SQUEUE_FORMAT"):
        monkeypatch.setenv(name, "/opt/site")
    monkeypatch.setenv("OF_THE_REST", "kept")
    session('env > OUT/env; cp "$1/jobs.csv" "$1/replay.csv"')
    said = (tmp_path / "env").read_text()
    assert "/opt/site" not in said
    assert "OF_THE_REST=kept" in said


def test_temporary_files_of_a_session_are_removed(session, tmp_path):
    session('mktemp > OUT/made; cp "$1/jobs.csv" "$1/replay.csv"')
    assert not Path((tmp_path / "made").read_text().strip()).exists()
    assert session.left() == []


def test_database_is_installed_before_the_session(session):
    session('cp "$1/jobs.csv" "$1/replay.csv"')
    needed = [(), (module.PACKAGES, module.COMMANDS)]
    assert session.installed == needed
    session.installed.clear()
    session('cp "$1/jobs.csv" "$1/replay.csv"', with_database=True)
    assert session.installed == [*needed, (database.PACKAGES, database.COMMANDS)]


def test_session_that_fails_is_named_with_its_log(session):
    with pytest.raises(SlurmError, match=r"ended with 3, see .*log"):
        session("exit 3")
    assert session.left() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_session_ends_when_its_caller_gets_a_signal(session, tmp_path, number):
    def uncaught(*_):
        raise AssertionError("nothing took the signal")

    before = signal.signal(number, uncaught)
    try:
        with pytest.raises(Interrupted, match=number.name):
            session(f"echo $$ > OUT/pid; kill -{number.name[3:]} $PPID; exec sleep 60")
    finally:
        signal.signal(number, before)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    assert session.left() == []

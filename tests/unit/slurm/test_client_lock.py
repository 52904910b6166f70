"""One client for each run, with processes that are killed."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from schedlab.slurm import client_lock
from schedlab.slurm.client import SlurmError
from schedlab.slurm.client_lock import (
    GONE_S,
    HEARTBEAT,
    LOCK,
    Client,
    ClientLock,
    Heartbeat,
    client_lives,
    heartbeat_age,
    read_client,
)

HOLD = """
import subprocess, sys, time
from pathlib import Path
from schedlab.slurm.client_lock import ClientLock
with ClientLock(Path(sys.argv[1]), print) as lock:
    if sys.argv[2] == "submits":
        subprocess.Popen(["sleep", sys.argv[3]], pass_fds=(lock.file,), stdout=subprocess.DEVNULL)
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def hold(tmp_path):
    """Start a process that holds the lock."""
    processes = []

    def start(*arguments):
        command = [sys.executable, "-c", HOLD, tmp_path, *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        assert process.stdout.readline() == "held\n"
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def kill(process):
    process.kill()
    process.wait()


def test_second_client_is_refused_while_the_first_lives(tmp_path, hold, monkeypatch):
    monkeypatch.setattr(client_lock, "MOMENT_S", 0.2)
    process = hold("alone")
    assert client_lives(tmp_path)
    with pytest.raises(SlurmError, match=f"another client runs it .process {process.pid} on"):
        ClientLock(tmp_path, print, 60).__enter__()
    assert read_client(tmp_path).process == process.pid


def test_lock_of_a_killed_client_is_taken_over_with_a_word(tmp_path, hold):
    process, lines = hold("alone"), []
    kill(process)
    assert not client_lives(tmp_path)
    with ClientLock(tmp_path, lines.append):
        assert read_client(tmp_path).process == os.getpid()
        assert client_lives(tmp_path)
    assert len(lines) == 1
    assert f"the former client, process {process.pid} on" in lines[0]
    assert read_client(tmp_path) is None
    with ClientLock(tmp_path, lines.append):
        pass
    assert len(lines) == 1


@pytest.mark.slow
def test_submission_of_a_killed_client_is_waited_for(tmp_path, hold):
    kill(hold("submits", "1.5"))
    begin = time.monotonic()
    with ClientLock(tmp_path, print, timeout=60):
        assert time.monotonic() - begin > 0.3
    kill(hold("submits", "30"))
    with pytest.raises(SlurmError, match="another client runs it"):
        ClientLock(tmp_path, print, timeout=0.3).__enter__()


@pytest.mark.parametrize(
    ("age", "lives"), [(GONE_S - 20, True), (GONE_S + 20, False), (-9, True), (-9e8, False)]
)
def test_client_of_another_machine_lives_as_long_as_its_heartbeat(tmp_path, age, lives):
    (tmp_path / LOCK).write_text(json.dumps({"host": "elsewhere", "process": 1}))
    (tmp_path / HEARTBEAT).touch()
    then = time.time() - age
    os.utime(tmp_path / HEARTBEAT, (then, then))
    assert client_lives(tmp_path) == lives
    if lives:
        with pytest.raises(SlurmError, match="process 1 on elsewhere"):
            ClientLock(tmp_path, print).__enter__()
        assert read_client(tmp_path) == Client("elsewhere", 1)
    else:
        with ClientLock(tmp_path, print):
            pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [LOCK, HEARTBEAT]


def test_file_system_without_locks_goes_by_the_process(tmp_path, monkeypatch):
    def without(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(client_lock.fcntl, "flock", without)
    host = client_lock.platform.node()
    for process, refused in ((os.getppid(), True), (2**22 + 1, False)):
        (tmp_path / LOCK).write_text(json.dumps({"host": host, "process": process}))
        assert client_lives(tmp_path) == refused
        if refused:
            with pytest.raises(SlurmError, match="another client"):
                ClientLock(tmp_path, print).__enter__()
        else:
            with ClientLock(tmp_path, print):
                pass


def test_heartbeat_is_renewed_until_the_client_ends(tmp_path):
    assert heartbeat_age(tmp_path) is None
    with Heartbeat(tmp_path, 0.05):
        os.utime(tmp_path / HEARTBEAT, (0, 0))
        end = time.monotonic() + 20
        while heartbeat_age(tmp_path) > 60:
            assert time.monotonic() < end
            time.sleep(0.02)
    os.utime(tmp_path / HEARTBEAT, (0, 0))
    time.sleep(0.2)
    assert heartbeat_age(tmp_path) > 60


def test_signals_reach_the_main_thread_with_a_heartbeat(tmp_path):
    code = (
        "import sys, time; from pathlib import Path\n"
        "from schedlab.slurm.client_lock import Heartbeat\n"
        "from schedlab.slurm.interrupts import Interrupted, interruptible\n"
        "try:\n"
        "  with Heartbeat(Path(sys.argv[1])), interruptible():\n"
        "    print('ready', flush=True); time.sleep(60)\n"
        "except Interrupted as error: print(error)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=30)[0] == "SIGTERM\n"

"""Processes that apply a function: results in order, and no orphans."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schedlab.files.threads import processes

SLEEPING = """
import os, time
from schedlab.files.threads import processes
def pid_of(number):
    time.sleep(0.2)
    return os.getpid()
with processes(2) as each_of:
    for pid in each_of(pid_of, range(2)):
        print(pid, flush=True)
    time.sleep(60)
"""


def square(number):
    return number * number


@pytest.mark.parametrize("count", [1, 2])
def test_results_are_in_order(count):
    with processes(count) as each_of:
        assert list(each_of(square, range(20))) == [number**2 for number in range(20)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_processes_end_with_a_killed_parent():
    parent = subprocess.Popen([sys.executable, "-c", SLEEPING], stdout=subprocess.PIPE, text=True)
    children = {int(parent.stdout.readline()) for _ in range(2)}
    assert len(children) == 2
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(map(is_running, children)):
        time.sleep(0.05)
    assert not any(map(is_running, children))


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"

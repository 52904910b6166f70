"""A simulation that takes minutes shows its progress, and Ctrl-C ends it at once."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate
from site_case import jobs_of

#: an order that is scored again at every event
POLICY = "w*r/n + sqrt(w)"


def deep_log(path, jobs):
    """Write a log whose jobs are all submitted within a second, more than run in a year."""
    stream = np.random.default_rng(3)
    runtime, procs = stream.integers(100, 9000, jobs), stream.integers(1, 64, jobs)
    rows = [
        f"{k + 1} 0 -1 {runtime[k]} {procs[k]} -1 -1 {procs[k]} {2 * runtime[k]}" + " -1" * 9
        for k in range(jobs)
    ]
    path.write_text("\n".join(["; MaxProcs: 64", *rows, ""]))
    return path


def read_until(terminal, words, seconds):
    """Return what a terminal shows until these words are there, or as long as it can be read."""
    shown, end = "", time.monotonic() + seconds
    while time.monotonic() < end and not re.search(words, shown):
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                shown += os.read(terminal, 1 << 16).decode(errors="replace")
            except OSError:  # the other end is closed
                break
    return shown


@pytest.mark.slow
def test_a_deep_queue_shows_progress_and_can_be_interrupted(tmp_path):
    log = deep_log(tmp_path / "deep.swf", 60_000)
    words = [sys.executable, "-m", "schedlab", "simulate", str(log), "--policy", POLICY]
    terminal, stderr = pty.openpty()
    environment = os.environ | {"COLUMNS": "120", "TERM": "xterm"}
    process = subprocess.Popen(
        words, stderr=stderr, stdout=subprocess.DEVNULL, env=environment, start_new_session=True
    )
    os.close(stderr)
    try:
        bar = r"jobs under w\*r/n.*? [1-9]\d*/60000"
        assert re.search(bar, read_until(terminal, bar, 300))
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(60) != 0
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def test_parts_of_a_simulation_are_counted_to_its_end(monkeypatch):
    stream = np.random.default_rng(3)
    count = 300
    runtime, procs = stream.integers(100, 900, count), stream.integers(1, 64, count)
    jobs = jobs_of(*zip([0] * count, runtime, procs, strict=True))
    run = Run(jobs, 64, get(POLICY))
    expected = simulate(run).start.tolist()
    steps, advance_part = [], QueueSession.advance_part

    class Counted:
        def __init__(self, words, total):
            assert (words, total) == (f"jobs under {run.policy.name}", count)

        def __enter__(self):
            return steps.append

        def __exit__(self, *_):
            pass

    monkeypatch.setattr("schedlab.queue.simulation.counted_and_logged", Counted)
    monkeypatch.setattr(QueueSession, "advance_part", lambda self: advance_part(self, 1000))
    assert simulate(run).start.tolist() == expected
    assert len(steps) > 10
    assert sum(steps) == count

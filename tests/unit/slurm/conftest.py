"""Signals as a terminal command receives them, and the commands of Slurm as scripts in PATH."""

import signal
from collections.abc import Iterator

import pytest

from schedlab.slurm.client import COMMANDS
from schedlab.slurm.interrupts import SIGNALS


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """Let no signal be ignored, as Ctrl-C is by what runs in the background of a script."""
    before = {each: signal.getsignal(each) for each in SIGNALS}
    for each, was in before.items():
        if was is signal.SIG_IGN:
            heard = signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL
            signal.signal(each, heard)
    yield
    for each, was in before.items():
        signal.signal(each, was)


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """A folder of commands that write down how they are called; further ones may be put there."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv("SBATCH_PARTITION", raising=False)

    def put(name, text="", said="", code=0):
        path = tmp_path / name
        path.write_text(
            f'#!/bin/sh\necho "$SLURM_TIME_FORMAT $@" >> {tmp_path}/{name}.calls\n{text}\n'
            f"cat <<'END'\n{said}\nEND\nexit {code}\n"
        )
        path.chmod(0o755)
        return lambda: (tmp_path / f"{name}.calls").read_text().splitlines()

    for name in COMMANDS:
        put(name)
    return put

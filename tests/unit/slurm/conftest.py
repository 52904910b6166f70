"""Signals are delivered as a terminal command receives them."""

import signal
from collections.abc import Iterator

import pytest

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

"""Signals end a run in order, wait for short steps, and are handled as before afterwards."""

import os
import signal
import threading

import pytest

from schedlab.slurm.interrupts import Interrupted, deferred_signals, interruptible


def test_further_signals_do_not_interrupt_the_cleanup():
    done = []

    def run():
        with interruptible():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            finally:
                os.kill(os.getpid(), signal.SIGINT)
                with deferred_signals():
                    os.kill(os.getpid(), signal.SIGTERM)
                done.append("taken back")

    with pytest.raises(Interrupted, match="SIGTERM"):
        run()
    assert done == ["taken back"]


def test_signal_handlers_are_restored():
    before = signal.getsignal(signal.SIGTERM)
    with interruptible():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_ignored_signals_stay_ignored():
    """As SIGHUP under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_signals_are_handled_only_in_the_main_thread():
    reached = []

    def run():
        with interruptible():
            reached.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert reached

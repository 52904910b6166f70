"""Ends from outside: SIGTERM and a closed terminal end as Ctrl-C does, and not in between."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A signal asked for an end.

    Parameters
    ----------
    number : int
        Of the signal.
    """

    def __init__(self, number: int) -> None:
        self.number = signal.Signals(number)
        super().__init__(self.number.name)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let the signals raise `Interrupted` in the block; one that is ignored stays so.

    Outside of the main thread, where Python has no signals, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, _: object) -> None:
        raise Interrupted(number)

    before = {each: signal.getsignal(each) for each in SIGNALS}
    changed = {each: was for each, was in before.items() if was is not signal.SIG_IGN}
    for each in changed:
        signal.signal(each, interrupt)
    try:
        yield
    finally:
        for each, was in changed.items():
            signal.signal(each, was)


@contextmanager
def held_back() -> Iterator[None]:
    """Let the signals come only when the block has ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

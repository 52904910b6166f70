"""Ends from outside: SIGTERM and a closed terminal end as Ctrl-C does, and not in between."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A signal asked for an end.

    Parameters
    ----------
    number : int
        Of the signal.

    Attributes
    ----------
    left : tuple of int
        Numbers of jobs that could not be taken back, or were not seen to end.
    """

    def __init__(self, number: int) -> None:
        self.number = signal.Signals(number)
        self.left: tuple[int, ...] = ()
        super().__init__(self.number.name)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let the first signal raise `Interrupted` in the block; one that is ignored stays so.

    Further ones do nothing: the end that they ask for is under way, and must not be cut short
    before jobs are taken back. Outside of the main thread, where Python has no signals, nothing
    changes.
    """
    came: list[int] = []

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        if len(came) == 1:
            raise Interrupted(number)

    with _handled_by(interrupt):
        yield


@contextmanager
def held_back() -> Iterator[None]:
    """Let the signals come only when the block has ended.

    They are not masked: a mask is of one thread, and the signal would come through another.
    """
    came: list[int] = []
    try:
        with _handled_by(lambda number, _: came.append(number)):
            yield
    finally:
        if came:
            signal.raise_signal(came[0])


@contextmanager
def _handled_by(handler: Callable[[int, object], None]) -> Iterator[None]:
    """Let a function handle the signals in the block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.getsignal(each) for each in SIGNALS}
    changed = {each: was for each, was in before.items() if was is not signal.SIG_IGN}
    try:
        for each in changed:
            signal.signal(each, handler)
        yield
    finally:
        for each, was in changed.items():
            signal.signal(each, was)

"""Signal handling: SIGTERM and SIGHUP act like Ctrl-C, and can be deferred."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A signal requested the end; `number` is that of the signal.

    The attribute `left` has the numbers of jobs that could not be cancelled, or were not seen to
    end.
    """

    def __init__(self, number: int) -> None:
        self.number = signal.Signals(number)
        self.left: tuple[int, ...] = ()
        super().__init__(self.number.name)


@contextmanager
def interruptible() -> Iterator[None]:
    """Make the first signal raise `Interrupted` in the block; ignored signals stay ignored.

    Further signals have no effect: the requested end is in progress, and must not stop before jobs
    are cancelled. Outside the main thread, where Python has no signal handling, nothing changes.
    """
    came: list[int] = []

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        if len(came) == 1:
            raise Interrupted(number)

    with _handled_by(interrupt):
        yield


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Defer signals until the end of the block.

    A signal mask would apply to one thread only, and another thread would receive the signal.
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
    """Use a function as handler of the signals in the block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    changed = {number: was for number, was in before.items() if was is not signal.SIG_IGN}
    try:
        for number in changed:
            signal.signal(number, handler)
        yield
    finally:
        for number, was in changed.items():
            signal.signal(number, was)

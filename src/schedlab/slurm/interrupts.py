"""Signal handling: SIGTERM and SIGHUP act like Ctrl-C, and can be deferred.

For a run of a workflow, SIGHUP is no end: the terminal is lost, which is no reason to lose work.
The command continues, as under nohup. If a SIGTERM follows, as when a node ends the processes of a
closed session, running jobs are left.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A signal requested the end; `number` is that of the signal."""

    def __init__(self, number: int, hung_up: bool = False, detached: bool = False) -> None:
        self.number = signal.Signals(number)
        self.hung_up = hung_up
        self.detached = detached
        self.left: tuple[int, ...] = ()
        super().__init__(self.number.name)


@contextmanager
def interruptible(
    hang_up: Callable[[], None] | None = None, detached: bool = False
) -> Iterator[None]:
    """Make the first signal raise `Interrupted` in the block; ignored signals stay ignored.

    Further ones have no effect: jobs are being cancelled. With `hang_up`, SIGHUP calls it instead.
    With `detached`, SIGTERM asks for no end of the run. Outside the main thread nothing changes.
    """
    came: list[int] = []
    hung_up: list[int] = []

    def interrupt(number: int, _: object) -> None:
        if number == signal.SIGHUP and hang_up is not None:
            hung_up.append(number)
            hang_up()
            return
        came.append(number)
        if len(came) == 1:
            raise Interrupted(number, bool(hung_up), detached and number == signal.SIGTERM)

    with _handled_by(interrupt):
        yield


@contextmanager
def deferred_signals() -> Iterator[None]:
    """Defer signals until the end of the block; a mask would apply to one thread only."""
    came: list[int] = []
    try:
        with _handled_by(lambda number, _: came.append(number)):
            yield
    finally:
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


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

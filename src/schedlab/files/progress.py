"""Progress bars and activity indicators, on a terminal only."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import current_thread, main_thread

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

logger = logging.getLogger(__name__)

#: seconds between two log lines on progress
LOGGED = 30.0
#: active progress displays of this process; nested bars are added to the first one
_shown: list[Progress] = []


@contextmanager
def counted(label: str, total: int | None, done: int = 0) -> Iterator[Callable[..., None]]:
    """Show how many of `total` things are done, if stderr is a terminal; None: unknown.

    A nested count has its bar below. Another thread than the main one shows no separate display.

    >>> with counted("simulations", 2) as advance:
    ...     advance()
    ...     advance()
    """
    if _shown:
        display = _shown[0]
        bar = display.add_task(label, total=total, completed=done)
        try:
            yield lambda steps=1: display.advance(bar, steps)
        finally:
            display.remove_task(bar)
        return
    if current_thread() is not main_thread():
        yield lambda steps=1: None
        return
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal
    ) as display:
        bar = display.add_task(label, total=total, completed=done)
        _shown.append(display)
        try:
            yield lambda steps=1: display.advance(bar, steps)
        finally:
            _shown.remove(display)


@contextmanager
def counted_and_logged(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` things are done, as `counted` does; log it now and then."""
    done, logged = 0, time.monotonic()
    with counted(label, total) as advance:

        def advance_and_log(steps: int) -> None:
            nonlocal done, logged
            advance(steps)
            done += steps
            if time.monotonic() - logged > LOGGED:
                logged = time.monotonic()
                logger.info("%s: %d%s", label, done, "" if total is None else f" of {total}")

        yield advance_and_log


def busy(label: str) -> AbstractContextManager:
    """Show that a task without a count is in progress, if stderr is a terminal."""
    console = Console(stderr=True)
    return console.status(label) if console.is_terminal else nullcontext()

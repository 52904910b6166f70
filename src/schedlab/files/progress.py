"""Progress bars and signs of life, on a terminal only."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import current_thread, main_thread

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

logger = logging.getLogger(__name__)

#: seconds between two lines of the log about what is counted
LOGGED = 30.0
#: the bars of this process that are on the terminal: one display, to which others add their bars
_shown: list[Progress] = []


@contextmanager
def counted(words: str, total: int, done: int = 0) -> Iterator[Callable[..., None]]:
    """Show how many of `total` things are done; nothing where stderr is no terminal.

    What is counted inside something that is counted has its bar below, as long as it lasts. A
    thread beside the main one shows nothing else, because a terminal has one display.

    Parameters
    ----------
    words : str
        What is counted.
    total, done : int
        How many there are, and how many of them are done already.

    Yields
    ------
    callable
        Call it after each thing, or with the number of things.

    Examples
    --------
    >>> with counted("simulations", 2) as advance:
    ...     advance()
    ...     advance()
    """
    if _shown:
        display = _shown[0]
        bar = display.add_task(words, total=total, completed=done)
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
        bar = display.add_task(words, total=total, completed=done)
        _shown.append(display)
        try:
            yield lambda steps=1: display.advance(bar, steps)
        finally:
            _shown.remove(display)


@contextmanager
def counted_and_logged(words: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` things are done as `counted` does; log it every `LOGGED` seconds.

    Yields
    ------
    callable
        Call it with the number of things that were done since.
    """
    done, logged = 0, time.monotonic()
    with counted(words, total) as advance:

        def advance_and_log(steps: int) -> None:
            nonlocal done, logged
            advance(steps)
            done += steps
            if time.monotonic() - logged > LOGGED:
                logged = time.monotonic()
                logger.info("%s: %d of %d", words, done, total)

        yield advance_and_log


def busy(words: str) -> AbstractContextManager:
    """Show that something is being done that nobody counts; nothing where stderr is no terminal.

    Examples
    --------
    >>> with busy("reading site.swf"):
    ...     pass
    """
    console = Console(stderr=True)
    return console.status(words) if console.is_terminal else nullcontext()

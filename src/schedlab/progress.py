"""Progress bars, on a terminal only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def counted(words: str, total: int, done: int = 0) -> Iterator[Callable[..., None]]:
    """Show how many of `total` things are done; nothing where stderr is no terminal.

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
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal
    ) as bar:
        shown = bar.add_task(words, total=total, completed=done)
        yield lambda steps=1: bar.advance(shown, steps)

"""One function over many things, over threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def over_threads(
    function: Callable[[T], R],
    things: Iterable[T],
    threads: int = 1,
    progress: Callable[[], object] | None = None,
) -> list[R]:
    """Apply a function that lets go of the interpreter's lock.

    Parameters
    ----------
    function : callable
        What to do with each thing.
    things : iterable
        What to do it with.
    threads : int
        How many at a time.
    progress : callable, optional
        Called after each thing.

    Returns
    -------
    list
        In the order of `things`, however many threads there are.
    """
    if threads == 1:
        results = []
        for thing in things:
            results.append(function(thing))
            if progress:
                progress()
        return results
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(function, thing) for thing in things]
        for future in as_completed(futures):
            future.result()
            if progress:
                progress()
    return [future.result() for future in futures]

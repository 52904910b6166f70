"""Application of one function to many things, on threads."""

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
    """Apply a function, which releases the interpreter lock, to many things.

    `threads` is the number of things at a time; results are in the order of `things`, for any
    number. `progress` is called after each thing.
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

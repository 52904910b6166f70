"""Application of one function to many things, on threads or processes, and reading ahead."""

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def over_threads(
    function: Callable[[T], R],
    things: Iterable[T],
    threads: int = 1,
    progress: Callable[[], object] | None = None,
) -> list[R]:
    """Apply a function that releases the interpreter lock; results are in order."""
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


@contextmanager
def processes(count: int) -> Iterator[Callable[..., Iterator]]:
    """Yield a `map` over `count` processes, for functions that keep the interpreter lock."""
    if count == 1:
        yield map
        return
    method = "fork" if sys.platform == "linux" else None
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(count, context, _follow_parent) as pool:
        yield pool.map


def _follow_parent() -> None:
    """Let the parent alone react to Ctrl-C, and end with it if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    Thread(target=lambda: os._exit(parent.join() or 1), daemon=True).start()


def in_turn(function: Callable[[T], R], things: Iterable[T], threads: int) -> Iterator[R]:
    """Yield what `over_threads` returns; few more things than threads are in memory at a time."""
    waiting: deque[Future[R]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for thing in things:
            waiting.append(pool.submit(function, thing))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def ahead(things: Iterable[T]) -> Iterator[T]:
    """Yield the same things; the next one is made, on another thread, while one is used."""
    things = iter(things)
    nothing = object()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, things, nothing)
        while (thing := coming.result()) is not nothing:
            coming = pool.submit(next, things, nothing)
            yield thing  # type: ignore[misc]
            del thing

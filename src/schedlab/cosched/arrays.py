"""Input arrays of the nodes kernel."""

from collections.abc import Callable

import numpy as np

from schedlab.cosched.schedulers import RANKED, CoScheduler, Waiting, custom_order
from schedlab.cosched.speeds import NODE_ORDERS, friends, pair_speedups, speed_alone
from schedlab.kernels.nodes.nodes import BACKFILLS, KINDS, MODES


def _dense(keys: np.ndarray) -> np.ndarray:
    """Return dense numbers from 0; equal rows or values have the same number."""
    return np.unique(keys, axis=0, return_inverse=True)[1].reshape(len(keys)).astype(np.int32)


def _places(order: np.ndarray) -> np.ndarray:
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return place


def speed_arrays(speedup: np.ndarray, nodes: str) -> tuple[np.ndarray, ...]:
    """Return speeds, and the order in which applications take nodes (`run_nodes`: speeds)."""
    pairs, count = pair_speedups(speedup), len(speedup)
    slowest = np.argsort(pairs, axis=1, kind="stable")
    place = np.empty((count, count), dtype=np.int32)
    np.put_along_axis(place, slowest, np.arange(count, dtype=np.int32)[None, :], axis=1)
    idle, shared = NODE_ORDERS[nodes](speedup)
    keys = -np.column_stack([idle, shared])
    classes = np.argsort(keys, axis=1, kind="stable").astype(np.int32)
    sorted_keys = np.take_along_axis(keys, classes, axis=1)
    rises = np.diff(sorted_keys, axis=1, prepend=sorted_keys[:, :1]) > 0
    return (
        speed_alone(speedup),
        np.take_along_axis(pairs, slowest, axis=1),
        place,
        classes,
        np.cumsum(rises, axis=1, dtype=np.int32),
    )


def rank_arrays(speedup: np.ndarray, scheduler: CoScheduler) -> tuple[np.ndarray, ...]:
    """Return types of applications that are equally popular in any queue (`run_nodes`: ranks)."""
    count = len(speedup)
    if scheduler.allocation != "hybrid" and scheduler.order not in RANKED:
        no_jobs = np.zeros((0, count), dtype=np.uint8)
        return np.zeros(count, dtype=np.int32), no_jobs, np.zeros(0, dtype=np.uint8)
    likes = friends(speedup, scheduler.threshold).astype(np.uint8)
    itself = likes.diagonal()
    type_of = _dense(np.column_stack([likes, itself]))
    first = np.unique(type_of, return_index=True)[1]
    return type_of, np.ascontiguousarray(likes[first]), np.ascontiguousarray(itself[first])


def group_arrays(jobs, scheduler: CoScheduler, type_of: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return groups of jobs whose order never changes (`run_nodes`: groups)."""
    count = len(jobs)
    arrival = np.arange(count, dtype=np.int32)
    time = seen_times(jobs, scheduler)
    longest = np.argsort(-time, kind="stable")
    second = _places(longest)
    one_group = np.zeros(count, dtype=np.int32)
    group, inner = {
        "sjf": lambda: (one_group, _places(np.argsort(time, kind="stable"))),
        "ljf": lambda: (one_group, second),
        "laf": lambda: (one_group, _places(np.argsort(-(time * jobs.procs), kind="stable"))),
        "filler": lambda: (_dense(jobs.procs), arrival),
        "sjf-filler": lambda: (_dense(jobs.procs), -second),
        "popularity": lambda: (type_of[jobs.app], arrival),
        "pop-filler": lambda: (_dense(np.column_stack([type_of[jobs.app], jobs.procs])), -arrival),
    }.get(scheduler.order.removesuffix("-ascending"), lambda: (one_group, arrival))()
    at = np.lexsort((inner, group)).astype(np.int32)
    first = np.searchsorted(group[at], np.arange(group.max(initial=0) + 2)).astype(np.int32)
    return _places(at), at, first, second


def seen_times(jobs, scheduler: CoScheduler) -> np.ndarray:
    """Return the times that the order uses."""
    times = {"runtime": jobs.time, "wall": jobs.wall, "estimate": jobs.estimate}
    return times[scheduler.key_time]


def scheduler_numbers(scheduler: CoScheduler, count: int) -> tuple[int, ...]:
    """Return the scheduler (`run_nodes`: scheduler)."""
    kind = "own" if custom_order(scheduler.order) else scheduler.order
    return (
        KINDS.get(kind, KINDS["static"]),
        int(scheduler.keys == "exact"),
        MODES[scheduler.allocation],
        MODES[scheduler.backfill_allocation or scheduler.allocation],
        BACKFILLS[scheduler.backfill],
        int(scheduler.repeat),
        min(count, count if scheduler.depth is None else scheduler.depth),
        min(count, scheduler.queue_depth or count),
        scheduler.compact_below,
    )


def caller(jobs, scheduler: CoScheduler) -> Callable | None:
    """Return the callback of a user-defined order for the kernel (`run_nodes`: own)."""
    order = custom_order(scheduler.order)
    if order is None:
        return None
    time = seen_times(jobs, scheduler)

    def in_order(seen: np.ndarray, free_cores: int, now: float) -> np.ndarray:
        columns = (jobs.submit, time, jobs.wall, jobs.app, jobs.procs)
        view = Waiting(seen, *(column[seen] for column in columns), free_cores, now)
        keys = np.asarray(order(view), dtype=np.float64)
        if keys.shape != seen.shape or np.isnan(keys).any():
            raise ValueError(
                f"order '{scheduler.order}' gave keys of shape {keys.shape} for {len(seen)} "
                "waiting jobs, or NaN"
            )
        return seen[np.argsort(-keys, kind="stable")]

    return in_order

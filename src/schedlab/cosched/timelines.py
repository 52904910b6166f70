"""Schedules over time: states, throughput, unused cores, speedups, and places of jobs.

Every function takes the jobs of one scheduler and one workload: columns job, application, procs,
submit, time, start, end, compact, cores (charged), nodes (lists of numbers).
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from schedlab.cosched.metrics import run_times

STATES = ["future", "waiting", "executing", "finished"]
NODE_STATES = ["idle", "whole node", "shared by two", "half free"]
BINS = 20
STEPS = 200


def states(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return the number of jobs in each state after every event.

    Columns: time (s), and the number of jobs that have not arrived (future), wait, execute and have
    finished; figure 4.1 of kellari2025.
    """
    times = np.unique(np.concatenate([[0.0], jobs["submit"], jobs["start"], jobs["end"]]))
    passed = {
        column: np.searchsorted(np.sort(jobs[column]), times, side="right")
        for column in ("submit", "start", "end")
    }
    counts = {
        "future": len(jobs) - passed["submit"],
        "waiting": passed["submit"] - passed["start"],
        "executing": passed["start"] - passed["end"],
        "finished": passed["end"],
    }
    return pd.DataFrame({"time": times} | counts)


def throughput(jobs: pd.DataFrame, until: float, steps: int = STEPS) -> pd.DataFrame:
    """Return how many jobs have finished at `steps` + 1 equidistant times: time (s), finished."""
    times = np.linspace(0, until, steps + 1)
    finished = np.searchsorted(np.sort(jobs["end"]), times, side="right")
    return pd.DataFrame({"time": times, "finished": finished})


def unused_cores(jobs: pd.DataFrame, cores: int, until: float, steps: int = STEPS) -> pd.DataFrame:
    """Return the mean number of cores without a process in each of `steps` spans up to `until`.

    Columns: time (the end of the span, s), unused (cores).
    """
    edges = np.linspace(0, until, steps + 1)
    start, end = jobs["start"].to_numpy(), jobs["end"].to_numpy()
    procs = jobs["procs"].to_numpy()
    # Core seconds used until each edge, the integral of the load; spans are its differences.
    used = np.array([procs @ (np.minimum(end, edge) - np.minimum(start, edge)) for edge in edges])
    return pd.DataFrame({"time": edges[1:], "unused": cores - np.diff(used) / np.diff(edges)})


def speedups(jobs: pd.DataFrame) -> pd.Series:
    """Return each job's time alone divided by its actual run time; exactly 1 on whole nodes."""
    return jobs["time"] / run_times(*(jobs[name] for name in ("time", "start", "end", "compact")))


def speedup_bins(jobs: pd.DataFrame, bins: int = BINS) -> pd.DataFrame:
    """Return the mean speedup of jobs that finish in each time span, and of all until then.

    Columns: time (end of the span, s), jobs, mean (nan without jobs), cumulative; figure 6.4.
    """
    speedup = speedups(jobs).to_numpy()
    edges = np.linspace(0, jobs["end"].max(), bins + 1)
    place = np.clip(np.searchsorted(edges, jobs["end"], side="left") - 1, 0, bins - 1)
    count = np.bincount(place, minlength=bins)
    total = np.bincount(place, speedup, minlength=bins)
    with np.errstate(invalid="ignore"):
        frame = {"time": edges[1:], "jobs": count, "mean": total / count}
        return pd.DataFrame(frame | {"cumulative": np.cumsum(total) / np.cumsum(count)})


def ranges(nodes: Iterable[int]) -> str:
    """Format ascending node numbers as ranges."""
    nodes = np.asarray(nodes)
    parts = np.split(nodes, np.flatnonzero(np.diff(nodes) != 1) + 1)
    return " ".join(
        f"{part[0]}-{part[-1]}" if len(part) > 1 else f"{part[0]}" for part in parts if len(part)
    )


def lanes(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return the rectangles of a Gantt chart: a job, a node and the part of it.

    A compact job fills its nodes. If two jobs share a node, the one that started first has the
    lower half. Columns: job (its place in `jobs`), node, bottom (of the node's height, 0 or 0.5),
    height (0.5 or 1), start, end (s).
    """
    order = np.lexsort((jobs["job"], jobs["start"]))
    columns = [jobs[name].to_numpy() for name in ("start", "end", "compact", "nodes")]
    last = max((int(np.max(nodes)) for nodes in columns[3] if len(nodes)), default=-1)
    free = np.zeros((last + 1, 2))  # when each half of each node is free again
    rectangles = []
    for job in order:
        start, end, compact, nodes = (column[job] for column in columns)
        half = (free[nodes, 0] > start + 1e-9).astype(int)
        if compact:
            free[nodes] = end
        else:
            free[nodes, half] = end
        bottom = np.where(compact, 0.0, 0.5 * half)
        height = 1.0 if compact else 0.5
        rectangles.append(
            pd.DataFrame(
                {"job": job, "node": nodes, "bottom": bottom, "height": height}
                | {"start": start, "end": end}
            )
        )
    return pd.concat(rectangles, ignore_index=True)


def with_node_ranges(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return schedules as they are written with a figure, node numbers as ranges."""
    return jobs.drop(columns="nodes").assign(nodes=[ranges(nodes) for nodes in jobs["nodes"]])


def node_states(lanes: pd.DataFrame, steps: int) -> np.ndarray:
    """Return the state of every node over time: int, shape (nodes, steps).

    States are taken at the middles of `steps` equal parts of the time from 0 to the last end. They
    are places in `NODE_STATES`: idle, whole (one job has all of it), shared (two jobs), half free.
    """
    middles = (np.arange(steps) + 0.5) * lanes["end"].max() / steps
    is_used = np.zeros((2, lanes["node"].max() + 1, steps), dtype=bool)
    whole = np.zeros(is_used.shape[1:], dtype=bool)
    first = np.searchsorted(middles, lanes["start"])
    last = np.searchsorted(middles, lanes["end"])
    columns = (lanes["node"], lanes["bottom"], lanes["height"])
    for node, bottom, height, low, high in zip(*columns, first, last, strict=True):
        is_used[int(2 * bottom), node, low:high] = True
        whole[node, low:high] |= height == 1
    return np.select([whole, is_used.all(axis=0), is_used.any(axis=0)], [1, 2, 3], 0)

"""Choose the window of a log to replay, and scale it to a small machine."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate

#: jobs of a window, processors of the machine, seconds from the first to the last submission
COUNT, NODES, SPAN = 150, 32, 9000
#: bounds of the load: area of the jobs over processors times `SPAN`
LEAST, MOST = 0.8, 1.2
#: longest run time in seconds
LONGEST = SPAN // 2


def cut_window(log: str, table: pd.DataFrame, processors: int) -> tuple[Jobs, pd.DataFrame]:
    """Choose a window of a log, and scale it to `NODES` processors and `SPAN` seconds.

    The log's jobs, by submit time, then number, are cut into blocks of `COUNT`. Blocks of the first
    quarter and those no longer than `SPAN` are skipped. In the others widths are scaled by `NODES`
    over the log's processors, times by `SPAN` over the block's length; all values are rounded and
    at least 1. Blocks with a load from `LEAST` to `MOST` and no run time above `LONGEST` are
    candidates. The window is their median by mean wait under EASY backfilling in order of arrival.

    `table` has number, submit, runtime, estimate (seconds), procs. `log` names the log in errors.
    Returns `COUNT` jobs, numbered from 1, submitted from time 0, and a row of facts: log; block,
    from 0; first and last submission on the log's clock; factor (divisor of the times); load; kept
    (number of candidates).

    Raises ValueError if there is no candidate, or a job is wider than the machine.
    """
    candidates = []
    for block, rows in _candidate_windows(table):
        jobs, factor = scale_jobs(rows, processors)
        load = float((jobs.procs * jobs.runtime).sum() / (NODES * SPAN))
        if not LEAST <= load <= MOST or jobs.runtime.max() > LONGEST:
            continue
        ends = rows["submit"].iloc[[0, -1]].tolist()
        candidates.append((_easy_wait(jobs), block, jobs, (*ends, factor, load)))
    if not candidates:
        raise ValueError(
            f"log {log}: of {len(table)} jobs no block of {COUNT} behind the first quarter has a "
            f"load from {LEAST} to {MOST} and run times up to {LONGEST} s when it is scaled"
        )
    candidates.sort(key=lambda one: one[:2])
    _, block, jobs, extent = candidates[len(candidates) // 2]
    columns = ["log", "block", "first", "last", "factor", "load", "kept"]
    return jobs, pd.DataFrame([(log, block, *extent, len(candidates))], columns=columns)


def scale_jobs(rows: pd.DataFrame, processors: int) -> tuple[Jobs, float]:
    """Scale jobs to `NODES` processors and `SPAN` seconds; also return the divisor of the times.

    The rows are in order of submission, over more than 0 seconds.
    """
    since = rows["submit"].to_numpy() - rows["submit"].iloc[0]
    factor = since[-1] / SPAN
    runtime = _whole(rows["runtime"].to_numpy() / factor)
    estimate = np.maximum(runtime, _whole(rows["estimate"].to_numpy() / factor))
    procs = _whole(rows["procs"].to_numpy() * NODES / processors)
    submit = np.rint(since / factor).astype(np.int64)
    return Jobs(np.arange(1, len(rows) + 1), submit, runtime, estimate, procs), float(factor)


def _candidate_windows(table: pd.DataFrame) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield the blocks after the first quarter that last longer than `SPAN`, with their numbers."""
    ordered = table.sort_values(["submit", "number"], kind="stable")
    blocks = len(table) // COUNT
    for block in range(blocks // 4, blocks):
        rows = ordered.iloc[block * COUNT : (block + 1) * COUNT]
        if rows["submit"].iloc[-1] - rows["submit"].iloc[0] > SPAN:
            yield block, rows


def _whole(values: np.ndarray) -> np.ndarray:
    return np.maximum(1, np.rint(values)).astype(np.int64)


def _easy_wait(jobs: Jobs) -> float:
    schedule = simulate(Run(jobs, NODES, get("fcfs"), reservations="head"))
    return float((schedule.start - jobs.submit).mean())

"""The record that every case prints: throughput, memory, and the C limit beside them."""

from __future__ import annotations

import json
import resource
import statistics
from collections.abc import Sequence


def print_record(
    kernel: str,
    work: str,
    n: int,
    threads: int,
    ours: Sequence[float],
    theirs: Sequence[float] = (),
) -> None:
    """Print medians of the rates as JSON; `theirs` are the C limit's, in turn with `ours`."""
    record = {
        "kernel": kernel,
        "work": work,
        "n": n,
        "threads": threads,
        "per_second": round(statistics.median(ours)),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    if theirs:
        record["limit_per_second"] = round(statistics.median(theirs))
        ratios = (a / b for a, b in zip(ours, theirs, strict=True))
        record["ratio"] = round(statistics.median(ratios), 3)
    print(json.dumps(record))

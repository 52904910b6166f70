"""The record that every case prints: throughput, memory, and the C limit."""

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
    rates: Sequence[float],
    limit_rates: Sequence[float] = (),
) -> None:
    """Print medians of the rates as JSON; `limit_rates` are those of the C limit, run in turn."""
    record = {
        "kernel": kernel,
        "work": work,
        "n": n,
        "threads": threads,
        "per_second": round(statistics.median(rates)),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    if limit_rates:
        record["limit_per_second"] = round(statistics.median(limit_rates))
        ratios = (a / b for a, b in zip(rates, limit_rates, strict=True))
        record["ratio"] = round(statistics.median(ratios), 3)
    print(json.dumps(record))

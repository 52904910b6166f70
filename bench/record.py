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
    scalar_rates: Sequence[float] = (),
    decisions: int = 0,
) -> None:
    """Print medians of the rates as JSON.

    `limit_rates` are those of the C limit, run in turn; `scalar_rates` those of the C limit without
    vector instructions, where it has both. `decisions` are those that the rules ask for, where they
    are counted.
    """
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
        record["ratio"] = _median_ratio(rates, limit_rates)
    if scalar_rates:
        record["scalar_ratio"] = _median_ratio(rates, scalar_rates)
    if decisions:
        record["decisions"] = decisions
    print(json.dumps(record))


def _median_ratio(rates: Sequence[float], limit_rates: Sequence[float]) -> float:
    ratios = (a / b for a, b in zip(rates, limit_rates, strict=True))
    return round(statistics.median(ratios), 3)

"""Time a published workload in a process of its own and print its record as JSON.

usage: python bench/published_case.py JOBS ESTIMATES REPEATS

ESTIMATES is 'estimates' for the Tsafrir model on top, '-' for run times alone.
"""

from __future__ import annotations

import sys
import time

from record import print_record

from schedlab.workloads import published

LONGEST, SEED = 162_754, 1_488_557_399


def main(jobs: str, estimates: str, repeats: str) -> None:
    """Run the case and print its record."""
    count, rates = int(jobs), []
    for _ in range(int(repeats)):
        begin = time.perf_counter()
        drawn = published.generate(count, 256, SEED)
        if estimates == "estimates":
            published.with_estimates(drawn, LONGEST)
        rates.append(count / (time.perf_counter() - begin))
    kernel = "published jobs" + (" and estimates" if estimates == "estimates" else "")
    print_record(kernel, "drawn", count, 1, rates)


if __name__ == "__main__":
    main(*sys.argv[1:])

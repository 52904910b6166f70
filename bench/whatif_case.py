"""Time forecasts of a queue of 1,000 jobs under 20 policies; print the record as JSON.

usage: python bench/whatif_case.py KIND RESERVATIONS THREADS REPEATS

KIND is all (every registered policy and two that move anyhow) or general (20 that move anyhow). The
rate is in predicted starts per second, and the record says how long all 20 take.
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np
from record import print_record

from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.policies import REGISTRY, get
from schedlab.queue.forecast import QueueState, Way, forecasts

WAITING, RUNNING, PROCESSORS = 1000, 200, 1024
MOVING = ["-w * n / r", "r - 0.1 * w"]
KINDS = {
    "all": [*REGISTRY, *MOVING],
    "general": [f"r - {share / 20:g} * w" for share in range(1, 21)],
}


def standing() -> QueueState:
    """A busy machine and its queue: limits of minutes to a day, needs in powers of two."""
    rng = generator("bench", "whatif", WAITING)
    now = 100_000
    limits = [60 * rng.integers(1, 1440, count) for count in (RUNNING, WAITING)]
    running = Jobs(
        np.arange(RUNNING),
        np.zeros(RUNNING, dtype=np.int64),
        limits[0],
        limits[0],
        2 ** rng.integers(0, 4, RUNNING),
    )
    waiting = Jobs(
        np.arange(WAITING),
        np.sort(rng.integers(0, now, WAITING)),
        limits[1],
        limits[1],
        2 ** rng.integers(0, 8, WAITING),
    )
    started = now - (limits[0] * rng.random(RUNNING)).astype(np.int64)
    return QueueState(PROCESSORS, now, running, started, waiting)


def main(kind: str, reservations: str, threads: str, repeats: str) -> None:
    """Run the case and print its record."""
    queue = standing()
    ways = [Way(get(name), reservations) for name in KINDS[kind]]
    seconds = []
    for _ in range(int(repeats)):
        begin = time.perf_counter()
        forecasts(queue, ways, int(threads))
        seconds.append(time.perf_counter() - begin)
    print_record(
        f"what if, {reservations}",
        f"{len(ways)} policies ({kind}), {statistics.median(seconds) * 1e3:.1f} ms",
        WAITING,
        int(threads),
        [len(ways) * WAITING / second for second in seconds],
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Time EASY++ in a process of its own and print its record as JSON.

usage: python bench/predicted_case.py WORK USERS REPEATS

As many users are drawn, each as likely as another. Estimates are raised to the run time.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import numpy as np
from record import print_record
from works import find_work

from schedlab.core.streams import generator
from schedlab.queue.predictions import simulate_predicted


def main(work: str, users: str, repeats: str) -> None:
    """Run the case and print its record."""
    name, given, processors = find_work(work)
    jobs = replace(given, estimate=np.maximum(given.estimate, given.runtime))
    user = generator("bench", "predicted", work).integers(0, int(users), len(jobs))
    rates = []
    for _ in range(int(repeats)):
        begin = time.perf_counter()
        simulate_predicted(jobs, user, processors)
        rates.append(len(jobs) / (time.perf_counter() - begin))
    print_record(f"easy++, {users} users", name, len(jobs), 1, rates)


if __name__ == "__main__":
    main(*sys.argv[1:])

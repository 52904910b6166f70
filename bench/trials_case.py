"""Time trials of tuples in a process of its own and print the record as JSON.

usage: python bench/trials_case.py THREADS REPEATS [LIMIT]

LIMIT is the compiled C limit; the two take turns on the same tuples. The limit runs 16 trials at a
time where the processor can, and is measured one trial at a time as well.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from case import write_text
from record import print_record
from works import find_work

from schedlab.learning.trials import simulate_trials
from schedlab.learning.tuples import tuple_at

TRIALS = 256_000  # of the paper, per tuple
PLACES = (0, 1000, 5000, 7000)  # of the tuples in the workload


def limit_rate(limit: str, path: Path, processors: int, *options: str) -> float:
    """Trials per second of the C limit, over the tuples."""
    rates = []
    for place in PLACES:
        command = [limit, "trials", str(path), str(processors), str(TRIALS), str(place), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        rates.append(float(done.stdout.split(" trials/s")[0].split()[-1]))
    return statistics.harmonic_mean(rates)


def main(threads: str, repeats: str, limit: str = "") -> None:
    """Run the case and print its record."""
    work, jobs, processors = find_work("lub")
    tuples = [tuple_at(jobs, place) for place in PLACES] * int(threads)
    rates, limit_rates, scalar_rates = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.txt"
        write_text(jobs, path)
        for _ in range(int(repeats)):
            begin = time.perf_counter()
            simulate_trials(tuples, processors, TRIALS, range(len(tuples)), threads=int(threads))
            rates.append(len(tuples) * TRIALS / (time.perf_counter() - begin))
            if limit:
                limit_rates.append(limit_rate(limit, path, processors))
                scalar_rates.append(limit_rate(limit, path, processors, "-scalar"))
    print_record("trials", work, TRIALS, int(threads), rates, limit_rates, scalar_rates)


if __name__ == "__main__":
    main(*sys.argv[1:])

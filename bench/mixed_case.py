"""Time weight vectors of mixed policies over weeks in an own process; print the record as JSON.

usage: python bench/mixed_case.py WORK SEARCH THREADS REPEATS [LIMIT]

SEARCH is grid (every vector of the paper's grid) or xnes3, xnes6 (1,000 evaluations of a search).
LIMIT is the compiled C limit; it runs SAF, backfilled SPF, on the same weeks in turn.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from case import write_text
from record import print_record
from works import WEEKS, model_weeks

from schedlab.core.jobs import Jobs
from schedlab.learning.weights.mixed import evaluate, grid, scales_of
from schedlab.studies.legrand2018.search import xnes

THRESHOLD = 200_000  # seconds, the paper's
EVALUATIONS = 1000


def limit_rate(limit: str, folder: Path, weeks: list[Jobs], processors: int) -> float:
    """Jobs per second of the C limit over all weeks: each week's is the median of its repeats."""
    seconds = 0.0
    for week in weeks:
        path = folder / "week.txt"
        write_text(week, path)
        command = [limit, "easy", str(path), str(processors), "15", "saf", "spf", "-lifo"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds += len(week) / float(done.stdout.split(" jobs/s")[0].split()[-1])
    return sum(map(len, weeks)) / seconds


def main(work: str, search: str, threads: str, repeats: str, limit: str = "") -> None:
    """Run the case and print its record."""
    try:
        weeks, processors = WEEKS[work]()
    except FileNotFoundError:  # model weeks, and the record says so
        work = f"{work} (model weeks)"
        weeks, processors = model_weeks()
    scales, vectors = scales_of(weeks, processors), grid()
    rates, limit_rates, shared = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(int(repeats)):
            tried = simulated = 0
            begin = time.perf_counter()
            for week in weeks:
                if search == "grid":
                    result = evaluate(
                        week, processors, vectors, scales[:3], THRESHOLD, int(threads)
                    )
                    tried += len(vectors) * len(week)
                    simulated += result.simulated
                else:
                    found = xnes(
                        week, processors, int(search[-1]), scales, THRESHOLD, EVALUATIONS,
                        penalty=1, population=20, sigma=0.5, key=("bench", search),
                    )  # fmt: skip
                    tried += found.evaluations * len(week)
            rates.append(tried / (time.perf_counter() - begin))
            shared = tried / simulated if simulated else 0
            if limit:
                limit_rates.append(limit_rate(limit, Path(folder), weeks, processors))
    kernel = f"mixed {search}" + (f", shared by {shared:.1f}" if shared else "")
    work = f"{work}, {len(weeks)} weeks"
    print_record(kernel, work, sum(map(len, weeks)), int(threads), rates, limit_rates)


if __name__ == "__main__":
    main(*sys.argv[1:])

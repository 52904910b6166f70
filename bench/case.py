"""Time one case in a process of its own and print its record as JSON.

usage: python bench/case.py WORK PRIMARY BACKFILL DIALECT THREADS REPEATS [LIMIT]

BACKFILL is '-' for strict order, 'completion', 'instant' or 'none' for reservations of every job
with that compression. LIMIT is the compiled C limit; the two take turns.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
from record import print_record
from works import find_work

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.reservations import Compression
from schedlab.queue.simulation import Run, simulate_many

#: F1 as Table 3 prints it, which is what the C limit knows
TABLE3 = {"f1": "log10(r) * n + 870 * log10(s)"}


#: what the C limit is told by the third argument; anything else is an order of backfilling
MODES = {"-": ["-strict"], "completion": ["-prune"], "none": ["-prune", "-nocompress"]}


def limit_rate(limit: str, path: Path, run: Run, names: list[str], backfill: str) -> float:
    """Jobs per second of the C limit on the same jobs: the median of its own repeats."""
    mode, orders = ("cons", []) if run.reservations == "every" else ("easy", names)
    command = [limit, mode, str(path), str(run.processors), "5", *orders, *MODES.get(backfill, [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split(" jobs/s")[0].split()[-1])


def write_text(jobs: Jobs, path: Path) -> None:
    """Write the jobs in the C limit's format."""
    columns = (jobs.submit, jobs.runtime, jobs.procs, jobs.estimate)
    np.savetxt(path, np.column_stack(columns), fmt="%d")


def main(
    work: str, primary: str, backfill: str, dialect: str, threads: str, repeats: str,
    limit: str = "",
) -> None:  # fmt: skip
    """Run the case and print its record."""
    work, jobs, processors = find_work(work)
    planned = backfill in get_args(Compression)
    names = [primary] if backfill == "-" or planned else [primary, backfill]
    policies = [get(TABLE3.get(name, name)) for name in names]
    run = Run(jobs, processors, *policies, dialect=DIALECTS[dialect])
    if planned:
        run = replace(run, reservations="every", compression=backfill)
    runs = [run] * (4 * int(threads) if int(threads) > 1 else 1)
    rates, limit_rates = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.txt"
        if limit:
            write_text(jobs, path)
        for _ in range(int(repeats)):
            begin = time.perf_counter()
            simulate_many(runs, int(threads))
            rates.append(len(runs) * len(jobs) / (time.perf_counter() - begin))
            if limit:
                limit_rates.append(limit_rate(limit, path, run, names, backfill))
    kind = {"none": "strict", "head": "easy"}.get(
        run.reservations, f"conservative, compression {run.compression},"
    )
    kernel = f"{kind} {'/'.join(names)}" + (f" {dialect}" if dialect != "full" else "")
    print_record(kernel, work, len(jobs), int(threads), rates, limit_rates)


if __name__ == "__main__":
    main(*sys.argv[1:])

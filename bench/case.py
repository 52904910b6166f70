"""Time one case in a process of its own and print its record as JSON.

usage: python bench/case.py WORK PRIMARY BACKFILL DIALECT THREADS REPEATS [LIMIT]

BACKFILL is '-' for strict order. LIMIT is the compiled C limit; the two take turns.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from record import print_record
from works import at_hand

from schedlab.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate_many

#: F1 as Table 3 prints it, which is what the C limit knows
TABLE3 = {"f1": "log10(r) * n + 870 * log10(s)"}


def limit_rate(limit: str, path: Path, processors: int, names: list[str], strict: bool) -> float:
    """Jobs per second of the C limit on the same jobs: the median of its own repeats."""
    command = [limit, "easy", str(path), str(processors), "5", *names]
    done = subprocess.run(
        command + ["-strict"] * strict, capture_output=True, text=True, check=True
    )
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
    work, jobs, processors = at_hand(work)
    names = [primary] if backfill == "-" else [primary, backfill]
    policies = [get(TABLE3.get(name, name)) for name in names]
    run = Run(jobs, processors, *policies, dialect=DIALECTS[dialect])
    runs = [run] * (4 * int(threads) if int(threads) > 1 else 1)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.txt"
        if limit:
            write_text(jobs, path)
        for _ in range(int(repeats)):
            begin = time.perf_counter()
            simulate_many(runs, int(threads))
            ours.append(len(runs) * len(jobs) / (time.perf_counter() - begin))
            if limit:
                theirs.append(limit_rate(limit, path, processors, names, backfill == "-"))
    kind = "strict" if backfill == "-" else "easy"
    kernel = f"{kind} {'/'.join(names)}" + (f" {dialect}" if dialect != "full" else "")
    print_record(kernel, work, len(jobs), int(threads), ours, theirs)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Time the dialect slurm, FCFS, in a process of its own and print its record as JSON.

usage: python bench/slurm_case.py WORK RESERVATIONS INTERVAL REPEATS [LIMIT]

INTERVAL is in seconds, between two passes of backfilling. Estimates are raised to the run time.
LIMIT is the compiled C limit, in turn: EASY, or conservative backfilling if every job has a
reservation. It plans at each event, and a pass of Slurm's plans every waiting job again.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from case import limit_rate, write_text
from record import print_record
from works import find_work

from schedlab.core.slurm_site import Scheduling
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.slurm import SlurmSettings


def main(work: str, reservations: str, interval: str, repeats: str, limit: str = "") -> None:
    """Run the case and print its record."""
    name, given, processors = find_work(work)
    jobs = replace(given, estimate=np.maximum(given.estimate, given.runtime))
    dialect = DIALECTS["slurm"]
    dialect = replace(dialect, slurm=SlurmSettings(Scheduling(bf_interval=int(interval))))
    run = Run(jobs, processors, get("fcfs"), dialect=dialect, reservations=reservations)
    rates, limit_rates = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.txt"
        write_text(jobs, path)
        for _ in range(int(repeats)):
            begin = time.perf_counter()
            simulate(run)
            rates.append(len(jobs) / (time.perf_counter() - begin))
            if limit:
                limit_rates.append(limit_rate(limit, path, run, ["fcfs"], "completion"))
    kernel = f"slurm {reservations}, a pass in {interval} s"
    print_record(kernel, name, len(jobs), 1, rates, limit_rates)


if __name__ == "__main__":
    main(*sys.argv[1:])

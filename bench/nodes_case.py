"""Time one co-scheduler in a process of its own and print its record as JSON.

usage: python bench/nodes_case.py SCHEDULER JOBS NODES THREADS REPEATS

Jobs are drawn uniformly from the ARIS pool (SCHEDLAB_ARCHIVE) and all wait from time 0 on; without
the pool from applications made up alike, and the record says so.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from record import print_record

from schedlab.core.streams import generator
from schedlab.cosched.machine import shared_nodes
from schedlab.cosched.pool import read_pool
from schedlab.cosched.schedulers import SCHEDULERS
from schedlab.cosched.simulation import CoJobs, CoRun, simulate_many
from schedlab.traces.archive import archive_folders, find_local
from schedlab.traces.registry import PoolEntry, read_registry
from schedlab.workbench.bench_workloads import invented_pool

ROOT = Path(__file__).parents[1]
POOL = "aris-nas"


def measured() -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Processes, times and speedups of the ARIS pool; None without it."""
    schema = ROOT / "workflow" / "schemas" / "pools.schema.yaml"
    entry = read_registry(ROOT / "config" / "pools.tsv", schema, PoolEntry)[POOL]
    path = find_local(entry, archive_folders())
    if path is None:
        return None
    pool = read_pool(path)
    return pool.procs, pool.compact, pool.speedup


def main(name: str, count: str, nodes: str, threads: str, repeats: str) -> None:
    """Run the case and print its record."""
    pool = measured()
    procs, times, speedup = pool or invented_pool()
    app = generator("bench", "nodes", int(count)).integers(0, len(procs), int(count))
    time_alone = times[app]
    jobs = CoJobs(
        np.arange(int(count)), np.zeros(int(count)), app, procs[app], time_alone, 1.4 * time_alone
    )
    run = CoRun(jobs, shared_nodes(int(nodes)), speedup, SCHEDULERS[name])
    runs = [run] * (8 * int(threads) if int(threads) > 1 else 1)
    rates = []
    for _ in range(int(repeats)):
        begin = time.perf_counter()
        simulate_many(runs, int(threads))
        rates.append(len(runs) * len(jobs) / (time.perf_counter() - begin))
    work = f"{'ARIS pool' if pool else 'made-up pool'}, {int(nodes):,} nodes"
    print_record(f"nodes {name}", work, len(jobs), int(threads), rates)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Simulate the thesis's illustrations: allocation of jobs to nodes, and EASY backfilling."""

import numpy as np
import pandas as pd

from schedlab.cosched.machine import Nodes
from schedlab.cosched.schedulers import CoScheduler
from schedlab.cosched.simulation import CoJobs, simulate

# Figure 3.1: two applications of 16 processes, nodes of two sockets of 8 cores.
METHODS_CLUSTER = Nodes(4, sockets=2, cores=8)
METHODS = {
    "compact": CoScheduler("compact", "Compact"),
    "spread": CoScheduler("spread", "Spread", nodes="idle", allocation="spread"),
    "striped": CoScheduler("striped", "Striped", nodes="occ", allocation="spread"),
}
# Figures 5.1 to 5.3: nodes and run times of A to F, which all arrive at the start.
BACKFILL_CLUSTER = Nodes(10, sockets=1, cores=2)
BACKFILL_JOBS = {"A": (3, 3), "B": (4, 6), "C": (1, 8), "D": (5, 4), "E": (2, 5), "F": (2, 3)}


def allocation_methods() -> pd.DataFrame:
    """Simulate two jobs under each allocation method.

    Columns: method, job (A or B), node, socket, cores (used on this socket).
    """
    jobs = CoJobs([0, 1], [0, 0], [0, 1], [16, 16], [1, 1], [1, 1])
    rows = []
    for method, scheduler in METHODS.items():
        schedule = simulate(jobs, METHODS_CLUSTER, np.ones((2, 2)), scheduler, True)
        for place, job in enumerate("AB"):
            nodes = schedule.allocation.nodes(place)
            cores = schedule.cores[place] // (len(nodes) * METHODS_CLUSTER.sockets)
            rows += [
                (method, job, int(node), socket, int(cores))
                for node in nodes
                for socket in range(METHODS_CLUSTER.sockets)
            ]
    return pd.DataFrame(rows, columns=["method", "job", "node", "socket", "cores"])


def backfill_example() -> pd.DataFrame:
    """Simulate the waiting queue of figures 5.1 to 5.3 under EASY; jobs A to F by arrival.

    Columns: name, job, start, end, compact, nodes (list), need (nodes), time.
    """
    need, time = map(np.array, zip(*BACKFILL_JOBS.values(), strict=True))
    count = len(need)
    procs = need * BACKFILL_CLUSTER.node_cores
    jobs = CoJobs(np.arange(count), np.zeros(count), np.zeros(count), procs, time, time)
    easy = CoScheduler("easy", "EASY", backfill="easy")
    schedule = simulate(jobs, BACKFILL_CLUSTER, np.ones((1, 1)), easy, True)
    return pd.DataFrame(
        {
            "name": list(BACKFILL_JOBS),
            "job": np.arange(count),
            "start": schedule.start,
            "end": schedule.end,
            "compact": schedule.compact,
            "nodes": [schedule.allocation.nodes(job) for job in range(count)],
            "need": need,
            "time": time,
        }
    )

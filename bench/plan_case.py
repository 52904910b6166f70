"""Time Random Search on a plan, or a run with it, in an own process; print the record as JSON.

usage: python bench/plan_case.py WORK MODE JOBS REPEATS

WORK is search (iterations a second on a plan of JOBS jobs, from the same plan each time) or run
(jobs of wagap a second, as many as there are, with 300 iterations every 300 s). MODE is aggregate
or nodes. Users are drawn.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import numpy as np
from record import print_record
from works import at_hand, crowd

from schedlab.planning.machine import Cluster, Machine
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan, search
from schedlab.planning.settings import Planning, Search
from schedlab.planning.simulation import simulate_plan
from schedlab.workloads.streams import generator

MACHINE = Machine((Cluster("zewura", 20, 80), Cluster("zegox", 48, 12)))
USERS = 75


def plan_of(count: int, settings: Planning) -> Plan:
    """So many jobs in order of arrival, on two clusters by their sizes."""
    jobs, rng = crowd(count), generator("bench", "plan", count)
    jobs = replace(jobs, submit=jobs.submit - jobs.submit[-1])
    requests = Requests(jobs, rng.integers(0, USERS, count))
    return Plan.in_order(requests, MACHINE, settings, rng.random(count) < 576 / 2176)


def main(work: str, mode: str, jobs: str, repeats: str) -> None:
    """Run the case and print its record."""
    count, rates = int(jobs), []
    settings = Planning(mode=mode, search=Search(every=300))
    if work == "search":
        plan, iterations = plan_of(count, settings), max(50, min(20_000, 1_000_000 // count))
    else:
        name, given, _ = at_hand("wagap")
        given = replace(given, estimate=np.maximum(given.estimate, given.runtime))
        user = generator("bench", "plan", "users").integers(0, USERS, len(given))
        requests = Requests(given, user)
        count = len(given)
    for repeat in range(int(repeats)):
        begin = time.perf_counter()
        if work == "search":
            search(plan, iterations, ("bench", repeat))
            done = iterations
        else:
            simulate_plan(requests, MACHINE, settings, ("bench", repeat))
            done = count
        rates.append(done / (time.perf_counter() - begin))
    kernel = f"plan-rs {mode}, {'iterations' if work == 'search' else 'jobs'}"
    print_record(kernel, f"plan of {count}" if work == "search" else name, count, 1, rates)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Time Random Search on a plan, or a run with it, in an own process; print the record as JSON.

usage: python bench/plan_case.py WORK MODE JOBS REPEATS

WORK is a search (iterations a second on a plan of JOBS jobs, from the same plan each time), by what
it searches with: search is Random Search; or run (jobs of wagap a second, as many as there are,
with 300 iterations every 300 s, and CPU seconds of a run); or queues (the same jobs under Orig-BF,
which searches nothing). MODE is aggregate or nodes. Users are drawn.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import replace

import numpy as np
from record import print_record
from works import find_work

from schedlab.core.streams import generator
from schedlab.planning.requests import Requests
from schedlab.planning.settings import Planning, Search
from schedlab.planning.simulation import simulate_plan
from schedlab.workbench.bench_workloads import MACHINE, USERS, plan_of

#: searches by their names here
SEARCHES = {
    "search": Search(every=300),
    "worst": Search(choose="worst"),
    "annealing": Search(rule="annealing"),
    "tabu": Search(rule="tabu"),
}
RULES = ("worst", "annealing", "tabu")


def main(work: str, mode: str, jobs: str, repeats: str) -> None:
    """Run the case and print its record."""
    count, rates, seconds = int(jobs), [], []
    scheduler = "orig-bf" if work == "queues" else "plan-rs"
    settings = Planning(scheduler, mode, SEARCHES.get(work, SEARCHES["search"]))
    if work in SEARCHES:
        plan, iterations = plan_of(count, settings), max(200, min(20_000, 1_000_000 // count))
    else:
        name, given, _ = find_work("wagap")
        # model jobs in place of the log may be wider than a cluster
        widest = max(cluster.processors for cluster in MACHINE.clusters)
        given = replace(
            given,
            procs=np.minimum(given.procs, widest),
            estimate=np.maximum(given.estimate, given.runtime),
        )
        user = generator("bench", "plan", "users").integers(0, USERS, len(given))
        requests = Requests(given, user)
        count = len(given)
    for repeat in range(int(repeats)):
        if work in SEARCHES:
            planner = plan.session(("bench", repeat)).kernel
            planner.search_begin(iterations, repeat)
        begin, cpu = time.perf_counter(), time.process_time()
        if work in SEARCHES:
            planner.search_on(iterations)
            done = iterations
        else:
            simulate_plan(requests, MACHINE, settings, ("bench", repeat))
            done = count
        rates.append(done / (time.perf_counter() - begin))
        seconds.append(time.process_time() - cpu)
    searched = work in SEARCHES
    kernel = f"{f'plan-{work}' if work in RULES else scheduler} {mode}"
    print_record(
        f"{kernel}, {'iterations' if searched else 'jobs'}",
        f"plan of {count}" if searched else f"{name}, {statistics.median(seconds):.2f} s CPU",
        count,
        1,
        rates,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

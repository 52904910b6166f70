"""Model workloads for kernel timings; the numbers are equal on every machine."""

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Cluster, Machine, NodeKind
from schedlab.core.streams import generator
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan
from schedlab.planning.settings import Planning
from schedlab.workloads import lublin

#: machine for plans, and the number of its users
MACHINE = Machine.of_clusters(
    Cluster("zewura", 20, NodeKind(80)), Cluster("zegox", 48, NodeKind(12))
)
USERS = 75
APPLICATIONS = 33


def model(count: int, processors: int = 256) -> Jobs:
    """Return model jobs at a load of about 1, whose queue grows with their number."""
    frame = lublin.generate(count, processors, generator("bench", count, processors))
    frame["runtime"] = frame["runtime"].clip(lower=1)
    frame["estimate"] = frame["runtime"] * (1 + frame["number"] % 7)
    return Jobs.from_frame(frame).rebased()


def crowd(count: int) -> Jobs:
    """Return jobs that far exceed 100 processors, so that most jobs wait at the same time."""
    rng = generator("bench", "crowd", count)
    runtime = rng.integers(1, 2000, count)
    return Jobs(
        np.arange(count),
        np.sort(rng.integers(0, 2 * count, count)),
        runtime,
        runtime * rng.integers(1, 5, count),
        np.minimum(2 ** rng.integers(0, 7, count) + rng.integers(0, 3, count), 100),
    )


def invented_pool() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return processes, times and speedups of as many applications as in the ARIS pool."""
    rng = generator("bench", "nodes", APPLICATIONS)
    procs = 2 ** rng.integers(6, 12, APPLICATIONS)
    times = rng.uniform(20, 560, APPLICATIONS).round(2)
    return procs, times, rng.uniform(0.66, 1.76, (APPLICATIONS, APPLICATIONS))


def plan_of(count: int, settings: Planning) -> Plan:
    """Return a plan of jobs in order of arrival, on two clusters in proportion to their sizes."""
    jobs, rng = crowd(count), generator("bench", "plan", count)
    waiting = Jobs(
        jobs.number, jobs.submit - jobs.submit[-1], jobs.runtime, jobs.estimate, jobs.procs
    )
    requests = Requests(waiting, rng.integers(0, USERS, count))
    return Plan.in_order(requests, MACHINE, settings, rng.random(count) < 576 / 2176)

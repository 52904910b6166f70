"""Simulation of a machine with an execution plan.

At each instant, in this order: jobs that have run their time end, plans are updated after early
ends, arrived jobs are planned, and due jobs start. The plan is searched if the last search is long
enough ago, and jobs that are due after it start too.

Choices that klusacek2016 leaves open:

- An update places each job after the previous one on its cluster, at the earliest time with
  sufficient resources. The plans of two clusters are independent, as in the paper's lists, and so
  are limits: a user's processors and the share of long jobs count by cluster.
- If a new job could start equally early on several clusters, it is planned on the first of them,
  behind all jobs that start no later.
- A search runs at an event if the last one is long enough ago, whether or not a job was planned
  then (with `Search.timed` it runs periodically). A move draws a planned job among all, then tries
  its clusters one after the other, each with a random place in its order.
- A move is accepted if it gains more than 10^-9 instead of 0, because smaller gains are rounding
  errors.
- Fairness includes users with at least one arrived job. An ended job counts with its run time,
  others with their estimate.
- A job needs an estimate of at least its run time; cleaning corrects other jobs of a log.
- By node: a job uses as few nodes as have its processors, and its memory in equal shares, or as
  many as it requests. It gets the first suitable nodes by number, and stays on them as long as its
  start does not change.
- Orig-BF accumulates each user's usage at every instant, by the dominant share of processors and
  memory of the whole machine. It halves the usage at multiples of 72 hours, and compares it in
  thousandths of a processor second. Running and ended jobs count, waiting jobs do not.
- Marks follow the paper's simulator: each node's need of a blocked job is marked on every suitable
  node, memory together with processors. Two differences: a job never uses marked resources, and a
  job that requests whole nodes marks whole nodes. In the mode by cluster, a cluster is one node. A
  job that a limit keeps off a cluster marks nothing there, as with limits of queues in the
  simulator.
- A cycle follows the loops of production schedulers: after a cycle that has started a job the
  scheduler sleeps for the shorter time, otherwise for the longer one. Events in the meantime are
  handled when it wakes up.
"""

from schedlab.core.jobs import Schedule
from schedlab.core.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning


def simulate_plan(
    requests: Requests, machine: Machine, settings: Planning, seed: tuple[str | int, ...]
) -> Schedule:
    """Simulate jobs on a machine with an execution plan; the interpreter lock is released.

    `seed` is the key of the random numbers of its searches. The schedule is as from
    `schedlab.planning.sessions.PlanSession.schedule`. Raises ValueError, with job and field, if a
    job can never run on the machine within the limits.

    Examples
    --------
    The second job is planned behind the estimated end of the first, and starts at its real end:

    >>> from schedlab.core.jobs import Jobs
    >>> jobs = Jobs([1, 2], [0, 0], [50, 20], [100, 20], [3, 2])
    >>> requests, machine = Requests(jobs, user=[1, 2]), Machine.of_processors(4)
    >>> found = simulate_plan(requests, machine, Planning(), ("x", 1))
    >>> found.start.tolist(), found.end.tolist()
    ([0, 50], [50, 70])
    """
    session = PlanSession(machine, settings, seed)
    session.submit(requests)
    session.advance()
    return session.schedule()

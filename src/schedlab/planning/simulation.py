"""Simulation of a machine that works by its plan, over jobs that come when they come.

At an instant: who has run its time ends, plans are updated where that was earlier than expected,
who has come is planned, who is due starts, and the plan is searched if the last search is long
enough ago; who is due by that starts too.

What klusacek2016 leaves open is decided so:

- An update places each job after the one in front of it on its cluster, at the earliest time with
  room for it; two clusters' plans are independent, as the paper's lists are, and so are limits: a
  user's processors and long jobs' share count by cluster.
- Of clusters where a new job could start equally early it is planned on the first of the machine,
  behind all that start no later.
- A search is made where something happens, if the last one is so long ago, and whether or not
  anybody was planned then (`Search.timed` makes it a clock). A move draws a planned job among all,
  then one of its clusters after the other, and on each a place among all of its order.
- A move is kept if it gains more than 10^-9, not 0: less is rounding.
- Fairness counts users of whom a job has come. A job that has ended counts with its run time,
  others with their estimate.
- A job needs an estimate of at least its run time; what a log has otherwise is for cleaning.
- By node: a job takes as few nodes as hold its processors and its memory in equal shares, or as
  many as it asks for; the first nodes with room, by number, and stays on them as long as its start
  does not change.
- Orig-BF accrues what a user has used at every instant, by the dominant share of processors and
  memory of the whole machine, halves it whenever the clock comes to a multiple of 72 hours, and
  compares it in thousandths of a processor second. Running and ended jobs count, waiting jobs not.
- Marks are those of the paper's simulator: each node that a blocked job needs is marked on every
  node that suits it, and memory with processors. Two differences: a job never takes marked room,
  and a job that wants whole nodes marks whole nodes. By cluster, a cluster is one node. A job that
  a limit keeps from a cluster marks nothing there, as with limits of queues in the simulator.
- A cycle follows the production schedulers' loops: after one that has started a job the scheduler
  sleeps for the shorter time, else for the longer one. What has happened meanwhile is handled at
  once when it wakes up.
"""

from __future__ import annotations

from schedlab.core.jobs import Schedule
from schedlab.planning.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning


def simulate_plan(
    requests: Requests, machine: Machine, settings: Planning, seed: tuple[str | int, ...]
) -> Schedule:
    """Run jobs on a machine by its plan; the interpreter's lock is let go of meanwhile.

    Parameters
    ----------
    requests : Requests
        The jobs, submitted as they say.
    machine : Machine
        Its clusters.
    settings : Planning
        How it plans.
    seed : tuple of str and int
        Key of the random numbers of its searches.

    Returns
    -------
    Schedule
        As of `schedlab.planning.sessions.PlanSession.schedule`.

    Raises
    ------
    ValueError
        A job can never run on the machine within the limits; the message names job and field.

    Examples
    --------
    The second job waits until the first was to end, and starts when it has ended:

    >>> from schedlab.core.jobs import Jobs
    >>> jobs = Jobs([1, 2], [0, 0], [50, 20], [100, 20], [3, 2])
    >>> found = simulate_plan(Requests(jobs, user=[1, 2]), Machine.plain(4), Planning(), ("x", 1))
    >>> found.start.tolist(), found.end.tolist()
    ([0, 50], [50, 70])
    """
    session = PlanSession(machine, settings, seed)
    session.submit(requests)
    session.advance()
    return session.schedule()

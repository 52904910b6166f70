"""Simulation of a machine that works by its plan, over jobs that come when they come."""

from __future__ import annotations

from schedlab.planning.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession, Result
from schedlab.planning.settings import Planning


def simulate_plan(
    requests: Requests, machine: Machine, settings: Planning, seed: tuple[str | int, ...]
) -> Result:
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
    Result

    Raises
    ------
    ValueError
        A job can never run on the machine within the limits; the message names job and field.

    Examples
    --------
    The second job waits until the first was to end, and starts when it has ended:

    >>> from schedlab.jobs import Jobs
    >>> jobs = Jobs([1, 2], [0, 0], [50, 20], [100, 20], [3, 2])
    >>> found = simulate_plan(Requests(jobs, user=[1, 2]), Machine.plain(4), Planning(), ("x", 1))
    >>> found.schedule.start.tolist(), found.schedule.end.tolist()
    ([0, 50], [50, 70])
    """
    session = PlanSession(machine, settings, seed)
    session.submit(requests)
    session.advance()
    return session.result()

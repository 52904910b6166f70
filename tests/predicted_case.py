"""The predicted start of a job on equal processors, by the twin of a site's Slurm."""

from __future__ import annotations

from itertools import count, islice

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.slurm_site import Scheduling
from schedlab.queue.slurm import problem_of_processors
from schedlab.queue.slurm_site import Phases
from twins.slurm_site import Controller

#: limit of every running job: they started so long before their ends
LIMIT = 3600


def predicted_start(
    free: int, procs: int, ends: list[tuple[int, int]], now: int, **parameters: int
) -> int | None:
    """Return when the job can start if running jobs reach their limits.

    `ends` has when the limit of each is, in seconds from `now`, and its processors that the job
    may use. One with none runs on another.
    """
    of_jobs = [max(given, 1) for _, given in ends] + [procs]
    size = len(of_jobs)
    jobs = Jobs(np.arange(size), *(np.full(size, each) for each in (0, LIMIT, LIMIT)), of_jobs)
    problem = problem_of_processors(
        free + sum(of_jobs), jobs, np.zeros(size), Scheduling(**parameters), 0
    )
    controller, nodes = Controller(problem, Phases()), count()
    usable = set(islice(nodes, free))
    for job, (end, given) in enumerate(ends):
        where = list(islice(nodes, of_jobs[job]))
        controller.put(job, dict.fromkeys(where, 1), now + end - LIMIT)
        usable |= set(where[:given])
    start, _ = controller.predict(controller.asked[problem.pair_class[-1]], usable, now)
    return start

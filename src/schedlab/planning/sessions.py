"""A machine with an execution plan, under external control: submit, advance to a time, read."""

import numpy as np
import pandas as pd

from schedlab.core.jobs import Schedule
from schedlab.core.machine import Machine
from schedlab.core.session import NEVER, Session
from schedlab.core.streams import generator
from schedlab.kernels.plan.plan_kept import KeptPlanner
from schedlab.kernels.plan.planning import ENDED, HELD, PENDING, RUNNING, WAITING
from schedlab.planning.fitting import fitting, long_most, spreads
from schedlab.planning.machine import clusters_of
from schedlab.planning.requests import Requests, shares
from schedlab.planning.settings import Planning

STATES = {HELD: "held", PENDING: "pending", WAITING: "waiting", RUNNING: "running", ENDED: "ended"}

#: largest estimate, and below it the largest submit time, in seconds, in the kernel
MOST = 2**31 - 2
LAST = 2**32


def name_criteria(criteria: tuple[float, ...]) -> dict[str, float]:
    """Return the criteria of a plan by name, from the kernel's order."""
    return dict(zip(("wait", "slowdown", "fairness", "response"), criteria, strict=True))


class PlanSession(Session):
    """One machine with an execution plan, simulated event by event.

    `seed` is the key of the random numbers of its searches, as in
    `schedlab.core.streams.generator`. The number of a search selects its stream.

    Examples
    --------
    >>> from schedlab.core.jobs import Jobs
    >>> session = PlanSession(Machine.of_processors(4), Planning(), ("example",))
    >>> jobs = Jobs([1, 2, 3], [0, 0, 10], [50, 20, 30], [100, 20, 30], [3, 2, 1])
    >>> session.submit(Requests(jobs, user=[7, 7, 8])).tolist()
    [0, 1, 2]
    >>> session.advance(until=10)
    >>> session.state(1), session.planned(1), session.state(2)
    ('waiting', 100, 'running')
    >>> session.advance(on_end=True)
    >>> session.now, [handles.tolist() for handles in session.read()]
    (40, [[0, 2], [2]])
    >>> session.advance()
    >>> session.schedule().start.tolist()
    [0, 50, 10]
    """

    kernel: KeptPlanner

    def __init__(self, machine: Machine, settings: Planning, seed: tuple[str | int, ...]) -> None:
        self.machine, self.settings = machine, settings
        search, limits = settings.search, settings.limits
        clusters = clusters_of(machine)
        cpus = np.array([cluster.processors for cluster in clusters], dtype=np.int32)
        nodes = [(one.nodes, one.kind.cpus, one.kind.memory or 1) for one in clusters]
        self._users: dict[int, int] = {}
        self.kernel = KeptPlanner(
            cpus,
            long_most(machine, limits),
            NEVER if limits.long is None else limits.long,
            min(limits.user or MOST, MOST),
            np.array(search.weights),
            search.tau,
            search.iterations,
            search.every,
            search.timed,
            int(generator(*seed).integers(2**64, dtype=np.uint64)),
            settings.half_life if settings.scheduler == "orig-bf" else 0,
            64,
            nodes if settings.mode == "nodes" else None,
            search.rule,
            search.choose,
            search.scope == "cluster",
            settings.marks,
            *(settings.cycle or (0, 0)),
        )

    def submit(self, requests: Requests, held: bool = False) -> np.ndarray:
        """Submit jobs at their submit times; return their handles, int32 of shape (n,).

        Jobs are submitted now or later. Jobs submitted at the present time, after the session has
        advanced to it, are handled in a further cycle of the same instant. Held jobs wait for their
        release: with a user behavior model, all jobs that may ever be submitted are checked and
        copied once. Raises ValueError, with job and field, if a job is submitted in the past, is
        too wide for every cluster that it may use, or can never run within the limits.
        """
        jobs = requests.jobs
        for bad, why in (
            (
                ~np.bool_(held) & (jobs.submit < self.now),
                f"is submitted before the present time {self.now}",
            ),
            (jobs.submit > LAST, f"submit is above {LAST} s"),
            (jobs.estimate > MOST, f"estimate is above {MOST} s"),
        ):
            if bad.any():
                raise ValueError(f"job {jobs.number[np.flatnonzero(bad)[0]]}: {why}")
        allowed, refused = fitting(requests, self.machine, self.settings)
        for row in refused:
            raise ValueError(f"job {row.number}: {row.field} {row.value} {row.why}")
        for user in requests.user.tolist():
            self._users.setdefault(user, len(self._users))
        return self.kernel.submit(
            jobs.submit,
            jobs.runtime,
            jobs.estimate,
            jobs.procs.astype(np.int32),
            np.array([self._users[user] for user in requests.user.tolist()], dtype=np.int32),
            shares(requests, self.machine),
            allowed,
            requests.queue,
            spreads(requests, self.machine) if self.settings.mode == "nodes" else None,
            held,
        )

    def release(self, job: int, at: int | None = None) -> None:
        """Submit a held job, now or at a later time.

        Raises ValueError if it was not held or is already released, or the time is in the past.
        """
        at = self.now if at is None else at
        if at < self.now or at > LAST:
            raise ValueError(
                f"job {job}: cannot be submitted at {at}: not from {self.now} to {LAST}"
            )
        if not self.kernel.release(self._check_handle(job), at):
            raise ValueError(f"job {job} is not held: it has been submitted before")

    def _advance_to(self, until: int, on_end: bool) -> None:
        self.kernel.advance(until, on_end)

    def state(self, job: int) -> str:
        """Return the state of a job: held, pending, waiting, running or ended."""
        return STATES[self.kernel.state(self._check_handle(job))]

    def planned(self, job: int) -> int | None:
        """Return the planned start of a waiting job; None for other jobs, or without a plan."""
        start = self.kernel.start(self._check_handle(job))
        return start if self.state(job) == "waiting" and start >= 0 else None

    def planned_jobs(self) -> list[np.ndarray]:
        """Return handles of the jobs planned on each cluster, in order."""
        return [self.kernel.order(place) for place in range(len(self.machine.clusters))]

    def criteria(self) -> dict[str, float]:
        """Return mean wait, slowdown, response and unfairness of the plan; nan without a plan."""
        return name_criteria(self.kernel.measure())

    def schedule(self) -> Schedule:
        """Return the schedule until now: start and end, -1 if it has not happened.

        Its extras are:

        - ``cluster``: the place in the machine of each job's cluster, int32 of shape (n,).
        - ``moves``: a DataFrame with a row for each accepted move of Random Search: ``time``; the
          relative change of ``wait``, ``slowdown``, ``fairness`` and ``response`` (more is better),
          and their weighted sum ``gain``; ``iteration`` of its search, ``job`` (its handle),
          cluster of ``origin`` and of ``target``, and ``place`` in the order of the latter.
        - ``counts``: a dict of searches with planned jobs, their iterations, moves that had to be
          evaluated, accepted moves, updates of a cluster, and the largest number of planned jobs.
        """
        start, end, cluster = self.kernel.columns()
        moves = pd.DataFrame(self.kernel.moves())
        extras = {"cluster": cluster, "moves": moves, "counts": self.kernel.counts()}
        return Schedule(start, end, extras)

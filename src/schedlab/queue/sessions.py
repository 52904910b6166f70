"""A queue that is driven from outside: submit, cancel, advance to a time, read the state."""

from __future__ import annotations

import numpy as np

from schedlab.jobs import Jobs, Schedule
from schedlab.kernels.stepped import (
    CANCELLED,
    ENDED,
    PENDING,
    RUNNING,
    WAITING,
    Stepper,
)
from schedlab.policies import Policy
from schedlab.queue.dialects import DIALECTS, Dialect
from schedlab.queue.reservations import (
    Compression,
    Reservations,
    check_estimates,
    check_every,
    planner,
    settle,
)

STATES = {
    PENDING: "pending",
    WAITING: "waiting",
    RUNNING: "running",
    ENDED: "ended",
    CANCELLED: "cancelled",
}


#: the most processors, and seconds of a run time or an estimate, that the kernels count with
MOST = 2**31 - 2
#: a waiting time that no job reaches, in seconds
NEVER = 2**63 - 1


def _check_size(processors: int) -> None:
    if not 1 <= processors <= MOST:
        raise ValueError(f"the machine has {processors} processors, must have 1 to {MOST}")


def check_machine(jobs: Jobs, processors: int) -> None:
    """See that a machine can run the jobs.

    Raises
    ------
    ValueError
        A job needs more processors than the machine has, or a number is out of range.
    """
    _check_size(processors)
    bounds = {"procs": processors, "runtime": MOST, "estimate": MOST, "submit": 2**32}
    for name, most in bounds.items():
        column = getattr(jobs, name)
        if (bad := np.flatnonzero(column > most)).size:
            job, value = jobs.number[bad[0]], column[bad[0]]
            if name == "procs":
                raise ValueError(
                    f"job {job} needs {value} processors, the machine has {processors}"
                )
            raise ValueError(f"job {job}: {name} is {value} s, must be at most {most}")


def patience(threshold: int | None) -> int:
    """The starvation threshold as the kernels take it: without one nobody waits that long."""
    return NEVER if threshold is None else min(threshold, NEVER)


class QueueSession:
    """One machine, one queue, event by event.

    Parameters
    ----------
    processors : int
        Size of the machine.
    policy : Policy
        Primary order; a general one only with reservations of every job.
    backfill : Policy, optional
        Order of backfilling, where the head of the queue has a reservation; the primary one by
        default.
    dialect : Dialect
        A plain one; the full dialect by default.
    head : int
        The first jobs submitted start strictly in order of submission before any other job.
    threshold : int, optional
        Starvation threshold in seconds, as in `schedlab.queue.simulation.Run`.
    room : int
        How many jobs to make room for at first; there is no limit.
    reservations : {"none", "head", "every"}, optional
        Who has a reservation, as in `schedlab.queue.simulation.Run`.
    compression : {"none", "completion", "instant"}, optional
        As in `schedlab.queue.simulation.Run`. What is cancelled lets waiting jobs be planned anew
        too, when the session is advanced next.

    Raises
    ------
    ValueError
        A policy's scores move neither not at all nor along lines, the dialect is not plain, or what
        is said of reservations contradicts itself.

    Examples
    --------
    >>> from schedlab.policies import get
    >>> session = QueueSession(4, get("fcfs"), backfill=get("fcfs"))
    >>> first = session.submit(runtime=100, procs=3)
    >>> second = session.submit(runtime=50, procs=2)
    >>> session.advance(10)
    >>> session.state(second), session.free
    ('waiting', 1)
    >>> session.cancel(first)
    True
    >>> session.advance(10)
    >>> session.state(second)
    'running'
    """

    def __init__(
        self,
        processors: int,
        policy: Policy,
        backfill: Policy | None = None,
        dialect: Dialect = DIALECTS["full"],
        head: int = 0,
        threshold: int | None = None,
        room: int = 64,
        reservations: Reservations | None = None,
        compression: Compression | None = None,
    ) -> None:
        settled = settle(reservations, compression, policy, backfill)
        self.reservations, backfill = settled.reservations, settled.backfill
        self._policies = (policy, backfill or policy)
        self.processors = processors
        self._head = head
        if self.reservations == "every":
            check_every(dialect, head, threshold)
            _check_size(processors)
            self._stepper = planner(processors, policy, settled.compression, dialect, room)
            return
        for one in self._policies:
            if one.order == "general":
                raise ValueError(
                    f"policy '{one.name}' moves neither not at all nor along lines in time; "
                    "it can be simulated, but not stepped"
                )
        if not dialect.plain:
            raise ValueError(f"dialect {dialect.name} can be simulated, but not stepped")
        _check_size(processors)
        self._stepper = Stepper(
            processors,
            backfill is not None,
            backfill is None or backfill == policy,
            [one.order == "linear" for one in self._policies],
            [one.fresh == "divisor" for one in self._policies],
            [one.reverse for one in self._policies],
            [one.pace for one in self._policies],
            [one.pace_scale for one in self._policies],
            dialect.ties == "lifo",
            head,
            patience(threshold),
            room,
        )

    def submit(
        self, runtime: int, procs: int, estimate: int | None = None, at: int | None = None
    ) -> int:
        """Submit one job; return its handle.

        Parameters
        ----------
        runtime, procs : int
            Seconds and processors.
        estimate : int, optional
            What the scheduler decides on, in seconds; the run time by default.
        at : int, optional
            When it is submitted; now by default.
        """
        at = self.now if at is None else at
        estimate = runtime if estimate is None else estimate
        return int(self.submit_jobs(Jobs([0], [at], [runtime], [estimate], [procs]))[0])

    def submit_jobs(self, jobs: Jobs) -> np.ndarray:
        """Submit jobs at their submit times; return their handles, int32 of shape (n,).

        Parameters
        ----------
        jobs : Jobs
            None of them submitted before the present time.

        Raises
        ------
        ValueError
            A job is submitted in the past, is wider than the machine, has an estimate of 0 (with
            reservations of every job: below its run time), or a score that orders nothing.
        """
        check_machine(jobs, self.processors)
        for bad, why in (
            (jobs.submit < self.now, f"is submitted before the present time {self.now}"),
            (jobs.estimate == 0, "has an estimate of 0 s"),
        ):
            if bad.any():
                raise ValueError(f"job {jobs.number[np.flatnonzero(bad)[0]]} {why}")
        columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
        if self.reservations == "every":
            check_estimates(jobs)
            return self._stepper.submit(*columns, self._policies[0].scores(jobs))
        scores, divisors = [], []
        for policy in self._policies:
            score, divisor = np.zeros(len(jobs)), np.ones(len(jobs), dtype=np.int64)
            if policy.order != "linear":
                score = policy.scores(jobs, self._head)
            else:
                divisor = policy.divisors(jobs.procs)
            score[: self._head], divisor[: self._head] = -np.inf, 0
            scores.append(score)
            divisors.append(divisor)
        self._head = max(self._head - len(jobs), 0)
        return self._stepper.submit(*columns, scores, divisors)

    def cancel(self, job: int) -> bool:
        """Take a job back; a running one ends now. False if it had ended already."""
        return self._stepper.cancel(self._known(job))

    def advance(self, until: int | None = None, on_end: bool = False) -> None:
        """Handle every event up to and including the time `until`, or all of them.

        Parameters
        ----------
        until : int, optional
            The clock then stands there.
        on_end : bool, default False
            Stop after the first instant at which a job has ended; the clock then stands there. Not
            with reservations of every job.

        Raises
        ------
        ValueError
            `until` lies in the past.
        schedlab.policies.expression.ScoreError
            A policy that moves has a score that orders nothing; the message names the handle.
        """
        if until is not None and until < self.now:
            raise ValueError(f"cannot go back from {self.now} to {until}")
        if self.reservations != "every":
            self._stepper.advance(NEVER if until is None else until, on_end)
            return
        if on_end:
            self._refuse("stopped where a job ends")
        faulty = self._stepper.advance() if until is None else self._stepper.advance(until)
        if faulty >= 0:
            submit, estimate, procs = self._stepper.job(faulty)
            job = Jobs([faulty], [submit], [0], [estimate], [procs])
            self._policies[0].scores(job, wait=self.now - submit)

    def next_event(self) -> int | None:
        """When something happens next; None when nothing is left to happen.

        As `read`, not with reservations of every job: `schedlab.planning.sessions` has these.
        """
        if self.reservations == "every":
            self._refuse("asked for its next event")
        return self._stepper.next_event()

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Handles of jobs that have started, and that have ended, since this was read last."""
        if self.reservations == "every":
            self._refuse("read by its starts and ends")
        return self._stepper.read()

    def _refuse(self, what: str) -> None:
        raise ValueError(
            f"a queue with reservations of every job cannot be {what}: take a PlanSession without "
            "search"
        )

    def _known(self, job: int) -> int:
        """Return the handle of a job that was submitted here."""
        if not 0 <= job < self._stepper.submitted:
            raise IndexError(f"no job has the handle {job}: {self._stepper.submitted} submitted")
        return job

    @property
    def now(self) -> int:
        """The present time in seconds."""
        return self._stepper.now

    @property
    def free(self) -> int:
        """Processors that are free."""
        return self._stepper.free

    def state(self, job: int) -> str:
        """What a job is: pending, waiting, running, ended or cancelled."""
        return STATES[self._stepper.state(self._known(job))]

    def reservation(self, job: int) -> int | None:
        """When a waiting job is to start as planned now; None for others and where none has one.

        Only with reservations of every job; the head's alone moves with whoever is the head.
        """
        if self.state(job) != "waiting" or self.reservations != "every":
            return None
        return self._stepper.planned_start(job)

    def schedule(self) -> Schedule:
        """Start and end of every job, -1 where it has not come to that."""
        return Schedule(*self._stepper.columns()[1:])

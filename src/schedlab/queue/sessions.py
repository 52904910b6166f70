"""A queue that is driven from outside: submit, cancel, depend, advance to a time, read, fork."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.session import NEVER
from schedlab.kernels.queue.driven import IS_LATE, IS_NOT_HERE
from schedlab.kernels.queue.stepped import Stepper
from schedlab.policies import Policy, get
from schedlab.queue.bounds import (
    check_estimated,
    check_machine,
    check_running,
    check_size,
    check_waiting,
    patience,
)
from schedlab.queue.dialects import DIALECTS, Dialect
from schedlab.queue.past import Past
from schedlab.queue.reservations import (
    Compression,
    Reservations,
    accepts_every,
    check_estimates,
    planner,
    settle,
)
from schedlab.queue.stepping import places, stepper
from schedlab.queue.views import View

#: scores that a part of a simulation computes: some tenths of a second
PART = 1 << 22


class QueueSession(View):
    """One machine, one queue, event by event.

    A job is pending until it is submitted, held while others must end before it, then waiting,
    running, and at last ended or cancelled. A session is for one thread at a time; its copies go
    their own ways, in any threads.

    Parameters
    ----------
    processors : int
        Size of the machine.
    policy : Policy or None
        Primary order, which is no function of Python. None: the session starts no job by itself;
        `start_jobs` does, and what it does not start waits.
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
        The dialect is not plain, a policy is a function of Python, what is said of reservations
        contradicts itself, or there are reservations without a policy.

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

    What if a job came now? The copy is asked, and the queue knows nothing of it:

    >>> what_if = session.fork(observed=True)
    >>> wide = what_if.submit(runtime=5, procs=3)
    >>> what_if.planned(wide), session.schedule().start.tolist()
    (60, [0, 10])
    """

    def __init__(
        self,
        processors: int,
        policy: Policy | None,
        backfill: Policy | None = None,
        dialect: Dialect = DIALECTS["full"],
        head: int = 0,
        threshold: int | None = None,
        room: int = 64,
        reservations: Reservations | None = None,
        compression: Compression | None = None,
    ) -> None:
        self._manual = policy is None
        if self._manual:
            _check_manual(backfill, head, threshold, reservations)
            policy = get("fcfs")
        for one in (policy, backfill):
            if one and one.order == "function":
                raise ValueError(
                    f"policy '{one.name}' is a Python function, which a session cannot call: give "
                    "None and start jobs with start_jobs"
                )
        settled = settle(reservations, compression, policy, backfill)
        self.reservations, backfill = settled.reservations, settled.backfill
        self._policies = (policy, backfill or policy)
        self.processors = processors
        self._head, self._first = head, head
        self._past = Past()
        self._numbers: np.ndarray | None = None
        check_size(processors)
        if self.reservations == "every":
            if why := accepts_every(dialect, head, threshold):
                raise ValueError(why)
            self.kernel = planner(processors, policy, settled.compression, dialect, room)
            return
        if not dialect.plain:
            raise ValueError(f"dialect {dialect.name} can be simulated, but not stepped")
        self.kernel = stepper(
            *(
                processors,
                policy,
                backfill,
                dialect.ties == "lifo",
                head,
                patience(threshold),
                room,
            ),
            manual=self._manual,
        )

    def name_jobs(self, numbers: np.ndarray) -> None:
        """Let messages name jobs by these numbers in place of their handles."""
        self._numbers = numbers

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
        if (past := np.flatnonzero(jobs.submit < self.now)).size:
            raise ValueError(
                f"job {jobs.number[past[0]]} is submitted before the present time {self.now}"
            )
        return self._submit(jobs)

    def submit_waiting(self, jobs: Jobs) -> np.ndarray:
        """Submit jobs that wait already: a queue that is not empty; return their handles.

        They come to the queue together, now: where every job has a reservation they are planned in
        the order of the policy. Their waits count from when they were submitted.

        Parameters
        ----------
        jobs : Jobs
            n jobs, submitted before the present time or now.

        Raises
        ------
        ValueError
            A job is submitted later, or is none that could be submitted.
        """
        check_waiting(jobs, self.now)
        return self._submit(jobs)

    def _submit(self, jobs: Jobs) -> np.ndarray:
        self._check_jobs(jobs)
        columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
        waited = np.maximum(self.now - jobs.submit, 0)
        if self.reservations == "every":
            return self.kernel.submit(*columns, self._policies[0].scores(jobs, wait=waited))
        orders = places(self._policies, jobs, self._head, waited)
        self._head = max(self._head - len(jobs), 0)
        return self.kernel.submit(*columns, *orders)

    def _check_jobs(self, jobs: Jobs) -> None:
        check_machine(jobs, self.processors)
        check_estimated(jobs)
        if self.reservations == "every":
            check_estimates(jobs)

    def submit_running(self, jobs: Jobs, started: Sequence[int] | np.ndarray) -> np.ndarray:
        """Submit jobs that run already: a machine that is not empty; return their handles.

        Parameters
        ----------
        jobs : Jobs
            n jobs, submitted before the present time or now, with their whole run times and
            estimates.
        started : array_like of int, shape (n,)
            When each of them started, in seconds, before 0 or not. `read` does not tell them.

        Raises
        ------
        ValueError
            A job started before it was submitted, has not started or has ended by now, or is none
            that could be submitted; there are not as many processors free, jobs wait, or the first
            jobs are to start in order.
        """
        self._check_jobs(jobs)
        started = check_running(jobs, started, self.now, self.free)
        if len(self.handles("waiting")):
            raise ValueError("jobs wait: who runs already is submitted before anybody waits")
        if self._first:
            raise ValueError(f"head is {self._first}: no job runs before the first ones in order")
        # they stand in no order
        still, one = np.zeros(len(jobs)), np.ones(len(jobs), dtype=np.int64)
        orders = [still] if self.reservations == "every" else [[still, still], [one, one]]
        columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
        handles = self.kernel.submit(*columns, *orders)
        if len(handles):
            self.kernel.occupy(handles[0], started)
        return handles

    def depend(self, jobs: int | Sequence[int], on: int | Sequence[int]) -> None:
        """Let jobs start only after others are over; waits count from submission all the same.

        A job that was submitted is held until the last of those it depends on has ended or was
        cancelled, and comes to the queue at that instant, in the order that the policy gives it.
        Whoever is over already holds up nobody.

        Parameters
        ----------
        jobs, on : int or array_like of int, shape (n,)
            Handles; the first depends on the first, and so on, or one on all or all on one.

        Raises
        ------
        IndexError
            A handle, of either, was never given out.
        ValueError
            A job has come to the queue already or is to start in order, or depends on one that is
            submitted no earlier; the message names both. Then nothing has changed.
        """
        handles, others = np.broadcast_arrays(self._handles(jobs), self._handles(on))
        for job, other in zip(handles.tolist(), others.tolist(), strict=True):
            self.state(other)
            if job < self._first:
                raise ValueError(
                    f"job {job} cannot depend on job {other}: it is one of the first "
                    f"{self._first}, which start in order of submission"
                )
        pair = (np.ascontiguousarray(column, dtype=np.int32) for column in (handles, others))
        if refused := self.kernel.depend(*pair):
            job, other, why = refused
            said = f"job {job} cannot depend on job {other}"
            if why in (IS_LATE, IS_NOT_HERE):
                raise ValueError(f"{said}: it is {self.state(job)} already")
            raise ValueError(f"{said}, which is submitted no earlier")

    def start_jobs(self, jobs: int | Sequence[int]) -> None:
        """Start waiting jobs now, in a session without a policy.

        Parameters
        ----------
        jobs : int or array_like of int, shape (n,)
            Handles; each is started in turn.

        Raises
        ------
        IndexError
            A handle was never given out.
        ValueError
            The session has a policy, a job does not wait, or it needs more processors than are
            free; the message names it, and the jobs before it have started.

        Examples
        --------
        >>> session = QueueSession(4, None)
        >>> jobs = [session.submit(runtime=9, procs=procs) for procs in (3, 2)]
        >>> session.advance(0)
        >>> session.start_jobs(jobs[1])
        >>> session.handles("waiting").tolist(), session.free, session.next_event()
        ([0], 2, 9)
        """
        if not self._manual:
            raise ValueError("the session has a policy, which starts jobs: give None in its place")
        for job in self._handles(jobs).tolist():
            if (state := self.state(job)) != "waiting":
                raise ValueError(f"job {job} cannot start: it is {state}")
            if (procs := self.kernel.job(job)[2]) > self.free:
                raise ValueError(f"job {job} needs {procs} processors, {self.free} are free")
            self.kernel.begin_now(job)

    def cancel(self, job: int) -> bool:
        """Take a job back; a running one ends now. False if it was over already."""
        self.state(job)
        return self.kernel.cancel(job)

    def fork(self, observed: bool = False) -> Self:
        """Return a copy that goes its own way; neither ever changes the other.

        It costs a copy of the jobs that wait, run or are to come; those that are over are shared.

        Parameters
        ----------
        observed : bool, default False
            The copy is what an observer of the queue can foresee: jobs run as long as their
            estimates say (who runs longer already is over in a second), and those whose submission
            is still to come are not known there.
        """
        self._past = self._past.joined(self.kernel.record())
        twin = copy(self)
        twin.kernel = self.kernel.fork(observed)
        return twin

    def advance_watching(self, first: int, until: int) -> None:
        """Handle events up to the first instant that concerns a job or one submitted after it.

        It does where one of them starts or ends.

        Parameters
        ----------
        first : int
            Handle.
        until : int
            Where the clock stands at the latest; where nothing concerns them until then, it does.

        Raises
        ------
        ValueError
            `until` lies in the past, or every job has a reservation.
        schedlab.policies.expression.ScoreError
            As `advance`.
        """
        if self.reservations == "every":
            raise ValueError("jobs cannot be watched where every job has a reservation")
        self._advance(self.kernel, self._not_past(until), watched=first)

    def advance_part(self, most_scores: int = PART) -> bool:
        """Handle events until so many scores are computed; return whether an event is left.

        A caller that advances a deep queue in parts can show progress, and Ctrl-C ends it between
        two parts. Only an order that scores all waiting jobs at every event has several parts.

        Parameters
        ----------
        most_scores : int
            After the event with this score the clock stands still; by default a part takes some
            tenths of a second.

        Raises
        ------
        schedlab.policies.expression.ScoreError
            As `advance`.
        """
        several = isinstance(self.kernel, Stepper)
        limits = {"most_scores": most_scores} if several else {}
        self._advance(self.kernel, NEVER, **limits)
        return self.next_event() is not None


def _check_manual(
    backfill: Policy | None, head: int, threshold: int | None, reservations: str | None
) -> None:
    """See that a session that decides nothing has no rule by which it would."""
    rules = {"backfill": backfill, "head": head or None, "threshold": threshold}
    rules["reservations"] = None if reservations == "none" else reservations
    if given := [name for name, value in rules.items() if value is not None]:
        raise ValueError(f"a session without a policy starts no job: {given[0]} has no meaning")

"""A queue that is driven from outside: submit, cancel, depend, advance to a time, read, fork."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np

from schedlab.jobs import Jobs, Schedule
from schedlab.kernels.driven import (
    CANCELLED,
    ENDED,
    HELD,
    IS_LATE,
    IS_NOT_HERE,
    PENDING,
    RUNNING,
    WAITING,
)
from schedlab.kernels.planned import Planner
from schedlab.kernels.stepped import Stepper
from schedlab.policies import Policy
from schedlab.queue.bounds import NEVER, check_machine, check_size, patience
from schedlab.queue.dialects import DIALECTS, Dialect
from schedlab.queue.past import Past
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
    HELD: "held",
    WAITING: "waiting",
    RUNNING: "running",
    ENDED: "ended",
    CANCELLED: "cancelled",
}
#: the start of a job that has none
NO_START = -1


class QueueSession:
    """One machine, one queue, event by event.

    A job is pending until it is submitted, held while others must end before it, then waiting,
    running, and at last ended or cancelled. A session is for one thread at a time; its copies go
    their own ways, in any threads.

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

    What if a job came now? The copy is asked, and the queue knows nothing of it:

    >>> what_if = session.fork(observed=True)
    >>> wide = what_if.submit(runtime=5, procs=3)
    >>> what_if.planned(wide), session.schedule().start.tolist()
    (60, [0, 10])
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
        self._head, self._first = head, head
        self._past = Past()
        if self.reservations == "every":
            check_every(dialect, head, threshold)
            check_size(processors)
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
        check_size(processors)
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
        if (past := np.flatnonzero(jobs.submit < self.now)).size:
            raise ValueError(
                f"job {jobs.number[past[0]]} is submitted before the present time {self.now}"
            )
        self._check_jobs(jobs)
        columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
        if self.reservations == "every":
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

    def _check_jobs(self, jobs: Jobs) -> None:
        check_machine(jobs, self.processors)
        if (bad := np.flatnonzero(jobs.estimate == 0)).size:
            raise ValueError(f"job {jobs.number[bad[0]]} has an estimate of 0 s")
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
        started = np.ascontiguousarray(started, dtype=np.int64)
        if started.shape != (len(jobs),):
            raise ValueError(f"{len(jobs)} jobs run, but started has the shape {started.shape}")
        self._check_jobs(jobs)
        for bad, why in (
            (started < jobs.submit, "started before it was submitted"),
            (started > self.now, f"has not started by the present time {self.now}"),
            (started + jobs.runtime <= self.now, f"has ended by the present time {self.now}"),
        ):
            if bad.any():
                raise ValueError(f"job {jobs.number[np.flatnonzero(bad)[0]]} {why}")
        if jobs.procs.sum() > self.free:
            raise ValueError(
                f"the running jobs have {jobs.procs.sum()} processors, {self.free} are free"
            )
        if (self._stepper.columns()[1] == WAITING).any():
            raise ValueError("jobs wait: who runs already is submitted before anybody waits")
        if self._first:
            raise ValueError(f"head is {self._first}: no job runs before the first ones in order")
        # they stand in no order
        still, one = np.zeros(len(jobs)), np.ones(len(jobs), dtype=np.int64)
        orders = [still] if self.reservations == "every" else [[still, still], [one, one]]
        columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
        handles = self._stepper.submit(*columns, *orders)
        if len(handles):
            self._stepper.occupy(handles[0], started)
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
            A job is none.
        ValueError
            A job has come to the queue already or is to start in order, or depends on one that is
            submitted no earlier; the message names both. Then nothing has changed.
        """
        pair = np.broadcast_arrays(np.atleast_1d(jobs), np.atleast_1d(on))
        handles, others = (np.array(column, dtype=np.int32) for column in pair)
        for job, other in zip(handles.tolist(), others.tolist(), strict=True):
            self._known(job)
            if not 0 <= other < self._stepper.submitted:
                raise ValueError(
                    f"job {job} cannot depend on job {other}, which has not been submitted"
                )
            if job < self._first:
                raise ValueError(
                    f"job {job} cannot depend on job {other}: it is one of the first "
                    f"{self._first}, which start in order of submission"
                )
        if refused := self._stepper.depend(handles, others):
            job, other, why = refused
            said = f"job {job} cannot depend on job {other}"
            if why in (IS_LATE, IS_NOT_HERE):
                raise ValueError(f"{said}: it is {self.state(job)} already")
            raise ValueError(f"{said}, which is submitted no earlier")

    def cancel(self, job: int) -> bool:
        """Take a job back; a running one ends now. False if it was over already."""
        self.state(job)
        return self._stepper.cancel(job)

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
        self._past = self._past.joined(self._stepper.record())
        twin = copy(self)
        twin._stepper = self._stepper.fork(observed)
        return twin

    def planned(self, job: int) -> int | None:
        """When a job would start if nothing else came and all ran as long as estimated.

        None where that never is: it was cancelled before it started, or depends on a job to come.
        As `planned_starts` otherwise.
        """
        start = int(self.planned_starts([job])[0])
        return None if start == NO_START else start

    def planned_starts(self, jobs: Sequence[int] | np.ndarray) -> np.ndarray:
        """When each of some jobs would start if nothing else came, as `planned`; -1: never.

        Parameters
        ----------
        jobs : array_like of int, shape (n,)
            Handles of jobs that have been submitted by now. Of those that have started it is when
            they did.

        Returns
        -------
        ndarray of int64, shape (n,)

        Raises
        ------
        ValueError
            The submission of a job is still to come.
        """
        handles = np.ascontiguousarray(jobs, dtype=np.int32)
        for job in handles.tolist():
            self._known(job)
        copied = self._stepper.fork(True)
        copied.ask(handles)
        self._advance(copied, NEVER, False)
        starts = copied.starts(handles)
        for k in np.flatnonzero(starts == NO_START).tolist():
            starts[k] = self._past_start(int(handles[k]), copied)
        return starts

    def _past_start(self, job: int, copied: Stepper | Planner) -> int:
        """Start of a job that has none in a copy for an observer."""
        if copied.state(job) >= 0:
            return NO_START
        if self.state(job) == "pending":
            raise ValueError(f"job {job} is still to come: its start cannot be planned")
        kept = self._past.find(job)
        return kept[1] if kept else int(self._stepper.starts(np.array([job], dtype=np.int32))[0])

    def advance(self, until: int | None = None, on_end: bool = False) -> None:
        """Handle every event up to and including the time `until`, or all of them.

        Parameters
        ----------
        until : int, optional
            The clock then stands there.
        on_end : bool, default False
            Stop after the first instant at which a job has ended; the clock then stands there.

        Raises
        ------
        ValueError
            `until` lies in the past.
        schedlab.policies.expression.ScoreError
            A policy that moves has a score that orders nothing; the message names the handle.
        """
        if until is not None and until < self.now:
            raise ValueError(f"cannot go back from {self.now} to {until}")
        self._advance(self._stepper, NEVER if until is None else until, on_end)

    def _advance(self, stepper: Stepper | Planner, until: int, on_end: bool) -> None:
        faulty = stepper.advance(until, on_end)
        if faulty >= 0:
            submit, estimate, procs = stepper.job(faulty)
            job = Jobs([faulty], [submit], [0], [estimate], [procs])
            self._policies[0].scores(job, wait=stepper.now - submit)

    def next_event(self) -> int | None:
        """When something happens next; None when nothing is left to happen."""
        return self._stepper.next_event()

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Handles of jobs that have started, and that have ended, since this was read last.

        A copy tells those since it was made.
        """
        return self._stepper.read()

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
        """What a job is: pending, held, waiting, running, ended or cancelled.

        Raises
        ------
        ValueError
            It is not known here: its submission was to come when a copy was made for an observer.
        """
        state = self._stepper.state(self._known(job))
        if state < 0:
            kept = self._past.find(job)
            if kept is None:
                raise ValueError(f"job {job} was still to come, which no observer knows")
            state = kept[0]
        return STATES[state]

    def start(self, job: int) -> int | None:
        """When a job started; None if it has not."""
        if self.state(job) not in ("running", "ended", "cancelled"):
            return None
        kept = self._past.find(job)
        start = kept[1] if kept else int(self._stepper.starts(np.array([job], dtype=np.int32))[0])
        return None if start == NO_START else int(start)

    def reservation(self, job: int) -> int | None:
        """When a waiting job is to start as planned now; None for others and where none has one.

        Only with reservations of every job; the head's alone moves with whoever is the head.
        """
        if self.state(job) != "waiting" or self.reservations != "every":
            return None
        return self._stepper.planned_start(job)

    def schedule(self) -> Schedule:
        """Start and end of every job, -1 where it has not come to that."""
        handles, _, start, end = self._stepper.columns()
        if len(handles) == self._stepper.submitted:
            return Schedule(start, end)
        starts, ends = np.full((2, self._stepper.submitted), NO_START, dtype=np.int64)
        self._past.fill(starts, ends)
        starts[handles], ends[handles] = start, end
        return Schedule(starts, ends)

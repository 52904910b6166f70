"""A queue under external control: submit, cancel, depend, advance to a time, read, fork."""

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.session import NEVER
from schedlab.kernels.queue.driven import IS_LATE, IS_NOT_HERE
from schedlab.kernels.queue.planned import Planner
from schedlab.policies import Policy, get
from schedlab.queue.dialects import DIALECTS, Dialect
from schedlab.queue.finished_jobs import FinishedJobs
from schedlab.queue.limits import (
    check_estimated,
    check_machine,
    check_running,
    check_size,
    check_waiting,
    starvation_threshold,
)
from schedlab.queue.reservations import (
    Compression,
    Reservations,
    accepts_every,
    check_estimates,
    depth_of,
    planner,
    settle,
)
from schedlab.queue.stepper import places, stepper
from schedlab.queue.views import View

#: number of scores computed in one part of a simulation: some tenths of a second
PART = 1 << 22


class QueueSession(View):
    """One machine and one queue, simulated event by event.

    A job is pending until it is submitted, held while other jobs must end before it, then waiting,
    running, and finally ended or cancelled. Only one thread at a time may use a session; its
    copies are independent and may be used in other threads.

    Parameters
    ----------
    processors : int
        Size of the machine.
    policy : Policy, str or None
        Primary order or its name, not a Python function. With None, the session starts no job by
        itself; only `start_jobs` does, and other jobs wait.
    backfill : Policy or str, optional
        Order of backfilling if the queue head has a reservation; the primary order by default.
    dialect : Dialect
        A plain dialect; the full dialect by default.
    head : int
        Number of first jobs that start strictly in order of submission before any other job.
    threshold : int, optional
        Starvation threshold in seconds, as in `schedlab.queue.simulation.Run`.
    room : int
        Initial capacity in jobs; there is no limit.
    reservations : str or int, optional
        Which jobs have a reservation, as in `schedlab.queue.simulation.Run`.
    compression : {"none", "completion", "instant"}, optional
        As in `schedlab.queue.simulation.Run`. A cancellation also triggers replanning of waiting
        jobs, when the session advances next.

    Raises
    ------
    ValueError
        The dialect is not plain, a policy is a Python function, the reservation settings
        contradict each other, or there are reservations without a policy.

    Examples
    --------
    >>> session = QueueSession(4, "fcfs", backfill="fcfs")
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

    What if a job arrived now? Ask a copy; the queue itself does not change:

    >>> what_if = session.fork(observed=True)
    >>> wide = what_if.submit(runtime=5, procs=3)
    >>> what_if.planned(wide), session.schedule().start.tolist()
    (60, [0, 10])
    """

    def __init__(
        self,
        processors: int,
        policy: Policy | str | None,
        backfill: Policy | str | None = None,
        dialect: Dialect = DIALECTS["full"],
        head: int = 0,
        threshold: int | None = None,
        room: int = 64,
        reservations: Reservations | int | None = None,
        compression: Compression | None = None,
    ) -> None:
        self._manual = policy is None
        if policy is None:
            _check_manual(backfill, head, threshold, reservations)
            policy = "fcfs"
        policy = get(policy) if isinstance(policy, str) else policy
        backfill = get(backfill) if isinstance(backfill, str) else backfill
        for order in (policy, backfill):
            if order and order.order == "function":
                raise ValueError(
                    f"policy '{order.name}' is a Python function, which a session cannot call: "
                    "give None and start jobs with start_jobs"
                )
        self.reservations, backfill, compression = settle(
            reservations, compression, policy, backfill
        )
        self._policies = (policy, backfill or policy)
        self.processors = processors
        self._head, self._first = head, head
        self._past = FinishedJobs()
        self._numbers: np.ndarray | None = None
        check_size(processors)
        if self.reservations == "every":
            if why := accepts_every(dialect, head, threshold):
                raise ValueError(why)
            self.kernel = planner(processors, policy, compression, dialect, room)
            return
        if not dialect.plain:
            raise ValueError(f"dialect {dialect.name} can be simulated, but not stepped")
        lifo, waits = dialect.ties == "lifo", starvation_threshold(threshold)
        self.kernel = stepper(
            *(processors, policy, backfill, depth_of(self.reservations), lifo, head, waits, room),
            manual=self._manual,
        )

    def name_jobs(self, numbers: np.ndarray) -> None:
        """Set the numbers by which messages name jobs, instead of their handles."""
        self._numbers = numbers

    def close(self, closures: np.ndarray) -> None:
        """Close processors for a time, before any job is submitted.

        Parameters
        ----------
        closures : ndarray of int64, shape (n, 5)
            As from `schedlab.queue.closures.closures_of`.

        Raises
        ------
        ValueError
            Jobs are submitted.
        """
        self.kernel.close(closures)

    def submit(
        self, runtime: int, procs: int, estimate: int | None = None, at: int | None = None
    ) -> int:
        """Submit one job; return its handle.

        Parameters
        ----------
        runtime, procs : int
            Seconds and processors.
        estimate : int, optional
            Estimate that the scheduler uses, in seconds; the run time by default.
        at : int, optional
            Submit time; now by default.
        """
        at = self.now if at is None else at
        estimate = runtime if estimate is None else estimate
        return int(self.submit_jobs(Jobs([0], [at], [runtime], [estimate], [procs]))[0])

    def submit_jobs(self, jobs: Jobs) -> np.ndarray:
        """Submit jobs at their submit times; return their handles, int32 of shape (n,).

        Parameters
        ----------
        jobs : Jobs
            Jobs submitted now or later.

        Raises
        ------
        ValueError
            A job is submitted in the past, is wider than the machine, has an estimate of 0 (with
            reservations of every job: below its run time), or has a score without an order.
        """
        if (past := np.flatnonzero(jobs.submit < self.now)).size:
            raise ValueError(
                f"job {jobs.number[past[0]]} is submitted before the present time {self.now}"
            )
        return self._submit(jobs)

    def submit_waiting(self, jobs: Jobs) -> np.ndarray:
        """Submit jobs that already wait, for an initial queue; return their handles.

        They enter the queue together, now. If every job has a reservation, they are planned in the
        order of the policy. Their waits count from their submission.

        Parameters
        ----------
        jobs : Jobs
            n jobs, submitted now or earlier.

        Raises
        ------
        ValueError
            A job is submitted later, or is not valid.
        """
        check_waiting(jobs, self.now)
        return self._submit(jobs)

    def _submit(self, jobs: Jobs) -> np.ndarray:
        self._check_jobs(jobs)
        columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
        waited = np.maximum(self.now - jobs.submit, 0)
        if isinstance(self.kernel, Planner):
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
        """Submit jobs that already run, for an occupied machine; return their handles.

        Parameters
        ----------
        jobs : Jobs
            n jobs, submitted now or earlier, with their whole run times and estimates.
        started : array_like of int, shape (n,)
            Start time of each job, in seconds; may be negative. `read` does not report these
            starts.

        Raises
        ------
        ValueError
            A job started before it was submitted, has not started or has ended by now, or is not
            valid; too few processors are free, jobs wait, or the first jobs must start in order.
        """
        self._check_jobs(jobs)
        started = check_running(jobs, started, self.now, self.free)
        if len(self.handles("waiting")):
            raise ValueError("jobs wait: who runs already is submitted before anybody waits")
        if self._first:
            raise ValueError(f"head is {self._first}: no job runs before the first ones in order")
        # running jobs have no place in the orders
        score, divisor = np.zeros(len(jobs)), np.ones(len(jobs), dtype=np.int64)
        columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
        if isinstance(self.kernel, Planner):
            handles = self.kernel.submit(*columns, score)
        else:
            handles = self.kernel.submit(*columns, [score, score], [divisor, divisor])
        if len(handles):
            self.kernel.occupy(handles[0], started)
        return handles

    def depend(self, jobs: int | Sequence[int], on: int | Sequence[int]) -> None:
        """Make jobs depend on the end of others; their waits count from submission all the same.

        A submitted job is held until the last job that it depends on has ended or was cancelled.
        At that instant it enters the queue, at its place in the policy's order. A job that is
        already over holds no other job.

        Parameters
        ----------
        jobs, on : int or array_like of int, shape (n,)
            Handles; paired one to one, or one handle with all of the others.

        Raises
        ------
        IndexError
            A handle in `jobs` or `on` does not exist.
        ValueError
            A job is already in the queue or must start in order, or depends on one that is
            submitted no earlier. The message names both, and nothing has changed.
        """
        handles, blockers = np.broadcast_arrays(self._handles(jobs), self._handles(on))
        for job, blocker in zip(handles.tolist(), blockers.tolist(), strict=True):
            self.state(blocker)
            if job < self._first:
                raise ValueError(
                    f"job {job} cannot depend on job {blocker}: it is one of the first "
                    f"{self._first}, which start in order of submission"
                )
        pair = (np.ascontiguousarray(column, dtype=np.int32) for column in (handles, blockers))
        if refused := self.kernel.depend(*pair):
            job, blocker, why = refused
            refusal = f"job {job} cannot depend on job {blocker}"
            if why in (IS_LATE, IS_NOT_HERE):
                raise ValueError(f"{refusal}: it is {self.state(job)} already")
            raise ValueError(f"{refusal}, which is submitted no earlier")

    def start_jobs(self, jobs: int | Sequence[int]) -> None:
        """Start waiting jobs now, in a session without a policy.

        Parameters
        ----------
        jobs : int or array_like of int, shape (n,)
            Handles; the jobs are started in this order.

        Raises
        ------
        IndexError
            A handle does not exist.
        ValueError
            The session has a policy, a job does not wait, or it needs more processors than are
            free. The message names the job; the jobs before it have started.

        Examples
        --------
        >>> session = QueueSession(4, None)
        >>> jobs = [session.submit(runtime=9, procs=procs) for procs in (3, 2)]
        >>> session.advance(0)
        >>> session.start_jobs(jobs[1])
        >>> session.handles("waiting").tolist(), session.free, session.next_event()
        ([0], 2, 9)
        """
        if not self._manual or isinstance(self.kernel, Planner):
            raise ValueError("the session has a policy, which starts jobs: give None in its place")
        for job in self._handles(jobs).tolist():
            if (state := self.state(job)) != "waiting":
                raise ValueError(f"job {job} cannot start: it is {state}")
            if (procs := self.kernel.job(job)[2]) > self.free:
                raise ValueError(f"job {job} needs {procs} processors, {self.free} are free")
            self.kernel.begin_now(job)

    def cancel(self, job: int) -> bool:
        """Cancel a job; a running one ends now. Return False if it was already over."""
        self.state(job)
        return self.kernel.cancel(job)

    def fork(self, observed: bool = False) -> Self:
        """Return an independent copy; neither affects the other.

        The cost is a copy of the jobs that wait, run or are to come; finished jobs are shared.

        Parameters
        ----------
        observed : bool, default False
            The copy contains only what an observer of the queue can predict. Jobs run as long as
            their estimates (a job that already exceeds its estimate ends in a second), and jobs
            that are submitted in the future are unknown.
        """
        self._past = self._past.joined(self.kernel.record())
        twin = copy(self)
        twin.kernel = self.kernel.fork(observed)
        return twin

    def advance_watching(self, first: int, until: int) -> None:
        """Handle events up to the first start or end of a job or of one submitted after it.

        Parameters
        ----------
        first : int
            Handle of the first watched job.
        until : int
            Latest time of the clock, which it reaches if no such event happens before.

        Raises
        ------
        ValueError
            `until` is in the past, or every job has a reservation.
        schedlab.policies.expression.ScoreError
            As for `advance`.
        """
        if self.reservations == "every":
            raise ValueError("jobs cannot be watched where every job has a reservation")
        self._advance(self.kernel, self._not_past(until), watched=first)

    def advance_part(self, most_scores: int = PART) -> bool:
        """Handle events until a number of scores is computed; return whether an event is left.

        A caller can show progress between the parts of a deep queue, and Ctrl-C takes effect
        there. Only an order that scores all waiting jobs at every event has several parts.

        Parameters
        ----------
        most_scores : int
            The clock stops after the event with this score; by default a part takes some tenths of
            a second.

        Raises
        ------
        schedlab.policies.expression.ScoreError
            As for `advance`.
        """
        if isinstance(self.kernel, Planner):
            self._advance(self.kernel, NEVER)
        else:
            self._advance(self.kernel, NEVER, most_scores=most_scores)
        return self.next_event() is not None


def _check_manual(
    backfill: object, head: int, threshold: int | None, reservations: str | int | None
) -> None:
    """Check that a session without a policy has no scheduling rules."""
    rules: dict[str, object] = {"backfill": backfill, "head": head or None, "threshold": threshold}
    rules["reservations"] = None if reservations == "none" else reservations
    if set_rules := [name for name, value in rules.items() if value is not None]:
        raise ValueError(f"a session without a policy starts no job: {set_rules[0]} has no meaning")

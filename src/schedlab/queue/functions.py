"""Simulation of user-defined Python functions: scores in the kernels, or event-by-event decisions.

A score function gives the order; the kernels provide strict order, EASY's reservation and the plan
of conservative backfilling. A decision function starts jobs itself, in a step-by-step session. A
function is called when a job has arrived or ended and jobs wait while processors are free. With a
plan for every job, it is called when waiting jobs are replanned or several arrive at one instant.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from schedlab.files.progress import counted
from schedlab.policies.functions import Calls, FunctionPolicy, decides
from schedlab.policies.waiting_jobs import MachineState, WaitingJobs
from schedlab.queue.limits import starvation_threshold
from schedlab.queue.reservations import depth_of, planner
from schedlab.queue.sessions import QueueSession
from schedlab.queue.stepper import places, stepper

if TYPE_CHECKING:
    from schedlab.kernels.queue.planned import Planner
    from schedlab.kernels.queue.stepped import Stepper
    from schedlab.policies import Policy
    from schedlab.queue.simulation import Run

logger = logging.getLogger(__name__)

#: limit of consecutive decisions that leave an idle machine idle although jobs wait
IDLE_DECISIONS = 1000
#: progress is shown this many times per run, and logged at this interval in seconds
PARTS, LOGGED = 200, 30.0
_TO_COME, _WAITS, _RUNS, _ENDED = range(4)


def is_function(policy: Policy | None) -> TypeGuard[FunctionPolicy]:
    """Return whether a policy is a Python function."""
    return isinstance(policy, FunctionPolicy)


def accepts(run: Run) -> str | None:
    """Return why a run cannot use the functions that it names; None if it can.

    The dialect is not plain, or a decision function is combined with a reservation, an order of
    backfilling, a threshold or first jobs that start in order.
    """
    name = next(policy.name for policy in (run.policy, run.backfill) if is_function(policy))
    if not run.dialect.plain:
        return f"dialect {run.dialect.name} knows no functions of Python such as '{name}'"
    backfill = run.backfill if run.backfill != run.policy else None
    if backfill and decides(backfill):
        return f"'{backfill.name}' decides which jobs start: it is no order of backfilling"
    if decides(run.policy):
        for what, value in (
            ("backfill", backfill and backfill.name),
            ("reservations", None if run.reservations == "none" else run.reservations),
            ("threshold", run.threshold),
            ("head", run.head or None),
        ):
            if value is not None:
                return f"'{name}' decides which jobs start: {what} is {value}, must be left out"
    return None


def starts_by_scores(run: Run) -> np.ndarray:
    """Return start times under a score function, from the kernels; int64 of shape (n,)."""
    jobs = run.jobs
    policies = (run.policy, run.backfill or run.policy)
    same = policies[0] == policies[1]
    calls = [
        Calls(policy, jobs) if is_function(policy) else None for policy in policies[: 2 - same]
    ]
    scorers = [policy.scores if policy else None for policy in (calls[0], calls[-1])]
    columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
    kernel: Planner | Stepper
    if run.reservations == "every":
        kernel = planner(
            *(run.processors, run.policy, run.compression, run.dialect, len(jobs)), scorers[0]
        )
        kernel.submit(*columns, np.zeros(len(jobs)))
    else:
        lifo, waits = run.dialect.ties == "lifo", starvation_threshold(run.threshold)
        kernel = stepper(
            *(run.processors, run.policy, run.backfill, depth_of(run.reservations), lifo),
            *(run.head, waits, len(jobs)),
            scorers=scorers,
        )
        still = np.zeros(len(jobs), dtype=np.int64)
        kernel.submit(*columns, *places(policies, jobs, run.head, still))
    with _progress(run, *{id(policy): policy for policy in calls if policy}.values()) as arrived:
        for until in jobs.submit[:: max(len(jobs) // PARTS, 1)].tolist():
            _advance(run, kernel, until)
            arrived(int(np.searchsorted(jobs.submit, until, side="right")))
        _advance(run, kernel, None)
        arrived(len(jobs))
    return kernel.columns()[2]


def _advance(run: Run, kernel: Planner | Stepper, until: int | None) -> None:
    """Advance a kernel; if a score of another policy has no order, raise that policy's error."""
    faulty = kernel.advance() if until is None else kernel.advance(until)
    if faulty >= 0:
        wait = kernel.now - run.jobs.submit[faulty]
        for policy in (run.policy, run.backfill):
            if policy and not is_function(policy):
                policy.scores(run.jobs.take([faulty]), wait=wait)


def starts_by_decisions(run: Run) -> np.ndarray:
    """Return start times under a decision function; int64 of shape (n,).

    The loop is in Python: it costs about ten microseconds per decision, plus the function.
    """
    assert is_function(run.policy)
    jobs, calls = run.jobs, Calls(run.policy, run.jobs)
    session = QueueSession(run.processors, None, room=len(jobs))
    session.submit_jobs(jobs)
    state = np.full(len(jobs), _TO_COME, dtype=np.int8)
    started = np.full(len(jobs), -1, dtype=np.int64)
    low = arrived = idle = idle_since = 0
    with _progress(run, calls) as progress:
        while (now := session.next_event()) is not None:
            session.advance(now)
            _, ended = session.read()
            state[ended], started[ended] = _ENDED, -1
            first, arrived = arrived, int(np.searchsorted(jobs.submit, now, side="right"))
            state[first:arrived] = _WAITS
            while low < arrived and state[low] == _ENDED:
                low += 1
            progress(arrived)
            waits = low + np.flatnonzero(state[low:arrived] == _WAITS)
            if not len(waits) or not session.free:
                continue
            waiting = WaitingJobs(calls.table, waits, now)
            machine = MachineState(calls.table, now, run.processors, session.free, started)
            chosen = calls.decision(waiting, machine)
            if chosen or session.free < run.processors:
                idle = 0
            else:
                idle_since = idle_since if idle else now
                idle += 1
                if idle == IDLE_DECISIONS or session.next_event() is None:
                    raise calls.idle(waiting, idle_since, idle)
            session.start_jobs(chosen)
            state[chosen], started[chosen] = _RUNS, now
    return session.schedule().start


@contextmanager
def _progress(run: Run, *calls: Calls) -> Iterator[Callable[[int], None]]:
    """Show how many jobs have arrived: a progress bar on a terminal, or lines in the log."""
    count, begun = len(run.jobs), time.monotonic()
    name, step = run.policy.name, max(count // PARTS, 1)
    reported, logged = 0, begun

    def call_counts() -> str:
        number = sum(policy_calls.count for policy_calls in calls)
        seconds = time.monotonic() - begun
        return f"{number:,} calls, {number / max(seconds, 1e-9):,.0f} a second"

    with counted(f"jobs under {name}", count) as advance:

        def arrived(jobs: int) -> None:
            nonlocal reported, logged
            if jobs == reported or (jobs - reported < step and jobs < count):
                return
            advance(jobs - reported)
            reported = jobs
            if time.monotonic() - logged > LOGGED:
                logged = time.monotonic()
                logger.info("%s: %d of %d jobs have arrived; %s", name, jobs, count, call_counts())

        yield arrived
    logger.info("%s: %d jobs; %s", name, count, call_counts())

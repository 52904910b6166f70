"""From jobs to schedules: simulate one run, or many runs on threads."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.machine import Machine
from schedlab.files.progress import counted_and_logged
from schedlab.files.threads import over_threads
from schedlab.kernels.mixed.mixed import run_one_pass
from schedlab.kernels.queue.general import TIES, run_general
from schedlab.kernels.queue.whole import run_static
from schedlab.policies import Policy
from schedlab.policies.functions import decides
from schedlab.queue import choices, functions
from schedlab.queue.arrivals import table_walk
from schedlab.queue.closures import NO_CLOSURES, check_open, closures_of
from schedlab.queue.dialects import DIALECTS, Dialect
from schedlab.queue.functions import is_function, starts_by_decisions, starts_by_scores
from schedlab.queue.limits import check_estimated, check_machine, starvation_threshold
from schedlab.queue.reservations import (
    Compression,
    Reservations,
    accepts_every,
    check_estimates,
    depth_of,
    planner,
    settle,
)
from schedlab.queue.sessions import QueueSession
from schedlab.queue.site_dialect import accepts as site_accepts
from schedlab.queue.site_run import simulate_run
from schedlab.queue.slurm import accepts as slurm_accepts
from schedlab.queue.slurm import start_times

FULL = DIALECTS["full"]


@dataclass(frozen=True)
class Run:
    """Settings of one simulation.

    Parameters
    ----------
    jobs : Jobs
        Submit times from 0 on. Policies see the estimates; jobs end after their run times.
    machine : int or Machine
        Number of processors; or the machine, of which processors are counted. Its changes (drains,
        reservations, nodes that come later) are simulated in the plain dialects and in Slurm's.
    policy : Policy
        Primary order. With a Python function that decides which jobs start
        (`schedlab.policies.functions`), a run has no reservations, and no settings except jobs and
        machine.
    backfill : Policy, optional
        Order of backfilling if the queue head has a reservation; the primary order by default.
    dialect : Dialect
        Dialect; the full dialect by default.
    head : int
        Number of first jobs that start strictly in order of submission before any other job (the
        set S of carastan2017).
    threshold : int, optional
        Starvation threshold in seconds. Jobs that have waited longer, at the time of an event, go
        in front of all others in the primary order, by submission (legrand2018, section 5.2). The
        order of backfilling ignores the threshold, except for ties in the one-pass dialects. It is
        a setting of the run and not of the dialect, because an administrator chooses it.
    reservations : str or int, optional
        Which jobs have a reservation, see `schedlab.queue.reservations`.
    compression : {"none", "completion", "instant"}, optional
        When reservations for every job move up.

    Raises
    ------
    ValueError
        A job needs more processors than the machine has, times are out of range, the dialect or
        the reservations do not support a threshold, a head or an order of backfilling, or an
        estimate does not allow a reservation.
    """

    jobs: Jobs
    machine: int | Machine
    policy: Policy
    backfill: Policy | None = None
    dialect: Dialect = FULL
    head: int = 0
    threshold: int | None = None
    reservations: Reservations | None = None
    compression: Compression | None = None

    @property
    def processors(self) -> int:
        """Size of the machine."""
        return self.machine if isinstance(self.machine, int) else self.machine.processors

    @cached_property
    def closures(self) -> np.ndarray:
        """Processors that are closed for a time, as from `schedlab.queue.closures.closures_of`.

        Slurm's schedulers know nodes, and have none.
        """
        if isinstance(self.machine, int) or self.dialect.is_slurm:
            return NO_CLOSURES
        return closures_of(self.machine)

    def __post_init__(self) -> None:
        if not isinstance(self.machine, Machine):
            object.__setattr__(self, "machine", int(self.machine))
        if self.dialect.slurm and self.compression:
            raise ValueError(
                f"dialect {self.dialect.name} replans in every pass: there is no plan to "
                f"compress, compression is {self.compression}"
            )
        settled = settle(self.reservations, self.compression, self.policy, self.backfill)
        for name, value in zip(("reservations", "backfill", "compression"), settled, strict=True):
            object.__setattr__(self, name, value)
        if self.dialect.is_slurm:
            object.__setattr__(self, "compression", None)
        if self.threshold is not None and self.threshold < 0:
            raise ValueError(f"threshold is {self.threshold} s, must be at least 0")
        if self.head < 0:
            raise ValueError(f"head is {self.head}, must be at least 0")
        kernel = kernel_of(self)
        if why := kernel.accepts(self):
            raise ValueError(why)
        if kernel in (DECIDED, SCORED):
            check_estimated(self.jobs)
        if self.reservations == "every" and not self.dialect.is_slurm:
            check_estimates(self.jobs)
        check_machine(self.jobs, self.processors)
        check_open(self.jobs, self.processors, self.closures)
        if len(self.jobs) and self.jobs.submit[0] < 0:
            raise ValueError(
                f"job {self.jobs.number[0]} is submitted at {self.jobs.submit[0]}, before 0"
            )


def check_settings(**settings: Any) -> None:
    """Raise ValueError if `Run` refuses its settings, whatever the jobs are."""
    Run(Jobs([], [], [], [], []), 1, **settings)


def ranks(policy: Policy, jobs: Jobs, lifo: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the job at each rank of a static policy and the rank of each job, int32.

    Of equal jobs the first comes first, or if `lifo` the last.
    """
    job = np.arange(len(jobs), dtype=np.int32)[:: -1 if lifo else 1]
    job = job[np.argsort(policy.scores(jobs)[job], kind="stable")]
    rank = np.empty_like(job)
    rank[job] = np.arange(len(jobs), dtype=np.int32)
    return job, rank


def simulate(run: Run) -> Schedule:
    """Simulate one run with the fastest kernel that supports its dialect and policy.

    Returns
    -------
    Schedule
        int64 times, or float64 if the dialect has a dispatch latency. On a site's Slurm it is as
        from `schedlab.queue.site_run.simulate_site`.

    Raises
    ------
    schedlab.policies.expression.ScoreError
        A policy's score of a job has no order; the message names both.
    schedlab.policies.functions.SchedulerError
        A user-defined function failed; the message names it, the time and a job.

    Examples
    --------
    >>> import numpy as np
    >>> from schedlab.policies import get
    >>> jobs = Jobs([1, 2, 3], [0, 0, 0], [10, 10, 5], [10, 10, 5], [2, 3, 1])
    >>> simulate(Run(jobs, 3, get("fcfs"), backfill=get("fcfs"))).start.tolist()
    [0, 10, 0]
    >>> simulate(Run(jobs, 3, get("fcfs"), reservations="every")).start.tolist()
    [0, 10, 0]
    """
    if run.dialect.site:
        return simulate_run(run)
    start = kernel_of(run).starts(run)
    return Schedule(start, start + run.jobs.runtime)


def _columns(jobs: Jobs) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    return jobs.submit, jobs.runtime, jobs.estimate, jobs.procs


def static(run: Run) -> np.ndarray:
    """Return start times from the kernel for static orders (plain dialects only)."""
    backfill = None
    if run.backfill and run.backfill != run.policy:
        backfill = run.backfill.scores(run.jobs, run.head)
    return run_static(
        *_columns(run.jobs),
        run.processors,
        run.policy.scores(run.jobs, run.head),
        backfill,
        depth_of(run.reservations),
        run.head,
        starvation_threshold(run.threshold),
        run.dialect.ties == "lifo",
    )


def stepped(run: Run) -> np.ndarray:
    """Return start times from the kernel of sessions (plain dialects only).

    A deep queue that is rescored at every event takes long. It advances in parts, with a progress
    bar on a terminal and lines in the log.
    """
    session = session_of(run)
    session.name_jobs(run.jobs.number)
    session.close(run.closures)
    session.submit_jobs(run.jobs)
    if is_left := session.advance_part():
        with counted_and_logged(f"jobs under {run.policy.name}", len(run.jobs)) as advance:
            advance(len(session.read()[0]))
            while is_left:
                is_left = session.advance_part()
                advance(len(session.read()[0]))
    return session.schedule().start


def session_of(run: Run) -> QueueSession:
    """Return a session with the settings of a run, without its jobs."""
    return QueueSession(
        *(run.processors, run.policy, run.backfill, run.dialect, run.head, run.threshold),
        *(max(len(run.jobs), 1), run.reservations, run.compression),
    )


def planned(run: Run) -> np.ndarray:
    """Return start times from the kernel that plans every job."""
    jobs = run.jobs
    plan = planner(run.processors, run.policy, run.compression, run.dialect, len(jobs))
    plan.close(run.closures)
    plan.submit(*_columns(jobs), run.policy.scores(jobs))
    faulty = plan.advance()
    if faulty >= 0:
        run.policy.scores(jobs.take([faulty]), wait=plan.now - jobs.submit[faulty])
    return plan.columns()[2]


def slurm(run: Run) -> np.ndarray:
    """Return start times from the kernel that schedules as Slurm does."""
    return start_times(run, ranks(run.policy, run.jobs)[1])


def backfill_ranks(backfill: Policy, jobs: Jobs) -> tuple[np.ndarray, np.ndarray]:
    """Rank jobs by the order of backfilling, for the kernel `mixed`.

    Both are int32 of shape (n,).
    """
    job, _ = ranks(backfill, jobs, lifo=True)
    score = backfill.scores(jobs)[job]
    return job, np.cumsum(np.r_[False, score[1:] != score[:-1]], dtype=np.int32)[: len(job)]


def one_pass(run: Run) -> np.ndarray:
    """Return start times from the kernel of one-pass dialects, with the run's single policy."""
    jobs = run.jobs
    job = level = np.arange(len(jobs), dtype=np.int32)
    if run.backfill:
        job, level = backfill_ranks(run.backfill, run.jobs)
    walk = table_walk(jobs.number) if run.dialect.by_events else None
    moves = run.policy.order != "static"
    start, faulty, wait = run_one_pass(
        *_columns(jobs),
        run.processors,
        job,
        level,
        run.policy.program,
        np.zeros(len(jobs)) if moves else run.policy.scores(jobs)[job],
        run.backfill is not None,
        starvation_threshold(run.threshold),
        walk,
    )
    if faulty >= 0:
        run.policy.scores(jobs.take([faulty]), wait=wait)
    return start


def general(run: Run) -> np.ndarray:
    """Return start times from the general kernel, which supports every dialect and policy."""
    dialect = run.dialect
    start, faulty, wait = run_general(
        *_columns(run.jobs),
        run.processors,
        run.policy.program,
        (run.backfill or run.policy).program,
        run.backfill is not None,
        run.head,
        dialect.window or max(len(run.jobs), 1),
        dialect.latency,
        TIES[dialect.ties_for(run.policy.name)],
        dialect.shadow == "merged",
        dialect.extra,
        dialect.first_alone,
        starvation_threshold(run.threshold),
    )
    if faulty >= 0:
        for policy in (run.policy, run.backfill or run.policy):
            policy.scores(run.jobs.take([faulty]), wait=wait)
    return start if dialect.latency else start.astype(np.int64)


@dataclass(frozen=True)
class Kernel:
    """Kernel that simulates runs.

    `serves` returns whether a run is for this kernel; `accepts` returns None, or why it cannot
    simulate such a run; `starts` returns the start times of an accepted run.
    """

    serves: Callable[[Run], bool]
    accepts: Callable[[Run], str | None]
    starts: Callable[[Run], np.ndarray]


def _refuses_changes(run: Run, who: str) -> str | None:
    """Return why a run whose machine changes has no kernel; None if it does not change."""
    if not len(run.closures):
        return None
    return f"{who} has a machine that does not change; the plain dialects and slurm follow changes"


def _accepts_every(run: Run) -> str | None:
    return accepts_every(run.dialect, run.head, run.threshold)


def _accepts_function(run: Run) -> str | None:
    why = functions.accepts(run) or _refuses_changes(run, f"policy '{run.policy.name}'")
    return why or (_accepts_every(run) if run.reservations == "every" else None)


def _accepts_one_pass(run: Run) -> str | None:
    name = run.dialect.name
    if why := _refuses_changes(run, f"dialect {name}") or _refused_depth(run):
        return why
    if run.head:
        return f"dialect {name} does not support head={run.head} (first jobs that start in order)"
    if run.backfill and run.backfill.order != "static":
        return f"dialect {name} backfills in a static order, '{run.backfill.name}' moves"
    return None


def _refused_depth(run: Run) -> str | None:
    """Return why a kernel with no or one reservation cannot simulate a run; None if it can."""
    if run.reservations in ("none", "head"):
        return None
    if run.dialect.plain:
        check_estimated(run.jobs)
    return f"dialect {run.dialect.name} knows no reservations {run.reservations}: none or head"


def _accepts_general(run: Run) -> str | None:
    if why := _refuses_changes(run, f"dialect {run.dialect.name}"):
        return why
    if run.threshold is not None and not run.dialect.plain:
        return f"dialect {run.dialect.name} has no starvation threshold"
    return _refused_depth(run)


def _is_plain(run: Run) -> bool:
    return run.dialect.plain and bool(run.jobs.estimate.all())


def _stands_still(run: Run) -> bool:
    return all(policy.order == "static" for policy in (run.policy, run.backfill) if policy)


def _anything(run: Run) -> None: ...


DECIDED = Kernel(lambda run: decides(run.policy), _accepts_function, starts_by_decisions)
SCORED = Kernel(
    lambda run: is_function(run.policy) or is_function(run.backfill),
    _accepts_function,
    starts_by_scores,
)
SITE = Kernel(
    lambda run: run.dialect.site is not None, site_accepts, lambda run: simulate_run(run).start
)
SLURM = Kernel(lambda run: run.dialect.slurm is not None, slurm_accepts, slurm)
#: kernels, fastest first; the first that serves a run simulates it
KERNELS = (
    SITE,
    Kernel(choices.serves, choices.accepts, choices.starts),
    DECIDED,
    SCORED,
    SLURM,
    Kernel(lambda run: run.reservations == "every", _accepts_every, planned),
    Kernel(lambda run: run.dialect.one_pass, _accepts_one_pass, one_pass),
    Kernel(
        lambda run: _is_plain(run) and _stands_still(run) and not len(run.closures),
        _anything,
        static,
    ),
    Kernel(_is_plain, _anything, stepped),
    Kernel(lambda run: True, _accepts_general, general),
)


def kernel_of(run: Run) -> Kernel:
    """Return the fastest kernel that supports the run's dialect and policies."""
    return next(kernel for kernel in KERNELS if kernel.serves(run))


def simulate_many(runs: Iterable[Run], threads: int = 1) -> list[Schedule]:
    """Simulate independent runs on threads; the kernels release the interpreter lock.

    Parameters
    ----------
    runs : iterable of Run
        The runs; schedules are returned in their order.
    threads : int
        Number of runs at a time; the result does not depend on it.
    """
    return over_threads(simulate, runs, threads)

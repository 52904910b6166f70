"""From jobs that share nodes to schedules: simulate one run, or many runs on threads."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from schedlab.core.machine import Machine
from schedlab.cosched.arrays import (
    caller,
    group_arrays,
    rank_arrays,
    scheduler_numbers,
    speed_arrays,
)
from schedlab.cosched.machine import needs, node_of, share
from schedlab.cosched.schedulers import CoScheduler
from schedlab.cosched.speeds import check_speedups
from schedlab.files.threads import over_threads
from schedlab.kernels.nodes.nodes import run_nodes

_DTYPES = {
    "number": np.int64,
    "submit": np.float64,
    "app": np.int32,
    "procs": np.int64,
    "time": np.float64,
    "wall": np.float64,
    "estimate": np.float64,
}
#: limit on seconds and processes of a job: sums stay exact to less than a microsecond
_MOST = 2.0**31


@dataclass(frozen=True, eq=False)
class CoJobs:
    """Jobs of a pool's applications as a struct of arrays, in order of submission.

    Times are float64 seconds, because the speed of a job changes with its neighbors. Arrays have
    shape (n,); ties of submit time are in the order of the arrays. Raises ValueError if lengths
    differ or a value is out of range; the message names the field and the job.

    Parameters
    ----------
    number : array_like of int
        Job number.
    submit : array_like of float
        Submit time, at least 0, non-decreasing.
    app : array_like of int
        Index of the job's application in the pool.
    procs : array_like of int
        Processes, at least 1.
    time : array_like of float
        Run time alone on whole nodes, above 0.
    wall : array_like of float
        Wall time that the user requested, above 0, for backfilling. It is never enforced.
    estimate : array_like of float, optional
        Another time for orders; the wall time by default.
    """

    number: np.ndarray
    submit: np.ndarray
    app: np.ndarray
    procs: np.ndarray
    time: np.ndarray
    wall: np.ndarray
    estimate: np.ndarray | None = None

    def __post_init__(self) -> None:
        if self.estimate is None:
            object.__setattr__(self, "estimate", self.wall)
        for name, dtype in _DTYPES.items():
            column = np.ascontiguousarray(getattr(self, name), dtype=dtype).view()
            column.flags.writeable = False
            object.__setattr__(self, name, column)
        lengths = {name: getattr(self, name).shape for name in _DTYPES}
        if len(set(lengths.values())) > 1 or self.number.ndim != 1:
            raise ValueError(f"co-scheduled jobs: fields differ in length: {lengths}")
        for name, least, inclusive in (
            ("submit", 0, True),
            ("app", 0, True),
            ("procs", 1, True),
            ("time", 0, False),
            ("wall", 0, False),
            ("estimate", 0, False),
        ):
            column = getattr(self, name)
            good = (column >= least if inclusive else column > least) & (column < _MOST)
            if (bad := np.flatnonzero(~good)).size:
                raise ValueError(
                    f"co-scheduled jobs: job {self.number[bad[0]]}: {name} is {column[bad[0]]}, "
                    f"must be {'at least' if inclusive else 'above'} {least} and below 2**31"
                )
        if (bad := np.flatnonzero(np.diff(self.submit) < 0)).size:
            raise ValueError(
                f"co-scheduled jobs: job {self.number[bad[0] + 1]} is submitted before the job in "
                "front of it"
            )

    def __len__(self) -> int:
        return len(self.number)


@dataclass(frozen=True, eq=False)
class Allocation:
    """Nodes and speeds of jobs.

    The nodes (int32, from 0) of job j are ``node[first[j]:first[j + 1]]``, ascending. At each of m
    changes, `job` (int32) is the place of the job whose speed changes, in order of `time` (float64
    seconds). `speed` (float64) is the new one: seconds of work per second, 1 for compact jobs.
    """

    first: np.ndarray
    node: np.ndarray
    job: np.ndarray
    time: np.ndarray
    speed: np.ndarray

    def nodes(self, job: int) -> np.ndarray:
        """Return the nodes of the job at a place."""
        return self.node[self.first[job] : self.first[job + 1]]


@dataclass(frozen=True, eq=False)
class CoSchedule:
    """Result of each job; arrays have shape (n,).

    Start and end are float64 seconds. `nodes` (int32) is the job's number of nodes, whole
    (`compact` is true) or shared. `cores` (int64) are those that the job is charged for: every node
    in full, or its share. The allocation has nodes and speeds, if requested.
    """

    start: np.ndarray
    end: np.ndarray
    nodes: np.ndarray
    compact: np.ndarray
    cores: np.ndarray
    allocation: Allocation | None = None


@dataclass(frozen=True, eq=False)
class CoRun:
    """One simulation: the arguments of `simulate`."""

    jobs: CoJobs
    cluster: Machine
    speedup: np.ndarray
    scheduler: CoScheduler
    keep_allocation: bool = False


def _check(jobs: CoJobs, cluster: Machine, applications: int, allocation: str) -> None:
    """Check that the machine can run every job, and that the pool has its application."""
    mode = "compact" if allocation == "compact" else "spread"
    need = needs(cluster, jobs.procs, mode)
    if (bad := np.flatnonzero(need > len(cluster))).size:
        job = bad[0]
        raise ValueError(
            f"job {jobs.number[job]}: procs is {jobs.procs[job]}, {mode} over {need[job]} nodes; "
            f"the machine has {len(cluster)}"
        )
    if (bad := np.flatnonzero(jobs.app >= applications)).size:
        job = bad[0]
        raise ValueError(
            f"job {jobs.number[job]}: app is {jobs.app[job]}, the pool has {applications} "
            "applications"
        )


def simulate(
    jobs: CoJobs,
    cluster: Machine,
    speedup: np.ndarray,
    scheduler: CoScheduler,
    keep_allocation: bool = False,
) -> CoSchedule:
    """Simulate one run.

    Row i, column j of `speedup` (float64, shape (a, a)): speedup of application i when it shares
    nodes with j, compared with whole nodes; nan if not measured. With `keep_allocation` the
    schedule contains the nodes and speeds of each job. Raises ValueError if a job does not fit the
    machine or has no row in `speedup`.

    Examples
    --------
    >>> from schedlab.cosched.machine import shared_nodes
    >>> from schedlab.cosched.schedulers import SCHEDULERS
    >>> jobs = CoJobs([0, 1], [0, 0], [0, 0], [20, 20], [100, 100], [140, 140])
    >>> simulate(jobs, shared_nodes(2), [[1.25]], SCHEDULERS["easy-co"]).end.tolist()
    [80.0, 80.0]
    """
    matrix = check_speedups(speedup)
    _check(jobs, cluster, len(matrix), scheduler.allocation)
    ranks = rank_arrays(matrix, scheduler)
    start, end, nodes, compact, places = run_nodes(
        *(jobs.submit, jobs.time, jobs.wall, jobs.procs, jobs.app),
        needs(cluster, jobs.procs, "compact").astype(np.int32),
        needs(cluster, jobs.procs, "spread").astype(np.int32),
        (len(cluster), node_of(cluster).cpus, node_of(cluster).cpus - share(cluster)),
        speed_arrays(matrix, scheduler.nodes),
        group_arrays(jobs, scheduler, ranks[0]),
        ranks,
        scheduler_numbers(scheduler, len(jobs)),
        caller(jobs, scheduler),
        keep_allocation,
    )
    packed = compact.astype(bool)
    cores = nodes * np.where(packed, node_of(cluster).cpus, share(cluster))
    allocation = _allocation(nodes, *places) if keep_allocation else None
    return CoSchedule(start, end, nodes, packed, cores.astype(np.int64), allocation)


def _allocation(
    count: np.ndarray,
    first: np.ndarray,
    node: np.ndarray,
    job: np.ndarray,
    time: np.ndarray,
    speed: np.ndarray,
) -> Allocation:
    """Return the kernel's allocation, sorted from the order of starts to the order of jobs."""
    begin = np.concatenate([[0], np.cumsum(count, dtype=np.int64)])
    of_job = np.repeat(np.arange(len(count)), count)
    node = node[first[of_job] + np.arange(len(node)) - begin[of_job]]
    order = np.lexsort((job, time))
    return Allocation(
        begin, node[np.lexsort((node, of_job))], job[order], time[order], speed[order]
    )


def simulate_many(
    runs: Iterable[CoRun], threads: int = 1, progress: Callable[[], object] | None = None
) -> list[CoSchedule]:
    """Simulate independent runs on threads; return their schedules in the same order."""
    return over_threads(lambda run: simulate(**vars(run)), runs, threads, progress)

"""Requests of jobs beyond processors and time."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

#: a column that is left out, until the object fills it
_LEFT_OUT: Any = None


@dataclass(frozen=True, eq=False)
class Requests:
    """Jobs with their users and further requests that a plan needs.

    Raises ValueError, with job and field, if a column has another length than the n jobs, or a
    value is out of range.

    Parameters
    ----------
    jobs : Jobs
        n jobs. Every estimate is at least 1 s and at least the run time, so that a plan is valid
        until a job ends.
    user : array_like of int
        User numbers.
    memory : array_like of int, optional
        KB of the whole job; 0 for no request.
    nodes : array_like of int, optional
        Number of nodes of a job, if nodes are planned; 0 for as few as it fits on.
    exclusive : array_like of bool, optional
        Whether it requests whole nodes, if nodes are planned.
    clusters : array_like of uint64, optional
        The clusters that a job may use: bit c for the c-th; all of them by default.
    queue : array_like of int, optional
        Rank of a job's queue, the smallest first; one queue by default.
    """

    jobs: Jobs
    user: NDArray[np.int64]
    memory: NDArray[np.int64] = _LEFT_OUT
    nodes: NDArray[np.int32] = _LEFT_OUT
    exclusive: NDArray[np.bool_] = _LEFT_OUT
    clusters: NDArray[np.uint64] = _LEFT_OUT
    queue: NDArray[np.int32] = _LEFT_OUT

    if TYPE_CHECKING:  # the arguments are array_like, the fields are arrays

        def __init__(
            self,
            jobs: Jobs,
            user: ArrayLike,
            memory: ArrayLike | None = None,
            nodes: ArrayLike | None = None,
            exclusive: ArrayLike | None = None,
            clusters: ArrayLike | None = None,
            queue: ArrayLike | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        defaults = {
            "user": (np.int64, 0),
            "memory": (np.int64, 0),
            "nodes": (np.int32, 0),
            "exclusive": (np.bool_, False),
            "clusters": (np.uint64, 2**64 - 1),
            "queue": (np.int32, 0),
        }
        for name, (dtype, default) in defaults.items():
            values = getattr(self, name)
            column = np.full(len(self.jobs), default) if values is None else values
            column = np.ascontiguousarray(column, dtype=dtype)
            if column.shape != (len(self.jobs),):
                raise ValueError(
                    f"requests: field '{name}' has the shape {column.shape}, "
                    f"there are {len(self.jobs)} jobs"
                )
            object.__setattr__(self, name, column)
        jobs = self.jobs
        for bad, field, why in (
            (jobs.estimate < 1, jobs.estimate, "estimate is {} s, a plan needs at least 1 s"),
            (
                jobs.estimate < jobs.runtime,
                jobs.estimate,
                "estimate is {} s, and it runs longer: raise the estimate to the run time",
            ),
            (self.memory < 0, self.memory, "memory is {} KB, must be at least 0"),
            (self.nodes < 0, self.nodes, "nodes is {}, must be at least 0"),
            (self.clusters == 0, self.clusters, "clusters is {}: it may use none"),
        ):
            if bad.any():
                job = np.flatnonzero(bad)[0]
                raise ValueError(f"job {jobs.number[job]}: {why.format(field[job])}")

    def __len__(self) -> int:
        return len(self.jobs)

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """Requests besides `jobs`, by field name."""
        names = [field.name for field in fields(self) if field.name != "jobs"]
        return {name: getattr(self, name) for name in names}

    def take(self, index: np.ndarray | list[int] | slice) -> Requests:
        """Return the requests at `index` (a slice, a mask or places in submit order)."""
        columns = {name: column[index] for name, column in self.columns.items()}
        return Requests(self.jobs.take(index), **columns)


def shares(requests: Requests, machine: Machine) -> np.ndarray:
    """Return the usage rate of each job, in processors: float64, shape (n,).

    It is the number of processors. If the job's share of the machine's memory exceeds its share of
    the processors, it is that share of the processors (the dominant share).
    """
    procs = requests.jobs.procs.astype(np.float64)
    if machine.memory is None:
        return procs
    return np.maximum(procs, requests.memory / machine.memory * machine.processors)


def ranks(estimate: np.ndarray, limits: Sequence[int]) -> np.ndarray:
    """Return the rank of each job's queue: the shortest whose limit is at least its estimate.

    Ranks are int32 from 0 on; the number of limits for a job that exceeds all of them.
    """
    if any(b <= a for a, b in zip([0, *limits], limits, strict=False)):
        raise ValueError(f"queues: limits {', '.join(map(str, limits))} s must go up from 1")
    return np.searchsorted(limits, estimate).astype(np.int32)

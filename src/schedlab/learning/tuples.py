"""Tuples (S, Q): 48 consecutive jobs of a workload, of which the last 32 are permuted.

References
----------
carastan2017, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.streams import generator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedlab.core.jobs import Jobs

# |S| and |Q|, as in the kernel of the trials.
TASKS_OF_STATE, TASKS_OF_QUEUE = 16, 32
TASKS = TASKS_OF_STATE + TASKS_OF_QUEUE
MEAN_SCORE = 1 / TASKS_OF_QUEUE


@dataclass(frozen=True, eq=False)
class TaskTuple:
    """Tuple (S, Q): 16 tasks that run first, and 32 tasks that are permuted.

    Arrays of int have shape (48,), in order of submission, with submit times relative to the first.
    """

    runtime: np.ndarray
    procs: np.ndarray
    submit: np.ndarray

    def __post_init__(self) -> None:
        for field in fields(self):
            column = np.ascontiguousarray(getattr(self, field.name), dtype=np.int64)
            if column.shape != (TASKS,):
                raise ValueError(f"tuple: field '{field.name}' needs {TASKS} tasks")
            object.__setattr__(self, field.name, column)

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Run times, processors and submit times."""
        return self.runtime, self.procs, self.submit


def draw_tuples(jobs: Jobs, count: int, *key: str | int) -> list[TaskTuple]:
    """Draw tuples of 48 consecutive jobs at random places.

    There are at least 48 jobs; `key` is that of the random stream (`schedlab.core.streams`).
    """
    _check_count(jobs)
    places = generator(*key).integers(0, len(jobs) - TASKS + 1, count)
    return [tuple_at(jobs, int(place)) for place in places]


def shuffled_tuples(jobs: Jobs, *key: str | int) -> Iterator[TaskTuple]:
    """Yield disjoint tuples of 48 consecutive jobs, each once and in a random order."""
    _check_count(jobs)
    for place in generator(*key).permutation(len(jobs) // TASKS):
        yield tuple_at(jobs, int(place) * TASKS)


def _check_count(jobs: Jobs) -> None:
    if len(jobs) < TASKS:
        raise ValueError(f"a tuple takes {TASKS} jobs, there are {len(jobs)}")


def tuple_at(jobs: Jobs, place: int) -> TaskTuple:
    """Return the tuple of the 48 jobs from `place` on."""
    part = slice(place, place + TASKS)
    submit = jobs.submit[part]
    return TaskTuple(jobs.runtime[part], jobs.procs[part], submit - submit[0])

"""Finished jobs of a session, stored once and shared by all its copies."""

from dataclasses import dataclass
from typing import Self

import numpy as np

#: four columns: handle, state, start and end of finished jobs, by handle
Part = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class FinishedJobs:
    """Jobs that are finished and never change again.

    Each part is at most half as long as the previous one. So there are few parts, and a job is
    copied O(log n) times in total.
    """

    parts: tuple[Part, ...] = ()

    def joined(self, part: Part) -> Self:
        """Return these jobs together with those of `part`, in any order of handles."""
        if not len(part[0]):
            return self
        parts = list(self.parts)
        while parts and len(parts[-1][0]) < 2 * len(part[0]):
            last = parts.pop()
            part = tuple(map(np.concatenate, zip(last, part, strict=True)))
        order = np.argsort(part[0])
        return type(self)((*parts, tuple(column[order] for column in part)))

    def find(self, handle: int) -> tuple[int, int, int] | None:
        """Return state, start and end of a job; None if it is not here."""
        for handles, states, starts, ends in self.parts:
            place = int(np.searchsorted(handles, handle))
            if place < len(handles) and handles[place] == handle:
                return int(states[place]), int(starts[place]), int(ends[place])
        return None

    def fill(self, start: np.ndarray, end: np.ndarray) -> None:
        """Write starts and ends into arrays over all handles."""
        for handles, _, starts, ends in self.parts:
            start[handles], end[handles] = starts, ends

"""A batch system with given waits for every job, and an estimator with given answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedlab.waits.workflows import Stage, Workflow


class Scripted:
    """Jobs in the order of submission; each waits so many seconds, or longer for others."""

    def __init__(self, waits: Sequence[int]) -> None:
        self.now = 0
        self.waits = list(waits)
        self.submissions: list[tuple[int, int]] = []  # time and cores
        self.log: list[str] = []
        self._ready, self._seconds, self._start, self._end = [], [], [], []
        self._after: list[list[int]] = []
        self._read = ([], [])

    def submit(self, stage: Stage) -> int:
        """Submit a job now."""
        job = len(self.submissions)
        self.submissions.append((self.now, stage.cores))
        self._ready.append(self.now + self.waits[job])
        self._seconds.append(stage.seconds)
        self._after.append([])
        self._start.append(None)
        self._end.append(None)
        return job

    def submitted(self, job: int) -> int:
        return self.submissions[job][0]

    def depend(self, job: int, others: Sequence[int]) -> None:
        assert self.submissions[job][0] == self.now
        assert all(other < job for other in others)
        self._after[job] += others

    def cancel(self, job: int) -> bool:
        if self._end[job] is not None and self._end[job] <= self.now:
            return False
        self.log.append(f"{self.now}: {job} cancelled")
        self._start[job] = self._start[job] or -1
        self._end[job] = -1
        return True

    def advance(self, until: int | None) -> None:
        """Go on to the next start or end, or to `until`."""
        assert until is None or until > self.now
        times = [time for job in range(len(self._ready)) for time in self._times(job)]
        next_time = min(times, default=until)
        if next_time is None:
            return
        self.now = next_time if until is None else min(next_time, until)
        for job in range(len(self._ready)):
            if self._start[job] is None and self.now in self._times(job):
                self._start[job] = self.now
                self._end[job] = self.now + self._seconds[job]
                self._read[0].append(job)
            if self._end[job] == self.now and job not in self._read[1]:
                self._read[1].append(job)

    def _times(self, job: int) -> list[int]:
        if self._start[job] is not None:
            return [self._end[job]] if self._end[job] > self.now else []
        ends = [self._end[other] for other in self._after[job]]
        if None in ends or any(end > self.now for end in ends):
            return []
        return [max(self._ready[job], self.now)]

    def read(self) -> tuple[list[int], list[int]]:
        found, self._read = self._read, ([], [])
        return found


def estimator_by_stage(workflow: Workflow, estimates: Sequence[int | tuple[int, ...]]) -> Told:
    """Return an estimator of one given answer per stage, identified by its cores."""
    return Told({one.cores: told for one, told in zip(workflow.stages, estimates, strict=False)})


class Told:
    """Estimator that answers by cores, of several in turn, and records what it is asked."""

    def __init__(self, estimates: Mapping[int, int | tuple[int, ...]]) -> None:
        self.estimates = estimates
        self.asked, self.observed = [], []

    def estimate(self, geometry) -> int:
        """Return the given estimate for its cores."""
        self.asked.append(str(geometry))
        told = self.estimates.get(geometry.cores, 0)
        told = told if isinstance(told, tuple) else (told,)
        seen = sum(name == str(geometry) for name, _, _ in self.observed)
        return told[min(seen, len(told) - 1)]

    def observe(self, geometry, wait, estimate=None) -> None:
        self.observed.append((str(geometry), wait, estimate))

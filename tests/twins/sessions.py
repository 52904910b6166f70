"""The twin of sessions under external control, with all operations known in advance.

Dependencies, cancellations with their times, and running jobs; whatever happens at one instant
happens in the order of a session that is advanced to it: completions, arrivals, starts, and then
what is taken back, after which the instant is looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from schedlab.queue.simulation import Run
from twins import backfilling, conservative

NOT_YET = -1


@dataclass(frozen=True)
class Script:
    """What is done to a queue; jobs by their places, times in seconds."""

    # the jobs that must be over before one comes to the queue
    after: Mapping[int, Iterable[int]] = field(default_factory=dict)
    # by time, the jobs that are taken back then
    cancels: Mapping[int, Iterable[int]] = field(default_factory=dict)
    # when jobs that run already started
    started: Mapping[int, int] = field(default_factory=dict)
    begins: int = 0  # when the queue is looked at first: who was submitted before comes then


def simulate(run: Run, script: Script) -> list[tuple[int, int]]:
    """Start and end of each job, in the order of the jobs; -1 if there is none."""
    machine = (_Planned if run.reservations == "every" else _Queued)(run)
    for job, start in script.started.items():
        machine.pending.remove(job)
        machine.running.append(job)
        machine.start[job] = start
        machine.free -= machine.procs[job]
    over: dict[int, int] = {}
    cancels = {time: list(jobs) for time, jobs in script.cancels.items()}
    machine.now = script.begins - 1
    while times := (
        [machine.end(job) for job in machine.running]
        + [
            come
            for job in machine.pending
            if (come := max(machine.submit[job], script.begins)) > machine.now
        ]
        + [*machine.due(), *cancels]
    ):
        machine.now = min(times)
        # where nothing but a cancellation that changes nothing is due, the queue is not looked at
        look = machine.now in times[: len(times) - len(cancels)]
        while True:
            if look:
                _pass(machine, script, over)
            if any(machine.end(job) == machine.now for job in machine.running):
                continue
            taken_back = [job for job in cancels.pop(machine.now, ()) if job not in over]
            if not taken_back:
                break
            for job in taken_back:
                machine.take_back(job)
                over[job] = machine.now
            machine.look_again()
            look = True
    return [
        (machine.start[job], over[job]) if job in machine.start else (NOT_YET, NOT_YET)
        for job in range(len(run.jobs))
    ]


def _pass(machine: _Queued | _Planned, script: Script, over: dict[int, int]) -> None:
    """Process completions, arrivals and starts of this instant."""
    ending = [job for job in machine.running if machine.end(job) == machine.now]
    for job in sorted(ending, key=lambda job: (machine.start[job], job)):
        machine.running.remove(job)
        machine.free += machine.procs[job]
        over[job] = machine.now
        machine.completed()
    if ending:
        machine.all_completed()
    machine.let_come([
        job
        for job in machine.pending
        if machine.submit[job] <= machine.now
        and all(other in over for other in script.after.get(job, ()))
    ])  # fmt: skip
    machine.let_start()


class _Queued(backfilling._Machine):
    """Strict order and backfilling."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.start: dict[int, int] = {}

    def due(self) -> list[int]:
        return []

    def completed(self) -> None:
        pass

    def all_completed(self) -> None:
        pass

    def look_again(self) -> None:
        pass

    def let_come(self, jobs: list[int]) -> None:
        for job in jobs:
            self.pending.remove(job)
            self.waiting.append(job)

    def let_start(self) -> None:
        self.one_pass()

    def take_back(self, job: int) -> None:
        for jobs in (self.pending, self.waiting, self.running):
            if job in jobs:
                jobs.remove(job)
                if jobs is self.running:
                    self.free += self.procs[job]


class _Planned(conservative._Machine):
    """Conservative backfilling."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.free = run.processors

    def due(self) -> list[int]:
        return list(self.planned.values())

    def completed(self) -> None:
        if self.run.compression == "completion":
            self.compress()

    def all_completed(self) -> None:
        if self.run.compression == "instant":
            self.compress()

    def look_again(self) -> None:
        if self.run.compression != "none":
            self.compress()

    def let_come(self, jobs: list[int]) -> None:
        for job in self.in_order(jobs):
            self.pending.remove(job)
            self.planned[job] = self.earliest(job)

    def let_start(self) -> None:
        for job in [job for job, start in self.planned.items() if start == self.now]:
            self.start[job] = self.planned.pop(job)
            self.running.append(job)

    def take_back(self, job: int) -> None:
        self.planned.pop(job, None)
        for jobs in (self.pending, self.running):
            if job in jobs:
                jobs.remove(job)

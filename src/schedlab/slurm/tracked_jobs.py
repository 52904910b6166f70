"""Tracked jobs that a workflow has submitted to Slurm, and the order of their events.

A stage submitted without a dependency checks once, at its start, for the marks of the stages
before it (``stage.sh.j2``), and then runs or idles. A stage leaves a mark only if it ends
successfully. The job records its decision in another mark, and events follow that decision,
whatever a poll has seen. A further mark releases a job that idles although the strategy has
received all ends that it needs (see `schedlab.slurm.environment`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from schedlab.slurm.client import SbatchRequest, Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from schedlab.slurm.client import SlurmError
    from schedlab.waits.workflows import Stage


@dataclass
class TrackedJob:
    """A tracked job, which runs a stage."""

    stage: Stage
    number: int = 0  # Slurm's; 0 before submission
    seen: Seen | None = None
    depends: tuple[int, ...] = ()  # handles of the jobs on which it depends in Slurm
    awaits: tuple[str, ...] = ()  # the stages whose marks it checks at its start
    #: the stage whose mark was missing then; "" for none, None if not known yet
    missed: str | None = None
    started: bool = False  # the strategy has received its start
    ended: bool = False  # the strategy has received its end
    early: bool = False  # its start was reported before the end of a stage that it needs
    cancelled: bool = False
    request: SbatchRequest | None = None
    attempted: bool = False  # Slurm may have accepted it although its number is not known
    refusal: SlurmError | None = None  # final, and counts unless Slurm has accepted the job
    tries: int = 0
    refused_since: float = 0.0
    retry_at: float = 0.0
    lost_since: float | None = None
    withdrawn: bool = False
    is_worker: bool = False

    @property
    def open(self) -> bool:
        """Whether the strategy still expects events of it."""
        return not (self.ended or self.cancelled)

    @property
    def begun(self) -> bool:
        """Whether a poll has seen that it has begun."""
        return self.seen is not None and self.seen.begun

    @property
    def over(self) -> bool:
        """Whether a poll has seen that it has ended."""
        return self.seen is not None and self.seen.over

    @property
    def queued(self) -> bool:
        """Whether it was submitted, and no poll has seen that it has ended."""
        return bool(self.number) and not self.over

    @property
    def bad(self) -> bool:
        """Whether it has failed; an idling job may reach its time limit, a worker may be lost."""
        if self.is_worker:
            return False
        if not self.over or self.cancelled or self.withdrawn or self.seen.state == "COMPLETED":
            return False
        return not (self.seen.state == "TIMEOUT" and self.missed)

    def reset(self, seen: Seen | None, idled: bool) -> TrackedJob:
        """Make it a job that is not submitted yet; return the former job, with its last state."""
        former = replace(self, seen=seen, cancelled=True, early=idled)
        fresh = TrackedJob(self.stage, depends=self.depends, is_worker=self.is_worker)
        for field in fields(self):
            setattr(self, field.name, getattr(fresh, field.name))
        return former

    def restore(self, facts: Iterable[Mapping[str, Any]]) -> list[TrackedJob]:
        """Restore what the journal has about it; return the former jobs of the same submission."""
        formers = []
        for fact in facts:
            match fact["kind"]:
                case "request":
                    self.request = SbatchRequest.from_dict(fact["request"])
                    self.awaits = tuple(fact["awaits"])
                    self.attempted = True
                case "accepted":
                    self.number = fact["number"]
                case "start" if not self.over:
                    self.seen = Seen("RUNNING", fact["submit"], fact["start"])
                case "over":
                    self.seen, self.missed = Seen(**fact["seen"]), fact["missed"]
                case "withdrawn":
                    self.withdrawn = True
                case "kept":
                    self.withdrawn = False
                case "reset":
                    seen = fact["seen"] and Seen(**fact["seen"])
                    formers.append(self.reset(seen, fact["idled"]))
        return formers


@dataclass(frozen=True, order=True)
class Event:
    """Start or end of a job; at the same time, ends come first."""

    time: int
    start: bool
    job: int


def next_events(jobs: Sequence[TrackedJob], over: AbstractSet[str]) -> Iterator[Event]:
    """Yield the events that the strategy can receive next.

    A running job starts after the ends of all stages before it, even if these are seen later or
    have later times. Its start is not reported before its decision is known. This cannot deadlock,
    because an idling job waits for nothing.
    """
    for job, tracked_job in enumerate(jobs):
        if not (tracked_job.open and tracked_job.begun):
            continue
        if tracked_job.started:
            if tracked_job.over:
                yield Event(tracked_job.seen.end, False, job)
        elif (
            tracked_job.is_worker
            or tracked_job.missed
            or (tracked_job.missed == "" and over.issuperset(tracked_job.stage.after))
        ):
            yield Event(tracked_job.seen.start, True, job)

"""Interface between a real Slurm and strategies.

How events of Slurm become events for a strategy:

- Polls detect events, and the strategy receives them one at a time, with Slurm's times. So `now`
  is up to one poll behind the clock, and waits are Slurm's. A submission at a past time is made at
  once; its wait begins when Slurm reports that it accepted it.
- `schedlab.slurm.tracked_jobs` defines the order of events.
- A job may idle although the strategy has received all ends that it needs: it checked within the
  second of the last end, or its file system shows marks late. A separate mark then releases it,
  and it counts as started.
- If Slurm has forgotten a job, the job's mark gives its end; without such a mark the job is lost.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self, TypeVar

from schedlab.slurm.client import SbatchRequest, SlurmError
from schedlab.slurm.interrupts import Interrupted, deferred_signals
from schedlab.slurm.monitor import PAUSE, UNANSWERED, Monitor
from schedlab.slurm.tracked_jobs import TrackedJob, next_events

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedlab.slurm.client import Slurm
    from schedlab.slurm.folder import RunFolder
    from schedlab.slurm.tracked_jobs import Event
    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.workflows import Stage

T = TypeVar("T")


class SlurmQueue:
    """Slurm queue with the tracked jobs that were submitted through it.

    A context manager: when its block ends, no tracked job stays in the queue. Its attribute `jobs`
    has the tracked jobs by handle. After the block, `left` has the numbers of jobs that could not
    be cancelled, or were not seen to leave the queue.

    `described` gives the commands of the stages; `folder` contains scripts, outputs and marks.
    `poll` are seconds between two polls of the queue. `tell` takes a line of text about each event.
    `advance` raises `SlurmError` if a submission is refused, a job fails, is lost or was requeued,
    or Slurm has not answered several polls.
    """

    def __init__(
        self,
        slurm: Slurm,
        described: WorkflowFile,
        folder: RunFolder,
        poll: float,
        tell: Callable[[str], None],
    ) -> None:
        self._slurm, self._described, self._folder = slurm, described, folder
        self._poll, self._tell = poll, tell
        self._watch = Monitor(slurm, described.workflow.name, folder, self._report)
        self._now = self._looked = int(slurm.time())
        self.jobs: list[TrackedJob] = []
        self.left: tuple[int, ...] = ()
        self._over: set[str] = set()  # stages whose ends the strategy has received
        self._news: tuple[list[int], list[int]] = ([], [])

    @property
    def now(self) -> int:
        """Time of the last event, in seconds since 1970."""
        return self._now

    def submit(self, stage: Stage) -> int:
        """Register a job; it is submitted when time advances and its dependencies are known."""
        self.jobs.append(TrackedJob(stage))
        return len(self.jobs) - 1

    def submitted(self, job: int) -> int:
        """Return when Slurm accepted a job that has started."""
        return min(self.jobs[job].seen.submit, self._now)

    def depend(self, job: int, blockers: Sequence[int]) -> None:
        """Make a job of the present instant depend on the successful end of others."""
        self.jobs[job].depends = tuple(blockers)

    def cancel(self, job: int) -> bool:
        """Cancel a job; a running one ends now. Return False if it had already ended."""
        tracked_job = self.jobs[job]
        if not tracked_job.open:
            return False
        tracked_job.cancelled = True
        if tracked_job.over:
            return False
        if tracked_job.number:
            self._patiently(lambda: self._slurm.cancel([tracked_job.number]))
            self._report(tracked_job, "taken back")
        return True

    def advance(self, until: int | None) -> None:
        """Let time pass until the next event of a tracked job, or until `until`."""
        self._send()
        answered = True
        while until is not None or any(tracked_job.open for tracked_job in self.jobs):
            event = min(next_events(self.jobs, self._over), default=None)
            if event is not None and (until is None or event.time <= until):
                self._deliver(event)
                return
            if until is not None and self._looked >= until:
                self._now = max(self._now, until)
                return
            # each poll of a Slurm that does not answer waits its full time, even after `until`
            pause = until - self._slurm.time() if until is not None and answered else self._poll
            self._slurm.sleep(max(0.0, min(self._poll, pause)))
            looked = int(self._slurm.time())
            if answered := self._watch.look(self.jobs):
                self._looked = looked

    def read(self) -> tuple[list[int], list[int]]:
        """Return tracked jobs that have started, and that have ended, since the last read."""
        events, self._news = self._news, ([], [])
        return events

    def __enter__(self) -> Self:
        """Enter the context."""
        return self

    def __exit__(self, *_: object) -> None:
        """Cancel the remaining jobs and wait for their ends."""
        done = False
        try:
            with deferred_signals():
                self._take_back()
                done = True
        except Interrupted:
            # the first signal came just before; further ones are ignored
            if not done:
                with deferred_signals():
                    self._take_back()
            raise

    def _take_back(self) -> None:
        """Cancel the remaining jobs and wait for their ends; report those that remain."""
        remaining = [job for job in self.jobs if job.queued]
        if not remaining:
            return
        self.left = tuple(tracked_job.number for tracked_job in remaining)
        numbers = " ".join(map(str, self.left))
        try:
            self._patiently(lambda: self._slurm.cancel(self.left))
        except SlurmError as error:
            self._tell(f"{error}: what is left is to be taken back by hand: scancel {numbers}")
            return
        for tracked_job in remaining:
            if not tracked_job.cancelled:
                tracked_job.cancelled = True
                self._report(tracked_job, "taken back")
        remaining = self._watch.settle(self.jobs, min(self._poll, PAUSE))
        self.left = tuple(tracked_job.number for tracked_job in remaining)
        if remaining:
            numbers = " ".join(map(str, self.left))
            self._tell(f"taken back, but not seen to leave the queue: scancel {numbers}")

    def _patiently(self, ask: Callable[[], T]) -> T:
        """Make a request, and repeat it after each poll time while Slurm does not answer."""
        for _ in range(UNANSWERED):
            try:
                return ask()
            except SlurmError:
                self._slurm.sleep(self._poll)
        return ask()

    def _send(self) -> None:
        """Submit the jobs registered since the last advance."""
        for tracked_job in self.jobs:
            if tracked_job.number or tracked_job.cancelled:
                continue
            after = [self.jobs[blocker] for blocker in tracked_job.depends]
            if not after:
                tracked_job.awaits = tuple(
                    name for name in tracked_job.stage.after if name not in self._over
                )
            request = SbatchRequest(
                f"{self._described.workflow.name}.{tracked_job.stage.name}",
                self._folder.script(tracked_job.stage, tracked_job.awaits, self._poll),
                self._folder.output(tracked_job.stage.name),
                tracked_job.stage.cores,
                self._described.minutes(tracked_job.stage),
                self._described.options,
                tuple(blocker.number for blocker in after if not blocker.over),
            )
            try:
                # a signal between acceptance and its number would leave an unknown job
                with deferred_signals():
                    self._submit(tracked_job, request)
            except SlurmError as error:
                raise SlurmError(
                    f"{self._watch.place(tracked_job)}: not submitted: {error}"
                ) from error
            names = " and ".join(blocker.stage.name for blocker in after if not blocker.over)
            when = f" to start after {names}" if names else ""
            cores = f"{tracked_job.stage.cores} core{'s' * (tracked_job.stage.cores > 1)}"
            self._report(tracked_job, f"submitted{when}: {cores}, {request.minutes} min")

    def _submit(self, tracked_job: TrackedJob, request: SbatchRequest) -> None:
        """Submit a job; after an error, look up whether Slurm accepted it anyway."""
        try:
            tracked_job.number = self._slurm.submit(request)
        except SlurmError as error:
            try:
                tracked_job.number = self._patiently(lambda: self._slurm.find(request))
            except SlurmError as silent:
                raise SlurmError(
                    f"{error}; whether Slurm took it is not known ({silent}): look by squeue --me "
                    f"for {request.name}"
                ) from error
            raise

    def _deliver(self, event: Event) -> None:
        """Deliver a start or an end to the strategy."""
        tracked_job = self.jobs[event.job]
        self._now = max(self._now, event.time)
        if event.start:
            self._start(event.job, tracked_job)
        else:
            tracked_job.ended = True
            if not tracked_job.early:
                self._over.add(tracked_job.stage.name)
            self._report(tracked_job, f"ended after {event.time - tracked_job.seen.start} s")
        self._news[0 if event.start else 1].append(event.job)

    def _start(self, job: int, tracked_job: TrackedJob) -> None:
        tracked_job.started = True
        tracked_job.early = bool(tracked_job.missed) and not self._over.issuperset(
            tracked_job.stage.after
        )
        message = f"started after {self._now - self.submitted(job)} s"
        if tracked_job.early:
            message += f"; idles, for {tracked_job.missed} has not ended"
        elif tracked_job.missed:
            # it checked too early, or marks appeared late
            tracked_job.missed = ""
            if tracked_job.bad:
                raise self._watch.ended_badly(tracked_job)
            self._folder.go(tracked_job.number)
        self._report(tracked_job, message)

    def _report(self, tracked_job: TrackedJob, message: str) -> None:
        clock = time.strftime("%H:%M:%S", time.localtime(self._slurm.time()))
        self._tell(f"{clock}  {tracked_job.stage.name}: job {tracked_job.number} {message}")

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

What must not harm running jobs:

- Without an answer of Slurm nothing is cancelled, and nothing ends for hours (`give_up`). After
  that, and after the terminal is lost, running jobs are left.
- A submission that is refused for now, or has no answer, is made again, later each time. Before,
  the job is looked up by its mark: Slurm may have accepted it.
- Only a job that is this run's by user, name, mark and submit time is cancelled.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypeVar

from schedlab.files.durations import format_duration
from schedlab.slurm.client import SbatchRequest, SlurmError, TemporaryError
from schedlab.slurm.interrupts import Interrupted, deferred_signals
from schedlab.slurm.monitor import PAUSE, Monitor
from schedlab.slurm.retries import GIVE_UP_S, GivenUpError, Retries, delay
from schedlab.slurm.tracked_jobs import TrackedJob, next_events

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedlab.slurm.client import Slurm
    from schedlab.slurm.folder import RunFolder
    from schedlab.slurm.tracked_jobs import Event
    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.workflows import Stage

T = TypeVar("T")

#: what is reported of a job whose number is another's
OTHERS = "is not known as this run's: not cancelled, look by scontrol show job"
#: maximum number of further attempts to cancel jobs at the end of a run
UNANSWERED = 10


class SlurmQueue:
    """Slurm queue with the tracked jobs that were submitted through it.

    A context manager: when its block ends, no tracked job stays in the queue, unless Slurm
    was given up or the terminal was lost: then running jobs stay. Its attribute `jobs` has the
    tracked jobs by handle. After the block, `left` has the numbers of jobs that could not be
    cancelled, were not seen to leave the queue, or were left running.

    `described` gives the commands of the stages; `folder` contains scripts, outputs and marks.
    `poll` are seconds between two polls of the queue. `tell` takes a line of text about each event.
    `give_up` are the seconds for which Slurm may stay away, or refuse for now. `advance`
    raises `SlurmError` if a submission is refused, a job fails, is lost or was requeued, and
    `GivenUpError` after that time.
    """

    def __init__(
        self,
        slurm: Slurm,
        described: WorkflowFile,
        folder: RunFolder,
        poll: float,
        tell: Callable[[str], None],
        give_up: float = GIVE_UP_S,
    ) -> None:
        self._slurm, self._described, self._folder = slurm, described, folder
        self._poll, self._tell = poll, tell
        name = described.workflow.name
        self._retries = Retries(slurm, f"workflow {name}: Slurm", give_up, poll, self._say)
        self._watch = Monitor(slurm, name, folder, self._report, self._retries)
        self._now = self._looked = int(slurm.time())
        self.jobs: list[TrackedJob] = []
        self.left: tuple[int, ...] = ()
        self._over: set[str] = set()  # stages whose ends the strategy has received
        self._news: tuple[list[int], list[int]] = ([], [])

    @property
    def submits(self) -> bool:
        """Whether a job was submitted, or an attempt was made."""
        return any(tracked_job.number or tracked_job.attempted for tracked_job in self.jobs)

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
            requests = {tracked_job.number: tracked_job.request}
            if self._retries.ask(lambda: self._slurm.cancel(requests)):
                self._report(tracked_job, OTHERS)
            else:
                self._report(tracked_job, "taken back")
        return True

    def advance(self, until: int | None) -> None:
        """Let time pass until the next event of a tracked job, or until `until`."""
        answered = True
        while until is not None or any(tracked_job.open for tracked_job in self.jobs):
            self._send()
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

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Cancel the remaining jobs and wait for their ends; or leave those that run."""
        leave = isinstance(error, GivenUpError) or getattr(error, "hung_up", False)
        done = False
        try:
            with deferred_signals():
                self._take_back(leave)
                done = True
        except Interrupted:
            # the first signal came just before; further ones are ignored
            if not done:
                with deferred_signals():
                    self._take_back(leave)
            raise

    def _take_back(self, leave: bool) -> None:
        """Cancel the remaining jobs and wait for their ends; report those that remain.

        With `leave`, jobs that run a stage stay; those that wait, or idle, are cancelled.
        """
        tries = 0 if leave else UNANSWERED
        self._look_up(tries)
        remaining = [job for job in self.jobs if job.queued]
        if not remaining:
            return
        if leave:
            self._watch.update(remaining)
        self.left = tuple(tracked_job.number for tracked_job in remaining)
        numbers = " ".join(map(str, self.left))
        try:
            others = self._cancel(remaining, leave, tries)
        except SlurmError as error:
            self._tell(f"{error}: what is left is to be taken back by hand: scancel {numbers}")
            return
        for tracked_job in remaining:
            if tracked_job.number in others:
                self._report(tracked_job, OTHERS)
            elif not tracked_job.cancelled and not (leave and _runs(tracked_job)):
                tracked_job.cancelled = True
                self._report(tracked_job, "taken back")
        goes = [job for job in remaining if job.cancelled and job.number not in others]
        stays = tuple(job.number for job in remaining if job not in goes)
        gone = self._watch.settle(goes, min(self._poll, PAUSE))
        self.left = stays + tuple(tracked_job.number for tracked_job in gone)
        if gone:
            numbers = " ".join(str(tracked_job.number) for tracked_job in gone)
            self._tell(f"taken back, but not seen to leave the queue: scancel {numbers}")
        if leave and stays:
            numbers = " ".join(map(str, stays))
            self._tell(f"left running: {numbers}; to end them: scancel {numbers}")

    def _cancel(self, jobs: Sequence[TrackedJob], leave: bool, tries: int) -> tuple[int, ...]:
        """Cancel jobs; return the numbers of those that are others'."""
        running = {job.number: job.request for job in jobs if leave and _runs(job)}
        requests = {job.number: job.request for job in jobs if job.number not in running}
        idle = {job.number: job.request for job in jobs if leave and job.missed}
        waiting = {number: request for number, request in requests.items() if number not in idle}
        # a job may have started since the last poll
        others = self._several_times(lambda: self._slurm.cancel(waiting, leave), tries)
        return others + self._several_times(lambda: self._slurm.cancel(idle), tries)

    def _look_up(self, tries: int) -> None:
        """Find jobs whose submission had no answer, and name those about which nothing is known."""
        for tracked_job in self.jobs:
            request = tracked_job.request
            if tracked_job.number or not tracked_job.attempted or request is None:
                continue
            try:
                tracked_job.number = self._several_times(lambda r=request: self._find(r), tries)
            except (SlurmError, OSError) as error:
                self._tell(
                    f"{error}; whether Slurm accepted {request.name} is not known: look for it by "
                    f"squeue --me, its script is {request.script}"
                )

    def _several_times(self, ask: Callable[[], T], tries: int) -> T:
        """Make a request, and repeat it some times after each poll time."""
        for _ in range(tries):
            try:
                return ask()
            except SlurmError:
                self._slurm.sleep(self._poll)
        return ask()

    def _send(self) -> None:
        """Submit the registered jobs; try those again that were refused for now."""
        for tracked_job in self.jobs:
            if tracked_job.number or tracked_job.cancelled:
                continue
            after = [self.jobs[blocker] for blocker in tracked_job.depends]
            if self._slurm.time() < tracked_job.retry_at or not all(job.number for job in after):
                continue
            try:
                request = self._request(tracked_job, after)
                # a signal between acceptance and its number would leave an unknown job
                with deferred_signals():
                    self._submit(tracked_job, request)
            except (TemporaryError, OSError) as error:
                self._postpone(tracked_job, error)
                continue
            except SlurmError as error:
                raise SlurmError(
                    f"{self._watch.place(tracked_job)}: not submitted: {error}"
                ) from error
            names = " and ".join(blocker.stage.name for blocker in after if not blocker.over)
            when = f" to start after {names}" if names else ""
            cores = f"{tracked_job.stage.cores} core{'s' * (tracked_job.stage.cores > 1)}"
            self._report(tracked_job, f"submitted{when}: {cores}, {request.minutes} min")

    def _request(self, tracked_job: TrackedJob, after: Sequence[TrackedJob]) -> SbatchRequest:
        """Return the request of a job; the script and the mark of its first attempt stay."""
        numbers = tuple(blocker.number for blocker in after if not blocker.over)
        if tracked_job.request is None:
            if not after:
                tracked_job.awaits = tuple(
                    name for name in tracked_job.stage.after if name not in self._over
                )
            script = self._folder.script(tracked_job.stage, tracked_job.awaits, self._poll)
            tracked_job.request = SbatchRequest(
                f"{self._described.workflow.name}.{tracked_job.stage.name}",
                script,
                self._folder.output(tracked_job.stage.name),
                tracked_job.stage.cores,
                self._described.minutes(tracked_job.stage),
                self._described.options,
                mark=f"schedlab:{script.stem}",
                made=int(self._slurm.time()),
            )
        tracked_job.request = replace(tracked_job.request, after=numbers)
        return tracked_job.request

    def _submit(self, tracked_job: TrackedJob, request: SbatchRequest) -> None:
        """Submit a job, unless Slurm accepted it when it was tried before.

        Raises `TemporaryError` if that is not known, or Slurm refuses for now.
        """
        error: SlurmError | None = None
        if not tracked_job.attempted:
            tracked_job.attempted = True
            try:
                tracked_job.number = self._slurm.submit(request)
            except SlurmError as raised:
                error = raised
                if not isinstance(error, TemporaryError):
                    tracked_job.refusal = error
            else:
                return
        error = tracked_job.refusal or error
        try:
            tracked_job.number = self._find(request)
        except SlurmError as silent:
            raise TemporaryError(str(error or silent)) from silent
        if tracked_job.number and error:
            self._report(tracked_job, f"accepted, although {error}")
        elif not tracked_job.number and error:
            raise error
        elif not tracked_job.number:
            tracked_job.attempted = False
            self._submit(tracked_job, request)

    def _find(self, request: SbatchRequest) -> int:
        """Return the number of the job that Slurm accepted for a request; 0 if there is none."""
        return self._slurm.find(request) or self._folder.claimed(request.script)

    def _postpone(self, tracked_job: TrackedJob, error: Exception) -> None:
        """Let a submission wait after a refusal for now; raise `GivenUpError` after too many."""
        now = self._slurm.time()
        if not tracked_job.tries:
            tracked_job.refused_since = now
        limit = self._retries.seconds
        if now - tracked_job.refused_since > limit:
            raise GivenUpError(
                f"{self._watch.place(tracked_job)}: not submitted for {format_duration(limit)}: "
                f"{error}"
            ) from error
        tracked_job.tries += 1
        pause = delay(tracked_job.tries)
        tracked_job.retry_at = now + pause
        self._say(f"{tracked_job.stage.name}: not submitted: {error}; tried again in {pause:.0f} s")

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
            self._retries.ask(lambda: self._folder.go(tracked_job.number))
        self._report(tracked_job, message)

    def _report(self, tracked_job: TrackedJob, message: str) -> None:
        self._say(f"{tracked_job.stage.name}: job {tracked_job.number} {message}")

    def _say(self, message: str) -> None:
        clock = time.strftime("%H:%M:%S", time.localtime(self._slurm.time()))
        self._tell(f"{clock}  {message}")


def _runs(tracked_job: TrackedJob) -> bool:
    """Return whether a job runs a stage; an idle one does not."""
    return tracked_job.begun and not tracked_job.missed

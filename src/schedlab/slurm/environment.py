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
- `schedlab.slurm.submitter` submits no job twice.
- Only a job that is this run's by user, name, mark and submit time is cancelled.

How a run is resumed: the strategy makes its calls again, and `schedlab.slurm.journal` answers them
until it has no further line. The jobs then have the state that the journal last had of them.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from schedlab.slurm.client import Seen, SlurmError
from schedlab.slurm.interrupts import Interrupted, deferred_signals
from schedlab.slurm.journal import JournalError
from schedlab.slurm.monitor import PAUSE, Monitor
from schedlab.slurm.retries import GIVE_UP_S, GivenUpError, Retries
from schedlab.slurm.submitter import Submitter
from schedlab.slurm.tracked_jobs import TrackedJob, next_events
from schedlab.waits.strategies import drive
from schedlab.waits.submissions import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedlab.slurm.client import Slurm
    from schedlab.slurm.folder import RunFolder
    from schedlab.slurm.journal import Journal, Record
    from schedlab.slurm.tracked_jobs import Event
    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.learner import Geometry
    from schedlab.waits.predictors import Estimator
    from schedlab.waits.strategies import Strategy
    from schedlab.waits.workflows import Stage

T = TypeVar("T")

#: what is reported of a job whose number is another's
OTHERS = "is not known as this run's: not cancelled, look by scontrol show job"
#: kinds of lines in the journal that let time pass
EVENTS = ("time", "start", "end", "pool")
#: maximum number of further attempts to cancel jobs at the end of a run
UNANSWERED = 10


class SlurmQueue:
    """Slurm queue with the tracked jobs that were submitted through it.

    A context manager: when its block ends, no tracked job stays in the queue, unless Slurm was
    given up or the terminal was lost: then running jobs stay. If the machine ended the client, or
    the journal does not belong to the run, all jobs stay. Its attribute `jobs` has the tracked
    jobs by handle, `former` those that were submitted again under the same handle. After the
    block, `left` has the numbers of jobs that could not be cancelled, were not seen to leave the
    queue, or were left. `described` gives the commands of the stages; `folder` contains scripts,
    outputs and marks. The run goes on from where the `journal` ends, and its time is from ``at``
    in it on. `give_up` are the seconds for which Slurm may stay away, or refuse for now. `advance`
    raises `SlurmError` if a submission is refused, a job fails, is lost or was requeued, and
    `GivenUpError` after that time.
    """

    def __init__(
        self,
        slurm: Slurm,
        described: WorkflowFile,
        folder: RunFolder,
        journal: Journal,
        poll: float,
        tell: Callable[[str], None],
        give_up: float = GIVE_UP_S,
    ) -> None:
        self._slurm, self._folder, self._described = slurm, folder, described
        self._poll, self._tell = poll, tell
        name = described.workflow.name
        self._retries = Retries(slurm, f"workflow {name}: Slurm", give_up, poll, self._say)
        self._watch = Monitor(slurm, described, folder, self._report, self._retries)
        self._submitter = Submitter(
            *(slurm, described, folder, journal, self._watch),
            *(poll, give_up, self._say, self._report),
        )
        self._journal = journal
        where = f"workflow {name}: {journal.path}"
        journal.write = Retries(slurm, where, give_up, poll, self._say).ask
        self._now = self._looked = journal.about["at"]
        self._is_resumed = journal.replays or journal.last("ending") is not None
        self.jobs: list[TrackedJob] = []
        self.former: list[TrackedJob] = []
        self._ends: set[int] = set()  # handles of jobs whose ends are in the journal
        self.left: tuple[int, ...] = ()
        self._over: set[str] = set()  # stages whose ends the strategy has received
        #: errors by workflow, of several workflows in the run
        self.failures: dict[str, str] = {}
        self._news: tuple[list[int], list[int]] = ([], [])

    def carry_out(self, strategy: Strategy, estimator: Estimator) -> Submission:
        """Run the workflow by a strategy until it is done; return its submission."""
        at, system = self._journal.about["at"], self._journal.about["system"]
        submission = Submission(
            *(self._described.workflow, strategy, self, at, system, estimator, self._geometry)
        )
        drive(self, [submission])
        return submission

    def _geometry(self, stage: Stage) -> Geometry:
        return self._described.geometry(self._journal.about["system"], stage)

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
        job = len(self.jobs)
        tracked_job = TrackedJob(stage, is_worker=stage.name in self._described.tasks)
        self._journal.decide("submit", job=job, stage=stage.name)
        self.former += tracked_job.restore(self._journal.facts(job))
        if tracked_job.over:
            self._ends.add(job)
        self.jobs.append(tracked_job)
        return job

    def submitted(self, job: int) -> int:
        """Return when Slurm accepted a job that has started."""
        return min(self.jobs[job].seen.submit, self._now)

    def depend(self, job: int, blockers: Sequence[int]) -> None:
        """Make a job of the present instant depend on the successful end of others."""
        self._journal.decide("depend", job=job, blockers=list(blockers))
        self.jobs[job].depends = tuple(blockers)

    def cancel(self, job: int) -> bool:
        """Cancel a job; a running one ends now. Return False if it had already ended."""
        tracked_job = self.jobs[job]
        if not tracked_job.open:
            return False
        self._journal.decide("cancel", job=job)
        tracked_job.cancelled = True
        if tracked_job.over:
            return False
        is_done = any(fact["kind"] == "cancelled" for fact in self._journal.facts(job))
        if tracked_job.number and not is_done:
            requests = {tracked_job.number: tracked_job.request}
            if self._retries.ask(lambda: self._slurm.cancel(requests)):
                self._report(tracked_job, OTHERS)
            else:
                self._report(tracked_job, "taken back")
            self._journal.append("cancelled", job=job)
        return True

    def advance(self, until: int | None) -> None:
        """Let time pass until the next event of a tracked job, or until `until`."""
        if record := self._journal.recall(*EVENTS):
            self._apply(record)
            self._looked = self._now
            return
        if self._is_resumed:
            self._recover()
        answered = True
        while until is not None or self._expects_events():
            self._submitter.send(self.jobs, self._over)
            if self._deliver_other():
                return
            event = min(next_events(self.jobs, self._over), default=None)
            if event is not None and (until is None or event.time <= until):
                if self._deliver(event):
                    return
                continue
            if until is not None and self._looked >= until:
                record = {"kind": "time", "now": max(self._now, until)}
                self._journal.append(**record)
                self._apply(record)
                return
            # each poll of a Slurm that does not answer waits its full time, even after `until`
            pause = until - self._slurm.time() if until is not None and answered else self._poll
            self._pause(max(0.0, min(self._poll, pause)))
            looked = int(self._slurm.time())
            if answered := self._watch.look(self.jobs):
                self._looked = looked
                self._record_ends()

    def _expects_events(self) -> bool:
        return any(tracked_job.open for tracked_job in self.jobs)

    def _deliver_other(self) -> bool:
        """Deliver an event that is not of a job; return False if there is none."""
        return False

    def _pause(self, seconds: float) -> None:
        self._slurm.sleep(seconds)

    def read(self) -> tuple[list[int], list[int]]:
        """Return tracked jobs that have started, and that have ended, since the last read."""
        events, self._news = self._news, ([], [])
        return events

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Cancel the remaining jobs and wait for their ends; or leave those that run."""
        self._journal.write = lambda append: append()
        # without its state, the run cannot know what to cancel
        unknown = isinstance(error, JournalError) or self._journal.replays
        if unknown or getattr(error, "detached", False):
            self.left = tuple(job.number for job in self.jobs if job.queued)
            return
        leave = isinstance(error, GivenUpError) or getattr(error, "hung_up", False)
        if error is not None:
            with suppress(OSError):
                self._journal.append("ending", error=describe_end(error), final=not leave)
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
        """Cancel jobs and wait for their ends; with `leave`, not those that run a stage."""
        tries = 0 if leave else UNANSWERED
        self._look_up(tries)
        remaining = [job for job in self.jobs if job.queued]
        if not remaining:
            return
        if leave:
            self._watch.update(remaining)
        self.left = tuple(tracked_job.number for tracked_job in remaining)
        numbers = " ".join(map(str, self.left))
        for job, tracked_job in enumerate(self.jobs):
            if leave and tracked_job in remaining and not _runs(tracked_job):
                with suppress(OSError):
                    self._journal.append("withdrawn", job=job)
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
                tracked_job.number = self._several_times(
                    lambda r=request: self._submitter.find(r), tries
                )
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

    def _deliver(self, event: Event) -> bool:
        """Deliver a start or an end to the strategy; return False if the job is submitted again."""
        job, tracked_job = event.job, self.jobs[event.job]
        now = max(self._now, event.time)
        if not event.start:
            self._apply(self._recorded("end", job=job, now=now))
            self._report(tracked_job, f"ended after {event.time - tracked_job.seen.start} s")
            return True
        seen, missed = tracked_job.seen, tracked_job.missed
        early = bool(missed) and not self._over.issuperset(tracked_job.stage.after)
        # if it idles for nothing, it checked too early, or marks appeared late
        if missed and not early and not self._release(tracked_job):
            self._reset(job, idled=True)
            return False
        message = f"started after {now - min(seen.submit, now)} s"
        if early:
            message += f"; idles, for {missed} has not ended"
        times = {"submit": seen.submit, "start": seen.start}
        missed = missed if early else ""
        self._apply(self._recorded("start", job=job, now=now, early=early, missed=missed, **times))
        self._report(tracked_job, message)
        return True

    def _release(self, tracked_job: TrackedJob) -> bool:
        """Release an idling job; return False if its allocation has ended before."""
        number = tracked_job.number
        if not self._retries.ask(lambda: self._folder.is_released(number)) and (
            tracked_job.over and tracked_job.seen.state == "TIMEOUT"
        ):
            return False
        tracked_job.missed = ""
        if tracked_job.bad:
            raise self._watch.ended_badly(tracked_job)
        return self._retries.ask(lambda: self._folder.go(number))

    def _recorded(self, kind: str, **fields: Any) -> Record:
        self._journal.append(kind, **fields)
        return {"kind": kind, **fields}

    def _apply(self, record: Record) -> None:
        """Let an event of the journal happen for the strategy."""
        self._now = record["now"]
        if record["kind"] == "time":
            return
        job, is_start = record["job"], record["kind"] == "start"
        tracked_job = self.jobs[job]
        if is_start:
            tracked_job.started = True
            tracked_job.early, tracked_job.missed = record["early"], record["missed"]
        else:
            tracked_job.ended = True
            if not tracked_job.early and not tracked_job.is_worker:
                self._over.add(tracked_job.stage.name)
        self._news[0 if is_start else 1].append(job)

    def _record_ends(self) -> None:
        """Record the ends of jobs, which Slurm forgets after some minutes."""
        for job, tracked_job in enumerate(self.jobs):
            if tracked_job.over and job not in self._ends:
                seen, missed = asdict(tracked_job.seen), tracked_job.missed
                self._journal.append("over", job=job, seen=seen, missed=missed)
                self._ends.add(job)

    def _recover(self) -> None:
        """Submit jobs again that the former client has cancelled; raise if its end was final."""
        self._is_resumed = False
        if self._journal.final_error:
            raise SlurmError(f"the run has ended before: {self._journal.final_error}")
        for job, tracked_job in enumerate(self.jobs):
            number = tracked_job.number
            if not (tracked_job.withdrawn and tracked_job.open and number):
                continue
            states = self._retries.ask(lambda number=number: self._slurm.jobs([number]))
            began = self._retries.ask(lambda number=number: self._folder.mark(number, "began"))
            if seen := states.get(number):
                tracked_job.seen = seen
            if (seen and not seen.over) or (began and began.words[0] == "run"):
                self._journal.append("kept", job=job)
                tracked_job.withdrawn = False
            elif not tracked_job.started:
                self._reset(job, idled=began is not None)

    def _reset(self, job: int, idled: bool) -> None:
        """Let a job be submitted again that has not run, and has left the queue."""
        tracked_job = self.jobs[job]
        number, seen = tracked_job.number, tracked_job.seen
        began, ended = (self._folder.mark(number, kind) for kind in ("began", "ended"))
        if seen is None or not seen.over:
            now = int(self._slurm.time())
            start = began.time if began else None
            seen = seen or Seen("", tracked_job.request.made, start)
            seen = replace(seen, state="CANCELLED", end=ended.time if ended else now)
        idled = idled and seen.start is not None
        self._journal.append("reset", job=job, seen=asdict(seen), idled=idled)
        self._report(tracked_job, "has left the queue before it ran: it is submitted again")
        self.former.append(tracked_job.reset(seen, idled))
        self._ends.discard(job)

    def _report(self, tracked_job: TrackedJob, message: str) -> None:
        self._say(f"{tracked_job.stage.name}: job {tracked_job.number} {message}")

    def _say(self, message: str) -> None:
        clock = time.strftime("%H:%M:%S", time.localtime(self._slurm.time()))
        self._tell(f"{clock}  {message}")


def describe_end(error: BaseException) -> str:
    """Return the text about an error that ended a run."""
    return str(error) or type(error).__name__


def _runs(tracked_job: TrackedJob) -> bool:
    """Return whether a job runs a stage; an idle one does not."""
    return tracked_job.begun and not tracked_job.missed

"""Monitor of tracked jobs: their states in the queue, and failures."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from schedlab.slurm.client import WAITING, Seen, SlurmError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from schedlab.slurm.client import Slurm
    from schedlab.slurm.folder import RunFolder
    from schedlab.slurm.retries import Retries
    from schedlab.slurm.tracked_jobs import TrackedJob
    from schedlab.slurm.workflow_file import WorkflowFile

#: Seconds for which Slurm must not know a job, nor a mark of its end be there, until it counts as
#: lost: shared file systems may show a mark a minute late
LOST_S = 120
#: maximum number of checks that cancelled jobs have left the queue, and seconds between them
SETTLING, PAUSE = 60, 1.0
#: normal reasons of waiting
USUAL = frozenset({"None", "Priority", "Resources", "Dependency", "Cleaning"})


class StageError(SlurmError):
    """An error that ends the workflow of a stage: the stage's name in the run, and a message."""

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(message)
        self.stage = stage


class Monitor:
    """Monitor of jobs by squeue and by the marks that they leave in the folder."""

    def __init__(
        self,
        slurm: Slurm,
        described: WorkflowFile,
        folder: RunFolder,
        report: Callable[[TrackedJob, str], None],
        retries: Retries,
    ) -> None:
        self._slurm, self._described, self._folder = slurm, described, folder
        self._report = report
        self._retries = retries

    def look(self, jobs: Collection[TrackedJob]) -> bool:
        """Update the states of jobs, and return if Slurm answered; a failed job is an error."""
        watched = [tracked_job for tracked_job in jobs if tracked_job.queued]
        try:
            states = self._slurm.jobs(tracked_job.number for tracked_job in watched)
        except SlurmError as error:
            self._retries.failed(error)
            return False
        try:
            for tracked_job in watched:
                if seen := states.get(tracked_job.number):
                    tracked_job.lost_since = None
                else:
                    seen = self._forgotten(tracked_job)
                if seen:
                    self._note(tracked_job, seen)
            self._follow_claims(jobs)
            if bad := [tracked_job for tracked_job in jobs if tracked_job.bad]:
                # jobs that ended only because of another's failure are not the cause
                cause = min(bad, key=lambda own: (own.seen.state == "CANCELLED", own.seen.end or 0))
                raise self.ended_badly(cause)
        except OSError as error:  # marks cannot be read
            self._retries.failed(error)
            return False
        self._retries.answered()
        return True

    def update(self, jobs: Collection[TrackedJob]) -> None:
        """Update the states of jobs if Slurm answers, whatever they are."""
        with suppress(SlurmError):
            states = self._slurm.jobs(tracked_job.number for tracked_job in jobs)
            for tracked_job in jobs:
                tracked_job.seen = states.get(tracked_job.number, tracked_job.seen)

    def settle(self, jobs: Collection[TrackedJob], pause: float) -> list[TrackedJob]:
        """Wait for cancelled jobs to leave the queue; return those that may still be there."""
        remaining = [tracked_job for tracked_job in jobs if tracked_job.queued]
        for _ in range(SETTLING):
            with suppress(SlurmError):
                states = self._slurm.jobs(tracked_job.number for tracked_job in remaining)
                for tracked_job in remaining:
                    tracked_job.seen = states.get(tracked_job.number) or self._gone(tracked_job)
                remaining = [tracked_job for tracked_job in remaining if not tracked_job.over]
            if not remaining:
                break
            self._slurm.sleep(pause)
        return remaining

    def place(self, tracked_job: TrackedJob) -> str:
        """Return the name of a job in messages: workflow and stage."""
        return self._described.title(tracked_job.stage.name)

    def ended_badly(self, tracked_job: TrackedJob) -> StageError:
        """Return the error about a job that failed."""
        place, name = self.place(tracked_job), tracked_job.stage.name
        # for a job that runs all stages: the stage that failed
        if failed := self._folder.mark(tracked_job.number, "failed"):
            name = failed.words[0]
            place = self._described.title(name)
        ended = self._folder.mark(tracked_job.number, "ended")
        code = ended.words[0] if ended else self._slurm.exit_code(tracked_job.number)
        reason = tracked_job.seen.reason
        why = "" if reason in ("None", "NonZeroExitCode") else f" ({reason})"
        return StageError(
            tracked_job.stage.name,
            f"{place}: job {tracked_job.number} ended as {tracked_job.seen.state}{why}, "
            f"exit code {code}; its output is {self._folder.output(name, tracked_job.number)}",
        )

    def _follow_claims(self, jobs: Collection[TrackedJob]) -> None:
        """Follow the job that runs a script; a late submission may have made two jobs of one."""
        for tracked_job in jobs:
            if not tracked_job.bad or tracked_job.request is None:
                continue
            number = self._folder.claimed(tracked_job.request.script)
            if number not in (0, tracked_job.number):
                self._report(tracked_job, f"ended at once, job {number} runs the stage")
                tracked_job.number, tracked_job.seen = number, None

    def _note(self, tracked_job: TrackedJob, seen: Seen) -> None:
        """Store the new state of a job and its decision to run or to idle."""
        before, tracked_job.seen = tracked_job.seen, seen
        if tracked_job.cancelled:
            return
        if tracked_job.started and not seen.begun:
            message = (
                f"{self.place(tracked_job)}: job {tracked_job.number} had begun and is "
                f"{seen.state} now: it was put back into the queue"
            )
            # a worker serves all workflows of the run
            stage = tracked_job.stage.name
            raise SlurmError(message) if tracked_job.is_worker else StageError(stage, message)
        if seen.begun and tracked_job.missed is None:
            tracked_job.missed = self._missed(tracked_job)
        odd = seen.state in WAITING and seen.reason not in USUAL
        if odd and (before is None or before.reason != seen.reason):
            self._report(tracked_job, f"waits: {seen.reason}")

    def _missed(self, tracked_job: TrackedJob) -> str | None:
        """Return the stage that a job missed at its start, "" for none, None if not known yet."""
        if not tracked_job.awaits:
            return ""
        mark = self._folder.mark(tracked_job.number, "began")
        if tracked_job.seen.state == "COMPLETED":
            if not self._folder.gave_up(tracked_job.number):
                return ""
            return mark.words[1] if mark else tracked_job.awaits[0]
        if mark is None:
            return None
        return mark.words[1] if mark.words[0] == "idle" else ""

    def _forgotten(self, tracked_job: TrackedJob) -> Seen | None:
        """Return the state of a job that Slurm has forgotten, from its marks; None if not yet."""
        began, ended = (self._folder.mark(tracked_job.number, kind) for kind in ("began", "ended"))
        if tracked_job.cancelled or tracked_job.withdrawn:
            return self._gone(tracked_job)
        if began is None or ended is None:
            now = self._slurm.time()
            if tracked_job.lost_since is None:
                tracked_job.lost_since = now
            if now - tracked_job.lost_since < LOST_S:
                return None
            request = tracked_job.request
            if request and (recorded := self._slurm.recorded(tracked_job.number, request)):
                return recorded
            idled = began is not None and began.words[0] == "idle"
            if idled and not self._folder.is_released(tracked_job.number):
                return self._idled_to_its_end(tracked_job, began.time)
            last = tracked_job.seen
            if tracked_job.is_worker:
                last = last or Seen("", request.made if request else int(now))
                return replace(last, state="LOST", end=int(now))
            was = f"{last.state} when it was seen last" if last else "never seen"
            raise StageError(
                tracked_job.stage.name,
                f"{self.place(tracked_job)}: job {tracked_job.number} is lost: Slurm does not know "
                f"it, it was {was}, and no mark of its end is there; "
                f"see {self._folder.output(tracked_job.stage.name, tracked_job.number)}",
            )
        seen = tracked_job.seen or Seen("", began.time)
        return Seen(
            "COMPLETED" if ended.words == ("0",) else "FAILED",
            seen.submit,
            seen.start if seen.begun else began.time,
            ended.time,
        )

    def _idled_to_its_end(self, tracked_job: TrackedJob, began: int) -> Seen:
        """Return the state of a forgotten job that only idled, at most until its time limit."""
        seen = tracked_job.seen or Seen("", began)
        start = seen.start if seen.begun else began
        limit = start + 60 * tracked_job.request.minutes
        return Seen("TIMEOUT", seen.submit, start, min(limit, int(self._slurm.time())))

    def _gone(self, tracked_job: TrackedJob) -> Seen:
        now = int(self._slurm.time())
        return replace(tracked_job.seen or Seen("", now), state="CANCELLED", end=now)

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
    from schedlab.slurm.tracked_jobs import TrackedJob

#: maximum number of consecutive polls without an answer
UNANSWERED = 10
#: maximum number of checks that cancelled jobs have left the queue, and seconds between them
SETTLING, PAUSE = 60, 1.0
#: normal reasons of waiting
USUAL = frozenset({"None", "Priority", "Resources", "Dependency", "Cleaning"})


class Monitor:
    """Monitor of jobs by squeue and by the marks that they leave in the folder.

    The workflow is named in messages. `say` takes a job and a text about an event of it.
    """

    def __init__(
        self, slurm: Slurm, workflow: str, folder: RunFolder, say: Callable[[TrackedJob, str], None]
    ) -> None:
        self._slurm, self._workflow, self._folder, self._say = slurm, workflow, folder, say
        self._unanswered = 0

    def look(self, jobs: Collection[TrackedJob]) -> bool:
        """Update the states of jobs, and return whether Slurm answered.

        Raises `SlurmError` if a job failed, is lost or was requeued, or Slurm has not answered
        several polls.
        """
        watched = [own for own in jobs if own.number and not own.over]
        try:
            found = self._slurm.jobs(own.number for own in watched)
        except SlurmError as error:
            self._unanswered += 1
            if self._unanswered > UNANSWERED:
                raise SlurmError(
                    f"workflow {self._workflow}: Slurm has not answered {self._unanswered} times "
                    f"in a row: {error}"
                ) from error
            return False
        self._unanswered = 0
        for own in watched:
            self._note(own, found.get(own.number) or self._forgotten(own))
        if bad := [own for own in watched if own.bad]:
            # jobs that ended only because of another's failure are not the cause
            cause = min(bad, key=lambda own: (own.seen.state == "CANCELLED", own.seen.end or 0))
            raise self.ended_badly(cause)
        return True

    def settle(self, jobs: Collection[TrackedJob], pause: float) -> list[TrackedJob]:
        """Wait for cancelled jobs to leave the queue; return those that are still there.

        While Slurm does not answer, all of them count as still there.
        """
        left = [own for own in jobs if own.number and not own.over]
        for _ in range(SETTLING):
            with suppress(SlurmError):
                found = self._slurm.jobs(own.number for own in left)
                for own in left:
                    own.seen = found.get(own.number) or self._gone(own)
                left = [own for own in left if not own.over]
            if not left:
                break
            self._slurm.sleep(pause)
        return left

    def place(self, own: TrackedJob) -> str:
        """Return the name of a job in messages: workflow and stage."""
        return f"workflow {self._workflow}: stage {own.stage.name!r}"

    def ended_badly(self, own: TrackedJob) -> SlurmError:
        """Return the error about a job that failed."""
        place, name = self.place(own), own.stage.name
        # for a job that runs all stages: the stage that failed
        if failed := self._folder.mark(own.number, "failed"):
            name = failed.words[0]
            place = f"workflow {self._workflow}: stage {name!r}"
        ended = self._folder.mark(own.number, "ended")
        code = ended.words[0] if ended else self._slurm.exit_code(own.number)
        why = "" if own.seen.reason in ("None", "NonZeroExitCode") else f" ({own.seen.reason})"
        return SlurmError(
            f"{place}: job {own.number} ended as {own.seen.state}{why}, exit code {code}; its "
            f"output is {self._folder.output(name, own.number)}"
        )

    def _note(self, own: TrackedJob, seen: Seen) -> None:
        """Store the new state of a job and its decision to run or to idle."""
        before, own.seen = own.seen, seen
        if own.cancelled:
            return
        if own.started and not seen.begun:
            raise SlurmError(
                f"{self.place(own)}: job {own.number} had begun and is {seen.state} now: it "
                "was put back into the queue"
            )
        if seen.begun and own.missed is None:
            own.missed = self._missed(own)
        odd = seen.state in WAITING and seen.reason not in USUAL
        if odd and (before is None or before.reason != seen.reason):
            self._say(own, f"waits: {seen.reason}")

    def _missed(self, own: TrackedJob) -> str | None:
        """Return the stage that a job missed at its start, "" for none, None if not known yet."""
        if not own.awaits or own.seen.state == "COMPLETED":
            return ""
        mark = self._folder.mark(own.number, "began")
        if mark is None:
            return None
        return mark.words[1] if mark.words[0] == "idle" else ""

    def _forgotten(self, own: TrackedJob) -> Seen:
        """Return the state of a job that Slurm has forgotten, from its marks."""
        began, ended = (self._folder.mark(own.number, kind) for kind in ("began", "ended"))
        if own.cancelled:
            return self._gone(own)
        if began is None or ended is None:
            was = "never seen" if own.seen is None else f"{own.seen.state} when it was seen last"
            raise SlurmError(
                f"{self.place(own)}: job {own.number} is lost: Slurm does not know it, it was "
                f"{was}, and no mark of its end is there; see {self._output(own)}"
            )
        seen = own.seen or Seen("", began.time)
        return Seen(
            "COMPLETED" if ended.words == ("0",) else "FAILED",
            seen.submit,
            seen.start if seen.begun else began.time,
            ended.time,
        )

    def _gone(self, own: TrackedJob) -> Seen:
        """Return the assumed state of a cancelled job that Slurm has forgotten."""
        now = int(self._slurm.time())
        return replace(own.seen or Seen("", now), state="CANCELLED", end=now)

    def _output(self, own: TrackedJob) -> str:
        return str(self._folder.output(own.stage.name, own.number))

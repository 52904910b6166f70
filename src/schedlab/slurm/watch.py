"""Looking at the jobs of one's own in a queue: what became of them, and what may not."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from schedlab.slurm.client import WAITING, Seen, SlurmError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from schedlab.slurm.client import Slurm
    from schedlab.slurm.folder import RunFolder
    from schedlab.slurm.own import Own

#: polls in a row without an answer of Slurm
PATIENCE = 10
#: looks at what was taken back until it has left the queue, and seconds between two of them
SETTLING, PAUSE = 60, 1.0
#: why jobs wait when all is as it should be
USUAL = frozenset({"None", "Priority", "Resources", "Dependency", "Cleaning"})


class Watch:
    """What is seen of jobs by squeue and by the marks that they leave.

    Parameters
    ----------
    slurm : Slurm
        Its commands and its clock.
    workflow : str
        What messages call it.
    folder : RunFolder
        Where the marks are.
    say : callable
        Is told of a job what it does, in words.
    """

    def __init__(
        self, slurm: Slurm, workflow: str, folder: RunFolder, say: Callable[[Own, str], None]
    ) -> None:
        self._slurm, self._workflow, self._folder, self._say = slurm, workflow, folder, say
        self._unanswered = 0

    def look(self, jobs: Collection[Own]) -> bool:
        """See what has become of jobs, and return whether Slurm answered.

        Raises
        ------
        SlurmError
            One has ended badly, is lost or was put back, or Slurm has not answered for some polls.
        """
        watched = [own for own in jobs if own.number and not own.over]
        try:
            found = self._slurm.jobs(own.number for own in watched)
        except SlurmError as error:
            self._unanswered += 1
            if self._unanswered > PATIENCE:
                raise SlurmError(
                    f"workflow {self._workflow}: Slurm has not answered {self._unanswered} times "
                    f"in a row: {error}"
                ) from error
            return False
        self._unanswered = 0
        for own in watched:
            self._note(own, found.get(own.number) or self._forgotten(own))
        if bad := [own for own in watched if own.bad]:
            # those that only another's end took down are not the cause
            cause = min(bad, key=lambda own: (own.seen.state == "CANCELLED", own.seen.end or 0))
            raise self.ended_badly(cause)
        return True

    def settle(self, jobs: Collection[Own], pause: float) -> list[Own]:
        """See jobs that were taken back leave the queue; return those that some looks still see.

        While Slurm does not answer nothing is known of any of them.
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

    def place(self, own: Own) -> str:
        """Return what messages call a job: workflow and stage."""
        return f"workflow {self._workflow}: stage {own.stage.name!r}"

    def ended_badly(self, own: Own) -> SlurmError:
        """Return what is said of a job that ended as it should not."""
        place, name = self.place(own), own.stage.name
        # of a job that runs all stages, the one that failed
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

    def _note(self, own: Own, seen: Seen) -> None:
        """Take note of what was seen of a job, and of what it decided."""
        before, own.seen = own.seen, seen
        if own.cancelled:
            return
        if own.started and not seen.begun:
            raise SlurmError(
                f"{self.place(own)}: job {own.number} had begun and is {seen.state} now: somebody "
                "put it back into the queue"
            )
        if seen.begun and own.missed is None:
            own.missed = self._missed(own)
        odd = seen.state in WAITING and seen.reason not in USUAL
        if odd and (before is None or before.reason != seen.reason):
            self._say(own, f"waits: {seen.reason}")

    def _missed(self, own: Own) -> str | None:
        """Return the stage that a job missed when it began, "" for none, None if not known yet."""
        if not own.awaits or own.seen.state == "COMPLETED":
            return ""
        mark = self._folder.mark(own.number, "began")
        if mark is None:
            return None
        return mark.words[1] if mark.words[0] == "idle" else ""

    def _forgotten(self, own: Own) -> Seen:
        """Return what the marks of a job say that Slurm does not know."""
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

    def _gone(self, own: Own) -> Seen:
        """Return what is taken for seen of a job that was taken back and is not known any more."""
        now = int(self._slurm.time())
        return replace(own.seen or Seen("", now), state="CANCELLED", end=now)

    def _output(self, own: Own) -> str:
        return str(self._folder.output(own.stage.name, own.number))

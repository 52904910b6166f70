"""A real Slurm as strategies see it: own jobs, in the order in which they decided.

How what happens there becomes what a strategy is told:

- What happened is seen at polls, and told one event at a time with the time that Slurm has for it.
  So `now` runs behind the clock by up to a poll, and waits are Slurm's. What should be submitted at
  a time that has passed is submitted at once; what counts as its wait begins where Slurm says.
- Stages submitted without a dependency look once, when they begin, for the marks that the stages
  before them leave when they end well (`stage.sh.j2`), and run or idle. What they decided stands in
  a mark of their own, and what is told agrees with it whatever a poll has seen: one that runs is
  told to start after the ends of the stages before it; one that idles, before the end of the stage
  that it missed. While one has begun and its mark is not there, that end is not told.
- On a file system where marks appear late, one may idle though the end of the stage before it has
  been told already: it is let go by another mark then, and has started.
- A job that Slurm has forgotten ended when its mark says; without such a mark it is lost.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from schedlab.slurm.client import Request, Seen, SlurmError
from schedlab.slurm.interrupts import held_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from schedlab.asa.workflows import Stage
    from schedlab.slurm.client import Slurm
    from schedlab.slurm.described import Described
    from schedlab.slurm.folder import RunFolder

#: polls in a row without an answer of Slurm, or while jobs that were taken back end
PATIENCE = 10
#: why jobs wait when all is as it should be
USUAL = frozenset({"None", "Priority", "Resources", "Dependency", "BeginTime", "Cleaning"})


@dataclass
class Own:
    """A job of one's own.

    Attributes
    ----------
    stage : Stage
        What it runs.
    number : int
        Slurm's; 0 before it has been submitted.
    seen : Seen or None
        What was seen of it last.
    early : bool
        Whether it came before a stage that it needs, and idles.
    cancelled : bool
        Whether it was taken back by its strategy.
    """

    stage: Stage
    number: int = 0
    seen: Seen | None = None
    early: bool = False
    cancelled: bool = False
    depends: tuple[int, ...] = ()
    awaits: tuple[str, ...] = ()
    # the stage without which it idled when it began; "" for none
    missed: str | None = None
    started: bool = False
    ended: bool = False

    @property
    def open(self) -> bool:
        """Whether its strategy has yet to hear of it."""
        return not (self.ended or self.cancelled)


@dataclass(frozen=True, order=True)
class _Event:
    time: int
    start: bool  # at one time, ends come first
    job: int


class SlurmQueue:
    """A Slurm in which the jobs submitted through this are one's own.

    A context: when its block ends, however it does, no job of one's own stays in the queue.

    Parameters
    ----------
    slurm : Slurm
        Its commands and its clock.
    described : Described
        What the stages run.
    folder : RunFolder
        Where scripts, outputs and marks are.
    poll : float
        Seconds between two looks at the queue.
    tell : callable
        Is told in a line what happens.

    Raises
    ------
    SlurmError
        From `advance`: a submission is refused, a job ends badly or is lost, or Slurm has not
        answered for some polls.
    """

    def __init__(
        self,
        slurm: Slurm,
        described: Described,
        folder: RunFolder,
        poll: float,
        tell: Callable[[str], None],
    ) -> None:
        self._slurm, self._described, self._folder = slurm, described, folder
        self._poll, self._tell = poll, tell
        self._now = self._looked = int(slurm.time())
        self.jobs: list[Own] = []
        self._over: set[str] = set()  # stages whose ends have been told
        self._news: tuple[list[int], list[int]] = ([], [])
        self._unanswered = 0

    @property
    def now(self) -> int:
        """The time of the last event that was told, in seconds since 1970."""
        return self._now

    def submit(self, stage: Stage) -> int:
        """Submit a job, as soon as time is to pass; what it depends on is known then."""
        self.jobs.append(Own(stage))
        return len(self.jobs) - 1

    def submitted(self, job: int) -> int:
        """When Slurm took a job."""
        seen = self.jobs[job].seen
        return self._now if seen is None else min(seen.submit, self._now)

    def depend(self, job: int, others: Sequence[int]) -> None:
        """Let a job submitted at this very instant start only when others have ended well."""
        self.jobs[job].depends = tuple(others)

    def cancel(self, job: int) -> bool:
        """Take a job back; a running one ends now. False if it had ended already."""
        own = self.jobs[job]
        if not own.open:
            return False
        own.cancelled = True
        if own.number:
            self._slurm.cancel([own.number])
            self._say(own, "taken back")
        return own.seen is None or not own.seen.over

    def advance(self, until: int | None) -> None:
        """Let time pass until something happens to a job of one's own, or to `until`."""
        self._send()
        while until is not None or any(own.open for own in self.jobs):
            event = min(self._events(), default=None)
            if event is not None and (until is None or event.time <= until):
                self._deliver(event)
                return
            if until is not None and self._looked >= until:
                self._now = max(self._now, until)
                return
            left = self._poll if until is None else until - self._slurm.time()
            self._slurm.sleep(max(0.0, min(self._poll, left)))
            self._look()

    def read(self) -> tuple[list[int], list[int]]:
        """Own jobs that have started, and that have ended, since this was read last."""
        found, self._news = self._news, ([], [])
        return found

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        """Take back what is left, and see it end."""
        with held_back():
            left = [own for own in self.jobs if own.number and not _over(own)]
            try:
                self._slurm.cancel(own.number for own in left)
            except SlurmError as error:
                numbers = " ".join(str(own.number) for own in left)
                self._tell(f"not taken back, for {error}; do it by hand: scancel {numbers}")
                return
            for own in left:
                if not own.cancelled:
                    own.cancelled = True
                    self._say(own, "taken back")
        self._settle()

    def _settle(self) -> None:
        """Wait for what was taken back to leave the queue."""
        for _ in range(PATIENCE):
            left = [own for own in self.jobs if own.number and not _over(own)]
            if not left:
                return
            with suppress(SlurmError):
                found = self._slurm.jobs(own.number for own in left)
                for own in left:
                    own.seen = found.get(own.number) or self._gone(own)
                if all(map(_over, left)):
                    return
            self._slurm.sleep(min(self._poll, 1.0))

    def _send(self) -> None:
        """Submit what has been asked for since time passed last."""
        for own in self.jobs:
            if own.number or own.cancelled:
                continue
            after = [self.jobs[other] for other in own.depends]
            if not after:
                own.awaits = tuple(name for name in own.stage.after if name not in self._over)
            request = Request(
                f"{self._described.workflow.name}.{own.stage.name}",
                self._folder.script(own.stage, own.awaits, self._poll),
                self._folder.output(own.stage.name),
                own.stage.cores,
                self._described.minutes(own.stage),
                self._described.options,
                tuple(other.number for other in after if not _over(other)),
            )
            try:
                with held_back():
                    own.number = self._slurm.submit(request)
            except SlurmError as error:
                own.cancelled = True
                raise SlurmError(f"{self._place(own)}: not submitted: {error}") from error
            words = "submitted"
            if request.after:
                words += f", after {' and '.join(other.stage.name for other in after)}"
            self._say(own, f"{words}, {own.stage.cores} cores, {request.minutes} min")

    def _look(self) -> None:
        """See what has become of the jobs."""
        looked = int(self._slurm.time())
        watched = [own for own in self.jobs if own.number and not _over(own)]
        try:
            found = self._slurm.jobs(own.number for own in watched)
        except SlurmError as error:
            self._unanswered += 1
            if self._unanswered > PATIENCE:
                raise SlurmError(
                    f"Slurm has not answered {self._unanswered} times in a row: {error}"
                ) from error
            return
        self._looked, self._unanswered = looked, 0
        for own in watched:
            self._note(own, found.get(own.number) or self._forgotten(own))
        bad = [own for own in watched if not own.cancelled and self._bad(own)]
        if bad:
            # those that were only taken down by another's end are not the cause
            raise self._ended_badly(
                min(bad, key=lambda own: (own.seen.state == "CANCELLED", own.seen.end or 0))
            )

    def _note(self, own: Own, seen: Seen) -> None:
        """Take note of what was seen of a job, and of what it decided."""
        before, own.seen = own.seen, seen
        if own.cancelled:
            return
        if own.started and not seen.begun:
            raise SlurmError(
                f"{self._place(own)}: job {own.number} had begun and is {seen.state} again: somebody "
                "put it back"
            )
        if seen.begun and own.missed is None:
            own.missed = self._missed(own)
        waits = seen.state == "PENDING" and seen.reason not in USUAL
        if waits and (before is None or before.reason != seen.reason):
            self._say(own, f"waits: {seen.reason}")

    def _missed(self, own: Own) -> str | None:
        """Return the stage that a job missed when it began, "" for none, None if unknown yet."""
        mark = self._folder.mark(own.number, "began") if own.awaits else None
        if mark is None:
            return "" if not own.awaits or own.seen.state == "COMPLETED" else None
        return mark.words[1] if mark.words[0] == "idle" else ""

    def _forgotten(self, own: Own) -> Seen:
        """Return what a job's marks say of it, of which Slurm says nothing."""
        began, ended = (self._folder.mark(own.number, kind) for kind in ("began", "ended"))
        if began is None or ended is None:
            if own.cancelled:
                return self._gone(own)
            was = "has never been seen" if own.seen is None else f"was {own.seen.state} before"
            raise SlurmError(
                f"{self._place(own)}: job {own.number} is lost: Slurm does not know it, it {was}, and "
                f"it left no mark of its end; see {self._output(own)}"
            )
        seen = own.seen or Seen("COMPLETED", began.time)
        start = seen.start if seen.begun else began.time
        state = "COMPLETED" if ended.words == ("0",) else "FAILED"
        return Seen(state, seen.submit, start, ended.time)

    def _gone(self, own: Own) -> Seen:
        """What is taken for seen of a job that was taken back and is forgotten."""
        now = int(self._slurm.time())
        return replace(own.seen or Seen("", now), state="CANCELLED", end=now)

    def _bad(self, own: Own) -> bool:
        """Whether a job has ended as it should not; one that idles may use its limit up."""
        if not own.seen.over or own.seen.state == "COMPLETED":
            return False
        return not (own.seen.state == "TIMEOUT" and own.missed)

    def _ended_badly(self, own: Own) -> SlurmError:
        failed = self._folder.mark(own.number, "failed")
        place = self._place(own, failed.words[0] if failed else None)
        output = self._output(own, failed.words[0] if failed else None)
        mark = self._folder.mark(own.number, "ended")
        code = mark.words[0] if mark else self._slurm.exit_code(own.number)
        why = "" if own.seen.reason in ("None", "NonZeroExitCode") else f" ({own.seen.reason})"
        return SlurmError(
            f"{place}: job {own.number} ended as {own.seen.state}{why}, exit code {code}; its output "
            f"is {output}"
        )

    def _events(self) -> Iterator[_Event]:
        """What can be told next, of all that was seen."""
        for job, own in enumerate(self.jobs):
            if not own.open or own.seen is None or not own.seen.begun:
                continue
            if not own.started:
                if self._may_start(own):
                    yield _Event(own.seen.start, True, job)
            elif own.seen.over and not self._awaited(own):
                yield _Event(own.seen.end or self._looked, False, job)

    def _may_start(self, own: Own) -> bool:
        """Whether the start of a job that has begun agrees with what was told of others."""
        if own.missed is None:
            return False
        return bool(own.missed) or self._over.issuperset(own.stage.after)

    def _awaited(self, own: Own) -> bool:
        """Whether a job that idled for the lack of this one is still to be told of, or may be."""
        if own.early:
            return False
        name = own.stage.name
        return any(
            other.open
            and not other.started
            and other.seen is not None
            and other.seen.begun
            and (other.missed == name or (other.missed is None and name in other.awaits))
            for other in self.jobs
        )

    def _deliver(self, event: _Event) -> None:
        """Tell of one event."""
        own = self.jobs[event.job]
        self._now = max(self._now, event.time)
        if event.start:
            own.started = True
            waited = self._now - self.submitted(event.job)
            own.early = bool(own.missed) and not self._over.issuperset(own.stage.after)
            if own.missed and not own.early:
                self._let_go(own)
            idles = f", and idles: {own.missed} has not ended" if own.early else ""
            self._say(own, f"started after {waited} s{idles}")
            self._news[0].append(event.job)
            return
        own.ended = True
        if not own.early:
            self._over.add(own.stage.name)
        self._say(own, f"ended after {event.time - own.seen.start} s")
        self._news[1].append(event.job)

    def _let_go(self, own: Own) -> None:
        """Let a job run that idles, for the marks of the stages before it came late."""
        own.missed = ""
        if self._bad(own):
            raise self._ended_badly(own)
        self._folder.go(own.number)

    def _place(self, own: Own, stage: str | None = None) -> str:
        return f"workflow {self._described.workflow.name}: stage {stage or own.stage.name!r}"

    def _output(self, own: Own, stage: str | None = None) -> str:
        return str(self._folder.output(stage or own.stage.name, own.number))

    def _say(self, own: Own, words: str) -> None:
        clock = time.strftime("%H:%M:%S", time.localtime(self._slurm.time()))
        self._tell(f"{clock}  {own.stage.name}: job {own.number} {words}")


def _over(own: Own) -> bool:
    """Whether a job was seen to have ended."""
    return own.seen is not None and own.seen.over

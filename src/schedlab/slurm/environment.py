"""A real Slurm as strategies see it.

How what happens there becomes what a strategy is told:

- What happened is seen at polls, and told one event at a time with the time that Slurm has for it.
  So `now` runs behind the clock by up to a poll, and waits are Slurm's. What should be submitted at
  a time that has passed is submitted at once; its wait begins when Slurm says that it took it.
- In which order things are told, `schedlab.slurm.own` says.
- A job may idle though all ends that it needs have been told: it looked within the second in which
  the last of them came, or on a file system where marks appear late. It is let go by a mark of its
  own then, and has started.
- A job that Slurm has forgotten ended when its mark says; without such a mark it is lost.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self, TypeVar

from schedlab.slurm.client import SbatchRequest, SlurmError
from schedlab.slurm.interrupts import Interrupted, held_back
from schedlab.slurm.own import Own, tellable
from schedlab.slurm.watch import PATIENCE, PAUSE, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedlab.slurm.client import Slurm
    from schedlab.slurm.described import Described
    from schedlab.slurm.folder import RunFolder
    from schedlab.slurm.own import Event
    from schedlab.waits.workflows import Stage

T = TypeVar("T")


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

    Attributes
    ----------
    jobs : list of Own
        By handle.
    left : tuple of int
        When the block has ended, numbers of jobs that could not be taken back, or were not seen to
        leave the queue.

    Raises
    ------
    SlurmError
        From `advance`: a submission is refused, a job ends badly, is lost or was put back, or Slurm
        has not answered for some polls.
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
        self._watch = Watch(slurm, described.workflow.name, folder, self._say)
        self._now = self._looked = int(slurm.time())
        self.jobs: list[Own] = []
        self.left: tuple[int, ...] = ()
        self._over: set[str] = set()  # stages whose ends have been told
        self._news: tuple[list[int], list[int]] = ([], [])

    @property
    def now(self) -> int:
        """The time of what was told last, in seconds since 1970."""
        return self._now

    def submit(self, stage: Stage) -> int:
        """Submit a job, as soon as time is to pass: what it depends on is known then."""
        self.jobs.append(Own(stage))
        return len(self.jobs) - 1

    def submitted(self, job: int) -> int:
        """When Slurm took a job that has started."""
        return min(self.jobs[job].seen.submit, self._now)

    def depend(self, job: int, others: Sequence[int]) -> None:
        """Let a job submitted at this very instant start only when others have ended well."""
        self.jobs[job].depends = tuple(others)

    def cancel(self, job: int) -> bool:
        """Take a job back; a running one ends now. False if it had ended already."""
        own = self.jobs[job]
        if not own.open:
            return False
        own.cancelled = True
        if own.over:
            return False
        if own.number:
            self._patiently(lambda: self._slurm.cancel([own.number]))
            self._say(own, "taken back")
        return True

    def advance(self, until: int | None) -> None:
        """Let time pass until something happens to a job of one's own, or to `until`."""
        self._send()
        answered = True
        while until is not None or any(own.open for own in self.jobs):
            event = min(tellable(self.jobs, self._over), default=None)
            if event is not None and (until is None or event.time <= until):
                self._tell_of(event)
                return
            if until is not None and self._looked >= until:
                self._now = max(self._now, until)
                return
            # a Slurm that is silent is given a whole poll each time, also when `until` has passed
            left = until - self._slurm.time() if until is not None and answered else self._poll
            self._slurm.sleep(max(0.0, min(self._poll, left)))
            looked = int(self._slurm.time())
            if answered := self._watch.look(self.jobs):
                self._looked = looked

    def read(self) -> tuple[list[int], list[int]]:
        """Own jobs that have started, and that have ended, since this was read last."""
        found, self._news = self._news, ([], [])
        return found

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take back what is left, and see it end."""
        done = False
        try:
            with held_back():
                self._take_back()
                done = True
        except Interrupted:
            # the first signal came just before; further ones do nothing
            if not done:
                with held_back():
                    self._take_back()
            raise

    def _take_back(self) -> None:
        """Take back what is left and see it end; say what could not be, or does not end."""
        if not (left := [own for own in self.jobs if own.number and not own.over]):
            return
        self.left = tuple(own.number for own in left)
        numbers = " ".join(map(str, self.left))
        try:
            self._patiently(lambda: self._slurm.cancel(self.left))
        except SlurmError as error:
            self._tell(f"{error}: what is left is to be taken back by hand: scancel {numbers}")
            return
        for own in left:
            if not own.cancelled:
                own.cancelled = True
                self._say(own, "taken back")
        left = self._watch.settle(self.jobs, min(self._poll, PAUSE))
        self.left = tuple(own.number for own in left)
        if left:
            numbers = " ".join(map(str, self.left))
            self._tell(f"taken back, but not seen to leave the queue: scancel {numbers}")

    def _patiently(self, ask: Callable[[], T]) -> T:
        """Ask Slurm for something, as often as it is looked at while it does not answer."""
        for _ in range(PATIENCE):
            try:
                return ask()
            except SlurmError:
                self._slurm.sleep(self._poll)
        return ask()

    def _send(self) -> None:
        """Submit what has been asked for since time passed last."""
        for own in self.jobs:
            if own.number or own.cancelled:
                continue
            after = [self.jobs[other] for other in own.depends]
            if not after:
                own.awaits = tuple(name for name in own.stage.after if name not in self._over)
            request = SbatchRequest(
                f"{self._described.workflow.name}.{own.stage.name}",
                self._folder.script(own.stage, own.awaits, self._poll),
                self._folder.output(own.stage.name),
                own.stage.cores,
                self._described.minutes(own.stage),
                self._described.options,
                tuple(other.number for other in after if not other.over),
            )
            try:
                # a signal between Slurm's yes and the number would leave a job that nobody knows
                with held_back():
                    self._submit(own, request)
            except SlurmError as error:
                raise SlurmError(f"{self._watch.place(own)}: not submitted: {error}") from error
            names = " and ".join(other.stage.name for other in after if not other.over)
            when = f" to start after {names}" if names else ""
            cores = f"{own.stage.cores} core{'s' * (own.stage.cores > 1)}"
            self._say(own, f"submitted{when}: {cores}, {request.minutes} min")

    def _submit(self, own: Own, request: SbatchRequest) -> None:
        """Submit a job; if that fails Slurm may have it still: its number is looked up then."""
        try:
            own.number = self._slurm.submit(request)
        except SlurmError as error:
            try:
                own.number = self._patiently(lambda: self._slurm.find(request))
            except SlurmError as silent:
                raise SlurmError(
                    f"{error}; whether Slurm took it is not known ({silent}): look by squeue --me "
                    f"for {request.name}"
                ) from error
            raise

    def _tell_of(self, event: Event) -> None:
        """Tell of a start or an end."""
        own = self.jobs[event.job]
        self._now = max(self._now, event.time)
        if event.start:
            self._start(event.job, own)
        else:
            own.ended = True
            if not own.early:
                self._over.add(own.stage.name)
            self._say(own, f"ended after {event.time - own.seen.start} s")
        self._news[0 if event.start else 1].append(event.job)

    def _start(self, job: int, own: Own) -> None:
        own.started = True
        own.early = bool(own.missed) and not self._over.issuperset(own.stage.after)
        words = f"started after {self._now - self.submitted(job)} s"
        if own.early:
            words += f"; idles, for {own.missed} has not ended"
        elif own.missed:
            # it looked too soon, or marks came late
            own.missed = ""
            if own.bad:
                raise self._watch.ended_badly(own)
            self._folder.go(own.number)
        self._say(own, words)

    def _say(self, own: Own, words: str) -> None:
        clock = time.strftime("%H:%M:%S", time.localtime(self._slurm.time()))
        self._tell(f"{clock}  {own.stage.name}: job {own.number} {words}")

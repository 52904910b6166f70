"""Jobs of one's own on a Slurm, and in which order may be told what happened to them.

Stages that are submitted without a dependency look once, when they begin, for the marks that the
stages before them leave when they end well (``stage.sh.j2``), and run or idle. What they decided
stands in a mark of their own, and what is told agrees with it, whatever a poll has seen. One that
idles though the ends that it needs have been told is let go by a further mark (see
`schedlab.slurm.environment`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from schedlab.slurm.client import Seen
    from schedlab.waits.workflows import Stage


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
    depends : tuple of int
        Handles of the jobs that Slurm lets it wait for.
    awaits : tuple of str
        Names of the stages for whose marks it looks when it begins.
    missed : str or None
        The stage whose mark was not there then; "" for none, None if that is not known yet.
    started, ended : bool
        What its strategy was told.
    early : bool
        Whether it was told to have started before a stage that it needs has ended.
    cancelled : bool
        Whether it was taken back.
    """

    stage: Stage
    number: int = 0
    seen: Seen | None = None
    depends: tuple[int, ...] = ()
    awaits: tuple[str, ...] = ()
    missed: str | None = None
    started: bool = False
    ended: bool = False
    early: bool = False
    cancelled: bool = False

    @property
    def open(self) -> bool:
        """Whether its strategy has yet to hear of it."""
        return not (self.ended or self.cancelled)

    @property
    def begun(self) -> bool:
        """Whether it was seen to have begun."""
        return self.seen is not None and self.seen.begun

    @property
    def over(self) -> bool:
        """Whether it was seen to have ended."""
        return self.seen is not None and self.seen.over

    @property
    def bad(self) -> bool:
        """Whether it has ended as it should not; one that idles may use its limit up."""
        if not self.over or self.cancelled or self.seen.state == "COMPLETED":
            return False
        return not (self.seen.state == "TIMEOUT" and self.missed)


@dataclass(frozen=True, order=True)
class Event:
    """A start or an end of a job; of those of one time, ends come first."""

    time: int
    start: bool
    job: int


def tellable(jobs: Sequence[Own], over: AbstractSet[str]) -> Iterator[Event]:
    """Yield what can be told next of all that was seen.

    Parameters
    ----------
    jobs : sequence of Own
        By handle.
    over : set of str
        Names of the stages whose ends have been told.

    Notes
    -----
    One that runs starts after the ends of all stages before it, also where those are seen later or
    have later times; one that idles starts when it did. While what a job decided is not known its
    start is not told. None of this can block for ever: what idles waits for nothing.
    """
    for job, own in enumerate(jobs):
        if not (own.open and own.begun):
            continue
        if own.started:
            if own.over:
                yield Event(own.seen.end, False, job)
        elif own.missed or (own.missed == "" and over.issuperset(own.stage.after)):
            yield Event(own.seen.start, True, job)

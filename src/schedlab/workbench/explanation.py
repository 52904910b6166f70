"""What an explanation of a wait consists of, and how it is told in lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import timedelta

from schedlab.workbench.watching import HEAD, NARROW, ORDER, PLAN

#: by which right a job started while another waited
RIGHTS = {
    "order": "in front of it in the order",
    "starving": "waited longer than the starvation threshold",
    "backfill": "backfilled, too few processors being free for the other",
    "backfill in time": "backfilled without delaying the head of the queue, as the other would",
    "backfill order": "backfilled; both fitted, and it is in front in the order of backfilling",
    "plan": "came no later, and its reservation begins",
    "gap": "came later, and fits a gap that nobody has reserved",
}


@dataclass(frozen=True)
class Started:
    """A job that started while another waited.

    Parameters
    ----------
    number, procs, estimate : int
        Of the job; seconds.
    right : str
        A key of `RIGHTS`.
    """

    number: int
    procs: int
    estimate: int
    right: str


@dataclass(frozen=True)
class Decision:
    """An instant at which jobs started and the job in question did not.

    Parameters
    ----------
    after : int
        Seconds that the job had waited by then.
    free, left : int
        Free processors before anybody started, and after.
    started : tuple of Started
        In the order they did; none at the job's submission if nobody did.
    hold : str
        What held the job up then, a value of `schedlab.workbench.watching.HOLDS`.
    head : int or None
        Number of the job at the head of the queue.
    reservation : int or None
        In how many seconds the head's reservation begins; with reservations of every job, the
        job's own.
    extra : int or None
        Processors that the head is expected to leave over then.
    """

    after: int
    free: int
    left: int
    started: tuple[Started, ...]
    hold: str
    head: int | None
    reservation: int | None
    extra: int | None


@dataclass(frozen=True)
class Explanation:
    """Why a job waited.

    Parameters
    ----------
    number, procs, estimate, submit, wait : int
        Of the job; seconds, the submission from the log's first.
    label : str
        Whose schedule it is.
    reservations : str
        Who has one.
    decisions : tuple of Decision
        Those that passed it over, in order of time.
    held : dict of str to int
        Seconds that it was held up by each of `schedlab.workbench.watching.HOLDS`.
    right : str
        How it started in the end: at once, at the head of the queue, backfilled or as reserved.
    """

    number: int
    procs: int
    estimate: int
    submit: int
    wait: int
    label: str
    reservations: str
    decisions: tuple[Decision, ...]
    held: dict[str, int]
    right: str

    def passed(self) -> dict[str, int]:
        """How many jobs started while it waited, by their right."""
        return dict(Counter(one.right for each in self.decisions for one in each.started))

    def to_dict(self) -> dict:
        """All of it, as JSON can have it."""
        return asdict(self) | {"passed": self.passed()}

    def text(self, most: int | None = None) -> str:
        """Tell it in lines.

        Parameters
        ----------
        most : int, optional
            How many decisions are told one by one, the first and the last; all by default.
        """
        lines = [
            f"job {self.number} ({self.procs:,} processors, estimate {_long(self.estimate)}) under "
            f"{self.label} waited {_long(self.wait)} and started {self.right}"
        ]
        for hold, seconds in self.held.items():
            if seconds:
                share = seconds / self.wait
                lines.append(f"  {_long(seconds)} ({share:.0%}): {self._held(hold)}")
        passed = self.passed()
        if passed:
            lines.append(f"{sum(passed.values()):,} jobs started while it waited:")
            lines += [f"  {count:,} {RIGHTS[right]}" for right, count in passed.items()]
        told = self.decisions
        cut = most is not None and len(told) > most
        if cut:
            first = told[: (most + 1) // 2]
            last = told[len(told) - most // 2 :]
        else:
            first, last = told, ()
        for each in first:
            lines += self._lines(each)
        if cut:
            lines.append(f"… {len(told) - most:,} decisions more …")
        for each in last:
            lines += self._lines(each)
        return "\n".join(lines)

    __str__ = text

    def _held(self, hold: str) -> str:
        """Say what held it up."""
        return {
            NARROW: "fewer processors were free than it needs",
            HEAD: "enough were free, but it would have delayed the head of the queue",
            PLAN: "enough were free, but they are reserved before it would end",
            ORDER: "enough were free, but another job is first and nobody is backfilled",
        }[hold]

    def _lines(self, each: Decision) -> list[str]:
        """Tell one decision."""
        lines = [f"after {_long(each.after)}, {each.free:,} free: {self._why(each)}"]
        for one in each.started:
            lines.append(
                f"    job {one.number} ({one.procs:,} processors, {_long(one.estimate)}) starts: "
                f"{RIGHTS[one.right]}"
            )
        return lines

    def _why(self, each: Decision) -> str:
        """Say what held the job up at a decision."""
        needs = f"it needs {self.procs:,}"
        if each.hold == NARROW:
            left = f", {each.left:,} are left" if each.started else ""
            words = f"{needs}{left}"
            if each.head == self.number:
                words += "; it is first of all"
                if each.reservation is not None:
                    words += f", reserved in {_long(each.reservation)}"
            elif each.head is None and each.reservation is not None:
                words += f"; its reservation begins in {_long(each.reservation)}"
            return words
        if each.hold == ORDER:
            return f"{needs}, but job {each.head} is first and does not fit"
        if each.hold == HEAD:
            return (
                f"{needs} for {_long(self.estimate)}, but job {each.head} is to start in "
                f"{_long(each.reservation)} and leaves {each.extra:,} over"
            )
        return f"{needs}, and its reservation begins in {_long(each.reservation)}"


def _long(seconds: int) -> str:
    """Say how long, as days and hours:minutes:seconds."""
    return str(timedelta(seconds=int(seconds)))

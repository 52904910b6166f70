"""Explanation of a wait: its parts, and its text."""

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import timedelta

from schedlab.workbench.events import HEAD, NARROW, ORDER, PLAN

#: what delayed a job, by `schedlab.workbench.events.HOLDS`
CAUSES = {
    NARROW: "fewer processors were free than it needs",
    HEAD: "enough were free, but it would have delayed the head of the queue",
    PLAN: "enough were free, but they are reserved before it would end",
    ORDER: "enough were free, but another job is first and there is no backfilling",
}
#: reasons why a job started while another waited
RIGHTS = {
    "order": "in front of it in the order",
    "starving": "waited longer than the starvation threshold",
    "backfill": "backfilled, too few processors being free for the other",
    "backfill in time": "backfilled without delaying the head of the queue, as the other would",
    "backfill order": "backfilled; both fitted, and it is in front in the order of backfilling",
    "plan": "came no later, and its reservation begins",
    "gap": "came later, and fits a gap without a reservation",
}


@dataclass(frozen=True)
class Started:
    """Job that started while another waited: its number, processors and estimate (seconds).

    `right` is the reason of the start, a key of `RIGHTS`.
    """

    number: int
    procs: int
    estimate: int
    right: str


@dataclass(frozen=True)
class Decision:
    """Instant at which jobs started and the explained job did not.

    Parameters
    ----------
    after : int
        Seconds that the job had waited by then.
    free, left : int
        Free processors before and after the starts.
    started : tuple of Started
        In order of their starts; empty for the job's submission if no job started.
    hold : str
        What delayed the job then, a value of `schedlab.workbench.events.HOLDS`.
    head : int or None
        Number of the job at the queue head.
    reservation : int or None
        Seconds until the head's reservation begins; with reservations for every job, the job's
        own.
    extra : int or None
        Processors that the head is then expected to leave free.
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
    """Explanation why a job waited.

    Parameters
    ----------
    number, procs, estimate, submit, wait : int
        Properties of the job; times in seconds, the submit time from the log's first submission.
    label : str
        Label of the schedule.
    reservations : str
        Which jobs have a reservation.
    decisions : tuple of Decision
        Decisions that passed the job over, in order of time.
    delays : dict of str to int
        Seconds of delay by each of `schedlab.workbench.events.HOLDS`.
    right : str
        How it finally started: immediately, as the queue head, backfilled or as reserved.
    """

    number: int
    procs: int
    estimate: int
    submit: int
    wait: int
    label: str
    reservations: str
    decisions: tuple[Decision, ...]
    delays: dict[str, int]
    right: str

    def passed(self) -> dict[str, int]:
        """Return how many jobs started while it waited, by reason."""
        return dict(Counter(job.right for decision in self.decisions for job in decision.started))

    def to_dict(self) -> dict:
        """Return the explanation as a dict for JSON."""
        return asdict(self) | {"passed": self.passed()}

    def text(self, most: int | None = None) -> str:
        """Return the explanation as lines of text.

        Parameters
        ----------
        most : int, optional
            Number of decisions to include, from the first and the last ones; all by default.
        """
        lines = [
            f"job {self.number} ({self.procs:,} processors, estimate {_long(self.estimate)}) under "
            f"{self.label} waited {_long(self.wait)} and started {self.right}"
        ]
        for hold, seconds in self.delays.items():
            if seconds:
                share = seconds / self.wait
                lines.append(f"  {_long(seconds)} ({share:.0%}): {CAUSES[hold]}")
        passed = self.passed()
        if passed:
            lines.append(f"{sum(passed.values()):,} jobs started while it waited:")
            lines += [f"  {count:,} {RIGHTS[right]}" for right, count in passed.items()]
        count = len(self.decisions)
        omitted = 0 if most is None else max(count - most, 0)
        first = (count - omitted + 1) // 2 if omitted else count
        for decision in self.decisions[:first]:
            lines += self._lines(decision)
        if omitted:
            lines.append(f"… {omitted:,} decisions more …")
        for decision in self.decisions[first + omitted :]:
            lines += self._lines(decision)
        return "\n".join(lines)

    __str__ = text

    def _lines(self, decision: Decision) -> list[str]:
        """Return the lines for one decision."""
        lines = [f"after {_long(decision.after)}, {decision.free:,} free: {self._why(decision)}"]
        for job in decision.started:
            lines.append(
                f"    job {job.number} ({job.procs:,} processors, {_long(job.estimate)}) starts: "
                f"{RIGHTS[job.right]}"
            )
        return lines

    def _why(self, decision: Decision) -> str:
        """Return what delayed the job at a decision, as text."""
        needs = f"it needs {self.procs:,}"
        if decision.hold == NARROW:
            left_text = f", {decision.left:,} are left" if decision.started else ""
            cause = f"{needs}{left_text}"
            if decision.head == self.number:
                cause += "; it is first of all"
                if decision.reservation is not None:
                    cause += f", reserved in {_long(decision.reservation)}"
            elif decision.head is None and decision.reservation is not None:
                cause += f"; its reservation begins in {_long(decision.reservation)}"
            return cause
        if decision.hold == ORDER:
            return f"{needs}, but job {decision.head} is first and does not fit"
        if decision.hold == HEAD:
            return (
                f"{needs} for {_long(self.estimate)}, but job {decision.head} is to start in "
                f"{_long(decision.reservation)} and leaves {decision.extra:,} over"
            )
        return f"{needs}, and its reservation begins in {_long(decision.reservation)}"


def _long(seconds: int) -> str:
    """Return a duration as days and hours:minutes:seconds."""
    return str(timedelta(seconds=int(seconds)))

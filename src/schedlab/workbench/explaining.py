"""Why one job waited: each decision that passed it over."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from schedlab.workbench.watching import (
    HEAD,
    HOLDS,
    NARROW,
    ORDER,
    PLAN,
    Moment,
    hold_of,
    moments,
    session_for,
)

if TYPE_CHECKING:
    from schedlab.queue.simulation import Run
    from schedlab.workbench.results import Result

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


def explain(result: Result, number: int) -> Explanation:
    """Say why a job of a result waited.

    Parameters
    ----------
    result : Result
        A simulation, in a dialect that can be stepped.
    number : int
        The job's number in the log.

    Returns
    -------
    Explanation

    Raises
    ------
    ValueError
        There is no such job, the schedule was not simulated, or its dialect cannot be stepped.
    """
    run = result.run
    if run is None:
        raise ValueError(
            f"{result.log.path}: the site's own decisions are not in the log; explain a simulation"
        )
    jobs, job = run.jobs, result.log.place(number)
    submit = int(jobs.submit[job])
    session = session_for(run, int(result.schedule.start[job]))
    if submit:
        session.advance(submit - 1)
        session.read()
    decisions, held, before = [], dict.fromkeys(HOLDS, 0), None
    for moment in moments(session):
        if before is not None:
            held[before[1]] += moment.time - before[0].time
        if job in moment.started:
            break
        hold = hold_of(int(jobs.procs[job]), moment.free, run.reservations)
        before = (moment, hold)
        if moment.started or moment.time == submit:
            planned = session.reservation(job)
            decisions.append(_decision(run, job, moment, hold, planned))
    if moment.time == submit:
        right = "at once"
    elif run.reservations == "every":
        right = "as reserved"
    else:
        right = "backfilled" if session.backfilled(job) else "at the head of the queue"
    return Explanation(
        number,
        int(jobs.procs[job]),
        int(jobs.estimate[job]),
        submit,
        moment.time - submit,
        result.label,
        run.reservations,
        tuple(decisions),
        held,
        right,
    )


def _decision(run: Run, job: int, moment: Moment, hold: str, planned: int | None) -> Decision:
    """Tell who started at an instant, by which right."""
    jobs = run.jobs
    free = moment.free + int(jobs.procs[list(moment.started)].sum())
    started = tuple(
        Started(int(jobs.number[one]), int(jobs.procs[one]), int(jobs.estimate[one]), right)
        for one, right in zip(moment.started, _rights(run, job, moment, free), strict=True)
    )
    reservation = planned if run.reservations == "every" else moment.shadow
    return Decision(
        moment.time - int(jobs.submit[job]),
        free,
        moment.free,
        started,
        hold,
        None if moment.head is None else int(jobs.number[moment.head]),
        None if reservation is None else reservation - moment.time,
        moment.extra,
    )


def _rights(run: Run, job: int, moment: Moment, free: int) -> list[str]:
    """Say by which right each job started while `job` did not."""
    jobs, time, rights = run.jobs, moment.time, []
    if run.reservations == "every":
        later = jobs.submit[list(moment.started)] > jobs.submit[job]
        return ["gap" if each else "plan" for each in later]
    filled = moment.started[len(moment.started) - moment.filled :]
    late = [one for one in filled if time + jobs.estimate[one] > moment.shadow]
    # what the head was to leave over before anybody took of it
    extra = None if moment.extra is None else moment.extra + int(jobs.procs[late].sum())
    for one in moment.started:
        if one not in filled:
            starved = run.threshold is not None and time - jobs.submit[one] > run.threshold
            rights.append("starving" if starved else "order")
        else:
            in_time = time + jobs.estimate[job] <= moment.shadow
            if jobs.procs[job] > free:
                rights.append("backfill")
            elif in_time or jobs.procs[job] <= extra:
                rights.append("backfill order")
            else:
                rights.append("backfill in time")
            extra -= int(jobs.procs[one]) if one in late else 0
        free -= int(jobs.procs[one])
    return rights


def _long(seconds: int) -> str:
    """Say how long, as days and hours:minutes:seconds."""
    return str(timedelta(seconds=int(seconds)))

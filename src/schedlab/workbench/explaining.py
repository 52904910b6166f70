"""Explanation of one job's wait: each decision that passed it over, from a step-by-step session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.workbench.events import HOLDS, Moment, blocking_cause, moments, session_for
from schedlab.workbench.explanation import Decision, Explanation, Started

if TYPE_CHECKING:
    from schedlab.queue.simulation import Run
    from schedlab.workbench.results import Result


def explain(result: Result, number: int) -> Explanation:
    """Return an explanation why a job of a result waited.

    Parameters
    ----------
    result : Result
        A simulation in a dialect with step-by-step sessions.
    number : int
        The job's number in the log.

    Raises
    ------
    ValueError
        The job does not exist, the schedule was not simulated, or its dialect is not supported.
    """
    run = result.run
    if run is None:
        raise ValueError(
            f"{result.log.path}: the site's own decisions are not in the log; explain a simulation"
        )
    if run.reservations not in (known := ("none", "head", "every")):
        raise ValueError(
            f"reservations is {run.reservations}: explained are runs with {', '.join(known)}"
        )
    jobs, job = run.jobs, result.log.place(number)
    submit = int(jobs.submit[job])
    session = session_for(run, int(result.schedule.start[job]))
    if submit:
        session.advance(submit - 1)
        session.read()
    decisions, delays, before = [], dict.fromkeys(HOLDS, 0), None
    for moment in moments(session):
        if before is not None:
            delays[before[1]] += moment.time - before[0].time
        if job in moment.started:
            break
        hold = blocking_cause(int(jobs.procs[job]), moment.free, run.reservations)
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
        delays,
        right,
    )


def _decision(run: Run, job: int, moment: Moment, hold: str, planned: int | None) -> Decision:
    """Return which jobs started at an instant, and why."""
    jobs = run.jobs
    free = moment.free + int(jobs.procs[list(moment.started)].sum())
    started = tuple(
        Started(
            int(jobs.number[started_job]),
            int(jobs.procs[started_job]),
            int(jobs.estimate[started_job]),
            right,
        )
        for started_job, right in zip(moment.started, _rights(run, job, moment, free), strict=True)
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
    """Return why each job started while `job` did not."""
    jobs, time, rights = run.jobs, moment.time, []
    if run.reservations == "every":
        later = jobs.submit[list(moment.started)] > jobs.submit[job]
        return ["gap" if is_later else "plan" for is_later in later]
    filled = moment.started[len(moment.started) - moment.filled :]
    late = [other_job for other_job in filled if time + jobs.estimate[other_job] > moment.shadow]
    # processors that the head leaves free, before backfilled jobs took some of them
    extra = None if moment.extra is None else moment.extra + int(jobs.procs[late].sum())
    for other_job in moment.started:
        if other_job not in filled:
            starved = run.threshold is not None and time - jobs.submit[other_job] > run.threshold
            rights.append("starving" if starved else "order")
        else:
            in_time = time + jobs.estimate[job] <= moment.shadow
            if jobs.procs[job] > free:
                rights.append("backfill")
            elif in_time or jobs.procs[job] <= extra:
                rights.append("backfill order")
            else:
                rights.append("backfill in time")
            extra -= int(jobs.procs[other_job]) if other_job in late else 0
        free -= int(jobs.procs[other_job])
    return rights

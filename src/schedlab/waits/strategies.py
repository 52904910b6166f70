"""Strategies for submitting a workflow: as one job, stage by stage, ahead of time, all at once.

`schedlab.waits.submissions` describes how each works, and the choices that the paper leaves open.

References
----------
souza2020, sections 2.2, 3.2 and 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.waits.environment import Environment
    from schedlab.waits.submissions import Submission


@dataclass(frozen=True)
class Strategy:
    """A way to submit a workflow.

    If `merged`, one job has the workflow's peak number of cores, for its whole duration. If
    `ahead`, each stage is submitted by its predicted wait before it is needed; otherwise when the
    stages before it have ended. If `dependent`, the batch system gets the dependencies of each
    stage. If `at_once`, all stages are submitted with the workflow, without estimates.
    """

    merged: bool = False
    ahead: bool = False
    dependent: bool = False
    at_once: bool = False


STRATEGIES = {
    "Big Job": Strategy(merged=True),
    "Per-Stage": Strategy(),
    "ASA": Strategy(ahead=True, dependent=True),
    "ASA Naive": Strategy(ahead=True),
    "All at once": Strategy(dependent=True, at_once=True),
}
#: names for the command line and for files
TYPED = dict(zip(("bigjob", "perstage", "asa", "naive", "atonce"), STRATEGIES, strict=True))


def drive(environment: Environment, submissions: Sequence[Submission]) -> None:
    """Advance until all submissions are done.

    All submissions share the environment; stages due at one instant are submitted in the order of
    `submissions`. Raises RuntimeError if no event is left, but not all are done; the message names
    a workflow.
    """
    while True:
        waiting = [submission for submission in submissions if not submission.done]
        if not waiting:
            return
        dues = [due for submission in waiting if (due := submission.act()) is not None]
        if all(submission.done for submission in waiting):
            return
        environment.advance(min(dues, default=None))
        started, ended = environment.read()
        for job, ends in _in_order(started, ended):
            for submission in waiting:
                if submission.owns(job):
                    (submission.ended if ends else submission.started)(job)
        if not dues and not len(started) and not len(ended):
            raise RuntimeError(
                f"workflow {waiting[0].workflow.name}: has not ended, and nothing happens any more"
            )


def _in_order(started: Sequence[int], ended: Sequence[int]) -> list[tuple[int, bool]]:
    """Return jobs, and whether they end, in the only possible order of events at one instant.

    Ends come before starts, but a job that does both ends before its dependents start.
    """
    immediate = set(started) & set(ended)
    events = [(job, True) for job in ended if job not in immediate]
    for job in sorted(started):
        events += [(job, False), (job, True)] if job in immediate else [(job, False)]
    return events

"""Ways to submit a workflow: as one job, stage by stage, ahead of time, and all at once.

How each goes about it, and what was decided where the paper says nothing, stands in
`schedlab.waits.submissions`.

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

    Parameters
    ----------
    merged : bool
        As one job with the most cores that it needs at a time, for all of its time.
    ahead : bool
        Each stage so much before it is needed as it is expected to wait; otherwise each when those
        before it have ended.
    dependent : bool
        The batch system is told which stages a stage comes after.
    at_once : bool
        All stages when the workflow is submitted; nobody estimates.
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
#: as they are typed, and in names of files
TYPED = dict(zip(("bigjob", "perstage", "asa", "naive", "atonce"), STRATEGIES, strict=True))


def drive(environment: Environment, submissions: Sequence[Submission]) -> None:
    """Let time pass until all submissions are done.

    Parameters
    ----------
    environment : Environment
        That of all of them.
    submissions : sequence of Submission
        Any number; what is due at one instant is submitted in their order.

    Raises
    ------
    RuntimeError
        Nothing happens any more, and not all are done; a workflow is named.
    """
    while True:
        waiting = [one for one in submissions if not one.done]
        if not waiting:
            return
        dues = [due for one in waiting if (due := one.act()) is not None]
        environment.advance(min(dues, default=None))
        started, ended = environment.read()
        for job, ends in _in_order(started, ended):
            for one in waiting:
                if one.owns(job):
                    (one.ended if ends else one.started)(job)
        if not dues and not len(started) and not len(ended):
            raise RuntimeError(
                f"workflow {waiting[0].workflow.name}: has not ended, and nothing happens any more"
            )


def _in_order(started: Sequence[int], ended: Sequence[int]) -> list[tuple[int, bool]]:
    """Return jobs and whether they end, as it must have been at one instant.

    What ends comes before what starts, but for what does both: that ends before what comes after.
    """
    both = set(started) & set(ended)
    events = [(job, True) for job in ended if job not in both]
    for job in sorted(started):
        events += [(job, False), (job, True)] if job in both else [(job, False)]
    return events

"""Workflows that run on a Slurm, or a simulated queue, among what everybody else submits."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.slurm.replay import next_minute, submitted
from schedlab.slurm.run import run_workflow
from schedlab.waits.learner import Learner
from schedlab.waits.simulated import SimulatedQueue
from schedlab.waits.strategies import STRATEGIES, drive
from schedlab.waits.submissions import Submission

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from schedlab.core.jobs import Jobs
    from schedlab.slurm.described import Described
    from schedlab.waits.workflows import Workflow

#: seconds between two looks at the queue
POLL = 5.0
#: cluster and partition of the Slurm that is brought up: waits are learned by system, and the
#: simulated one has the name of the real one, so that both learn alike
SYSTEM = "schedlab/main"


def among(
    jobs: Jobs, described: Described, strategy: str, instants: Sequence[int], folder: Path
) -> pd.DataFrame:
    """Run a workflow at each of some instants, on the Slurm of this machine.

    Parameters
    ----------
    jobs : Jobs
        What everybody else submits, from time 0 on; it is left in the queue in the end.
    described : Described
        The workflow.
    strategy : str
        One of `STRATEGIES`.
    instants : sequence of int
        In seconds from time 0; each is waited for, and for the end of the workflow before.
    folder : Path
        Where each run has a folder of its own, and all of them the waits that were learned.

    Returns
    -------
    DataFrame
        A row for each stage of each run: run (from 1 on), at (its instant) and the columns of
        `schedlab.waits.submissions.Submission.rows`; times are seconds from time 0.

    Raises
    ------
    SlurmError
        A stage fails, or a submission of everybody else's was refused until a run has ended.
    """
    begin = next_minute()
    others = _in_background(jobs, begin)
    found = []
    for run, instant in enumerate(instants, 1):
        time.sleep(max(begin + instant - time.time(), 0))
        learner = Learner(path=folder / "waits.json")
        outcome = run_workflow(described, strategy, folder / f"run{run}", learner, POLL)
        if others.done():
            others.result()
        rows = outcome.stages
        for name in ("submit", "start", "end"):
            rows[name] -= begin
        found.append(rows.assign(run=run, at=outcome.at - begin))
    return _in_order(found)


def simulated_among(
    jobs: Jobs, workflow: Workflow, strategy: str, instants: Sequence[int], processors: int
) -> pd.DataFrame:
    """Simulate what `among` does: first come, first served, each waiting job with a reservation.

    Which is what Slurm's backfilling makes, if not when: it has passes, that a session has not.

    Parameters
    ----------
    jobs, strategy, instants
        See `among`.
    workflow : Workflow
        The workflow.
    processors : int
        Of the machine.

    Returns
    -------
    DataFrame
        See `among`.
    """
    session = QueueSession(processors, get("fcfs"), room=len(jobs), reservations="every")
    session.submit_jobs(jobs)
    queue, learner, found = SimulatedQueue(session), Learner(), []
    for run, instant in enumerate(instants, 1):
        at = max(instant, queue.now)
        queue.advance(at)
        one = Submission(workflow, STRATEGIES[strategy], queue, at, SYSTEM, learner)
        drive(queue, [one])
        found.append(one.rows().assign(run=run, at=at))
    return _in_order(found)


def _in_background(jobs: Jobs, begin: int) -> Future[list[str]]:
    """Submit jobs at their times; what they came to, or what went wrong, is in the future.

    The thread ends with this process, which an executor's would hold up, and its jobs with the
    Slurm.
    """
    future: Future[list[str]] = Future()

    def submit() -> None:
        try:
            future.set_result(list(submitted(jobs, begin)))
        except Exception as error:
            future.set_exception(error)

    threading.Thread(target=submit, daemon=True).start()
    return future


def _in_order(found: list[pd.DataFrame]) -> pd.DataFrame:
    """Return the rows of all runs, the run first."""
    rows = pd.concat(found, ignore_index=True)
    first = ["run", "at"]
    return rows[[*first, *(name for name in rows if name not in first)]]

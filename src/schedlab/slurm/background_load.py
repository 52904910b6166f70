"""Run workflows under a background load, on a Slurm or in a simulated queue."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.queue.sessions import QueueSession
from schedlab.slurm.replay import next_minute, submit_at_times
from schedlab.slurm.run import run_workflow
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.learner import Learner
from schedlab.waits.simulated_queue import SimulatedQueue
from schedlab.waits.strategies import STRATEGIES, drive
from schedlab.waits.submissions import Submission
from schedlab.waits.workflows import Workflow

#: seconds between two polls of the queue
POLL = 5.0
#: Cluster and partition of the started Slurm. Waits are learned by system, so the simulated system
#: has the same name as the real one.
SYSTEM = "schedlab/main"


def run_under_load(
    jobs: Jobs, described: WorkflowFile, strategy: str, instants: Sequence[int], folder: Path
) -> pd.DataFrame:
    """Run a workflow at each of some instants (s), under a load from 0 on, on this machine's Slurm.

    Each run also waits for the end of the previous one; all share what they learn.
    """
    begin = next_minute()
    load = _in_background(jobs, begin)
    tables = []
    for run, instant in enumerate(instants, 1):
        time.sleep(max(begin + instant - time.time(), 0))
        learner = Learner(path=folder / "waits.json")
        outcome = run_workflow(described, strategy, folder / f"run{run}", learner, POLL)
        if load.done():
            load.result()
        rows = outcome.stages
        for name in ("submit", "start", "end"):
            rows[name] -= begin
        tables.append(rows.assign(run=run, at=outcome.at - begin))
    return _in_order(tables)


def simulate_under_load(
    jobs: Jobs, workflow: Workflow, strategy: str, instants: Sequence[int], processors: int
) -> pd.DataFrame:
    """Simulate `run_under_load`; each waiting job has a reservation, replanned at every event."""
    session = QueueSession(processors, "fcfs", room=len(jobs), reservations="every")
    session.submit_jobs(jobs)
    queue, learner, tables = SimulatedQueue(session), Learner(), []
    for run, instant in enumerate(instants, 1):
        at = max(instant, queue.now)
        queue.advance(at)
        submission = Submission(workflow, STRATEGIES[strategy], queue, at, SYSTEM, learner)
        drive(queue, [submission])
        tables.append(submission.rows().assign(run=run, at=at))
    return _in_order(tables)


def _in_background(jobs: Jobs, begin: int) -> Future[list[str]]:
    """Submit jobs at their times in a daemon thread, which ends with this process."""
    future: Future[list[str]] = Future()

    def submit() -> None:
        try:
            future.set_result(list(submit_at_times(jobs, begin)))
        except Exception as error:
            future.set_exception(error)

    threading.Thread(target=submit, daemon=True).start()
    return future


def _in_order(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """Return the rows of all runs, with the columns run and at first."""
    rows = pd.concat(tables, ignore_index=True)
    return rows[["run", "at", *rows.columns.drop(["run", "at"])]]

"""Run of a workflow on a real Slurm, from its file to its waits and core hours.

>>> from pathlib import Path
>>> from schedlab.waits.learner import Learner
>>> from schedlab.slurm.run import WorkflowFile, run_workflow
>>> described = WorkflowFile.read(Path("flow.yaml"))  # doctest: +SKIP
>>> outcome = run_workflow(  # doctest: +SKIP
...     described, "ASA", Path("flow.1"), Learner(path="waits.json")
... )
>>> outcome.perceived, outcome.core_hours, outcome.stages  # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schedlab.files.io import write_text
from schedlab.slurm.cautious_estimator import CautiousEstimator
from schedlab.slurm.client import TIMEOUT_S, Slurm
from schedlab.slurm.environment import SlurmQueue
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.interrupts import Interrupted, interruptible
from schedlab.slurm.retries import GIVE_UP_S
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.strategies import STRATEGIES, drive
from schedlab.waits.submissions import Submission

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

    from schedlab.slurm.tracked_jobs import TrackedJob
    from schedlab.waits.predictors import Estimator

#: seconds between two polls of the queue
POLL = 10.0
HOUR = 3600


@dataclass(frozen=True)
class WorkflowRun:
    """Result of a workflow run; the system is cluster and partition.

    `at` is the start of the run, in seconds since 1970. `stages` has a row for each stage, as from
    `schedlab.waits.submissions.Submission.rows`, with Slurm's times and idle core-seconds.
    """

    workflow: str
    strategy: str
    system: str
    at: int
    stages: pd.DataFrame

    @property
    def perceived(self) -> int:
        """Total perceived wait of all stages, in seconds."""
        return int(self.stages["perceived"].sum())

    @property
    def makespan(self) -> int:
        """Seconds from the start of the run to the end of the last stage."""
        return int(self.stages["end"].max()) - self.at

    @property
    def core_hours(self) -> float:
        """Core hours used by the stages."""
        return float(self.stages["core_seconds"].sum() / HOUR)

    @property
    def idle_core_hours(self) -> float:
        """Idle core hours of allocations that started too early."""
        return float(self.stages["idle_core_seconds"].sum() / HOUR)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as a dict for JSON."""
        names = ("workflow", "strategy", "system", "at", "perceived", "makespan", "core_hours",
                 "idle_core_hours")  # fmt: skip
        facts = {name: getattr(self, name) for name in names}
        return facts | {"stages": self.stages.to_dict("records")}


def run_workflow(
    described: WorkflowFile,
    strategy: str,
    folder: Path,
    estimator: Estimator,
    poll: float = POLL,
    tell: Callable[[str], None] = lambda words: None,
    slurm: Slurm | None = None,
    give_up: float = GIVE_UP_S,
    timeout: float = TIMEOUT_S,
) -> WorkflowRun:
    """Run a workflow on Slurm to its end.

    The strategy is one of `schedlab.waits.strategies.STRATEGIES`; the estimator of waits is for
    those that submit ahead of time. The folder of the run does not exist yet, or is empty. `poll`
    are seconds between two polls of the queue. `tell` takes a line of text about each event. By
    default `slurm` is the Slurm of this machine, each of whose commands is given up after `timeout`
    seconds. `give_up` are the seconds for which Slurm may stay away, or refuse for now.

    Errors of the estimator, such as a damaged file, are raised before the first submission. Later
    ones are told, and the run goes on. If the terminal is lost, so does the run; lines then go to
    ``progress.txt`` in the folder.

    Raises `SlurmError` if there is no Slurm, the folder is not empty, a submission is refused, or a
    job fails or is lost. All other jobs are cancelled; `tell` reports those that could not be.
    Raises `schedlab.slurm.retries.GivenUpError` after that time; running jobs are left. Raises
    `schedlab.slurm.interrupts.Interrupted` if a signal arrived; all jobs except those in its
    ``left`` are cancelled.
    """
    slurm = Slurm(timeout) if slurm is None else slurm
    system = slurm.system(described.partition)
    place = RunFolder(folder, described)

    def report(words: str) -> None:
        with suppress(OSError):  # a closed pipe or terminal shows nothing
            tell(words)

    with interruptible(_hang_up(place)):
        queue = SlurmQueue(slurm, described, place, poll, report, give_up)
        careful = CautiousEstimator(estimator, lambda: queue.submits, slurm.time, report)
        at = queue.now
        try:
            with queue:
                submission = Submission(
                    described.workflow, STRATEGIES[strategy], queue, at, system, careful
                )
                drive(queue, [submission])
            outcome = WorkflowRun(
                described.workflow.name, strategy, system, at, _rows(submission, queue)
            )
        except BaseException as error:
            record = {"workflow": described.workflow.name, "strategy": strategy}
            if isinstance(error, Interrupted):
                error.left = queue.left
            with suppress(OSError):
                _write(place, record | {"error": str(error) or type(error).__name__}, queue)
            raise
    try:
        _write(place, outcome.as_dict(), queue)
        outcome.stages.to_csv(place.path / "stages.csv", index=False)
    except OSError as error:
        report(f"all stages have ended, but the record is not written: {error}")
    return outcome


def _hang_up(place: RunFolder) -> Callable[[], None]:
    """Return what to do when the terminal is lost: output to it goes to a file of the run."""
    terminals = [stream for stream in (1, 2) if os.isatty(stream)]

    def redirect() -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            file = os.open(place.path / "progress.txt", flags, 0o644)
        except OSError:
            file = os.open(os.devnull, os.O_WRONLY)
        for stream in terminals:
            os.dup2(file, stream)
        os.close(file)

    return redirect


def _rows(submission: Submission, queue: SlurmQueue) -> pd.DataFrame:
    """Return the rows of the stages; idle time lasts until Slurm ended a cancelled allocation."""
    rows = submission.rows().set_index("stage", drop=False)
    rows["idle_core_seconds"] = 0
    for tracked_job in queue.jobs:
        if tracked_job.early and tracked_job.over:
            idle = tracked_job.stage.cores * (tracked_job.seen.end - tracked_job.seen.start)
            rows.loc[tracked_job.stage.name, "idle_core_seconds"] += idle
    return rows.reset_index(drop=True)


def _write(place: RunFolder, record: dict[str, Any], queue: SlurmQueue) -> None:
    """Write the record of a run, with each of its jobs."""
    record = record | {
        "jobs": [_job(tracked_job) for tracked_job in queue.jobs if tracked_job.number]
    }
    write_text(json.dumps(record, indent=2) + "\n", place.path / "record.json")


def _job(tracked_job: TrackedJob) -> dict[str, Any]:
    seen = tracked_job.seen
    return {
        "job": tracked_job.number,
        "stage": tracked_job.stage.name,
        "state": seen.state if seen else None,
        "submit": seen.submit if seen else None,
        "start": seen.start if tracked_job.begun else None,
        "end": seen.end if tracked_job.over else None,
        "idled": tracked_job.early,
        "taken_back": tracked_job.cancelled,
    }

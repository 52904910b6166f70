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
import platform
from collections import Counter
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schedlab.files.io import write_text
from schedlab.slurm.capacity import Partition, check_capacity
from schedlab.slurm.cautious_estimator import CautiousEstimator
from schedlab.slurm.client import TIMEOUT_S, Slurm, SlurmError
from schedlab.slurm.client_environment import ALLOWED
from schedlab.slurm.client_lock import ClientLock, Heartbeat
from schedlab.slurm.environment import SlurmQueue, describe_end
from schedlab.slurm.folder import PROGRESS, RunFolder
from schedlab.slurm.interrupts import Interrupted, interruptible
from schedlab.slurm.journal import Journal, JournalError
from schedlab.slurm.predictors import LEARNED, check_predictor, make_estimator
from schedlab.slurm.priorities import Priorities
from schedlab.slurm.retries import GIVE_UP_S
from schedlab.slurm.strategies import STRATEGIES, check_tasks_run
from schedlab.slurm.tasks import TaskMarks
from schedlab.slurm.workflow_file import WorkflowFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd

    from schedlab.slurm.pool.task_pool import TaskPool
    from schedlab.slurm.tracked_jobs import TrackedJob
    from schedlab.waits.predictors import Estimator
    from schedlab.waits.submissions import Submission

#: seconds between two polls of the queue
POLL = 10.0
#: Seconds for which a mark of a task whose job has ended may still appear, and the same in polls:
#: file systems may show a mark a minute late
SETTLE_S, SETTLE_POLLS = 60.0, 6
HOUR = 3600
#: names of the totals of a run
TOTALS = ("perceived", "makespan", "core_hours", "idle_core_hours")


@dataclass(frozen=True)
class WorkflowRun:
    """Result of a workflow run; the system is cluster and partition.

    `at` is the start of the run, in seconds since 1970. `stages` has a row for each stage, as from
    `schedlab.waits.submissions.Submission.rows`, with Slurm's times and idle core-seconds.
    `workflows` are the results of each workflow, if there are several.
    """

    workflow: str
    strategy: str
    system: str
    at: int
    stages: pd.DataFrame
    workflows: tuple[WorkflowRun, ...] = ()

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
        names = ("workflow", "strategy", "system", "at", *TOTALS)
        facts = {name: getattr(self, name) for name in names}
        facts["stages"] = self.stages.to_dict("records")
        if self.workflows:
            names = ("workflow", *TOTALS)
            facts["workflows"] = [
                {name: getattr(one, name) for name in names} for one in self.workflows
            ]
        return facts


class WorkflowsFailedError(SlurmError):
    """Workflows of a run have failed; `outcome` is the result of the others, None if all have."""

    outcome: WorkflowRun | None = None


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
    state: Path | None = None,
    interface: str | None = None,
    predictor: str = LEARNED,
) -> WorkflowRun:
    """Run a workflow on Slurm to its end.

    The strategy is one of `schedlab.slurm.strategies.STRATEGIES`; the estimator of waits is for
    those that submit ahead of time. With another one of `schedlab.slurm.predictors.PREDICTORS` than
    ``learned`` it must be a `schedlab.waits.learner.Learner`, which records the waits. The folder
    of the run does not exist yet, or is empty. `poll` are seconds between two polls of the queue.
    `tell` takes a line of text about each event. By default `slurm` is the Slurm of this machine,
    each of whose commands is given up after `timeout` seconds. `give_up` are the seconds for which
    Slurm may stay away, or refuse for now. `state` is the estimator's file, which the folder has
    for those who resume the run. `interface` is the network interface on which a pool's scheduler
    listens.

    Errors of the estimator, such as a damaged file, are raised before the first submission. Later
    ones are reported, and the run goes on. It also goes on if the terminal is lost; lines then go
    to ``progress.txt`` in the folder.

    Raises `SlurmError` if there is no Slurm, the folder is not empty, a submission is refused, or a
    job fails or is lost. All other jobs are cancelled; `tell` reports those that could not be. Of
    several workflows (`schedlab.slurm.joined_workflows.join_workflows`), the one that fails is
    given up, and `WorkflowsFailedError` is raised when the others have ended.
    Raises `schedlab.slurm.retries.GivenUpError` after that time; running jobs are left. Raises
    `schedlab.slurm.interrupts.Interrupted` if a signal arrived; all jobs except those in its
    ``left`` are cancelled.
    """
    slurm = Slurm(timeout) if slurm is None else slurm
    prepare_run(
        *(described, strategy, folder, poll, give_up, timeout, state, slurm, interface, predictor)
    )
    return resume_workflow(folder, estimator, tell, slurm)


def prepare_run(
    described: WorkflowFile,
    strategy: str,
    folder: Path,
    poll: float = POLL,
    give_up: float = GIVE_UP_S,
    timeout: float = TIMEOUT_S,
    state: Path | None = None,
    slurm: Slurm | None = None,
    interface: str | None = None,
    predictor: str = LEARNED,
) -> None:
    """Make the folder of a run, and begin its journal; parameters as for `run_workflow`.

    `resume_workflow` then runs the workflow.
    """
    check_tasks_run(described, strategy)
    check_predictor(predictor, strategy)
    slurm = Slurm(timeout) if slurm is None else slurm
    queue = slurm.system(described.partition)
    check_capacity(described, strategy, Partition.read(slurm.partitions(described.partition)))
    place = RunFolder(folder, described)
    Journal.create(
        place.path,
        at=int(slurm.time()),
        workflow=described.as_dict(),
        strategy=strategy,
        system=described.system(queue, os.environ.get("SBATCH_QOS")),
        poll=poll,
        give_up=give_up,
        timeout=timeout,
        state=None if state is None else str(state.absolute()),
        interface=interface,
        predictor=predictor,
        submitted_from=str(Path.cwd()),
        variables={name: os.environ[name] for name in sorted(ALLOWED & os.environ.keys())},
    )


def resume_workflow(
    folder: Path,
    estimator: Estimator,
    tell: Callable[[str], None] = lambda words: None,
    slurm: Slurm | None = None,
    detached: bool = False,
) -> WorkflowRun:
    """Go on with a run whose client has ended, from the journal in its folder to its end.

    The settings are those with which the run began; other parameters as for `run_workflow`.
    `detached` is whether this process has no terminal: SIGTERM then ends it, and all jobs stay. A
    run that has succeeded is not run again, its result is returned.

    Raises the errors of `run_workflow`, and `SlurmError` if another client runs the folder, or the
    run has ended with an error after which nothing is left to go on with. Raises
    `schedlab.slurm.journal.JournalError` if the journal is missing or damaged; all jobs stay.
    """
    about = Journal.read(folder).about
    slurm = Slurm(about["timeout"]) if slurm is None else slurm

    def report(words: str) -> None:
        with suppress(OSError):  # a closed pipe or terminal shows nothing
            tell(words)

    with ClientLock(folder, report, about["timeout"]) as lock, Heartbeat(folder):
        # the former client may have written until its lock was free
        journal = Journal.read(folder)
        with suppress(OSError):  # a copy, or one of an older version
            journal.path.chmod(0o600)
        slurm.submit_from(Path(about["submitted_from"]), about["variables"], lock.file)
        return _go_on(folder, journal, estimator, report, slurm, detached)


def _go_on(
    folder: Path,
    journal: Journal,
    estimator: Estimator,
    report: Callable[[str], None],
    slurm: Slurm,
    detached: bool,
) -> WorkflowRun:
    """Run a workflow from where its journal ends."""
    about = journal.about
    described, strategy = WorkflowFile.from_dict(about["workflow"]), about["strategy"]
    place = RunFolder(folder, described, resumed=True)
    place.follow(journal)
    last = journal.last("finished", "client", "run")
    if last["kind"] == "finished" and journal.final_error:
        raise SlurmError(
            f"{folder}: the run has ended: {journal.final_error}; run it in another folder"
        )
    has_succeeded = last["kind"] == "finished" and "error" not in last
    if not has_succeeded:
        _check_cluster(slurm, about["system"])
    if not journal.last("client"):
        _announce(slurm, described, strategy, report)
    journal.append("client", host=platform.node(), process=os.getpid(), time=int(slurm.time()))
    with interruptible(_hang_up(place), detached), ExitStack() as cleanup:
        settings = (slurm, described, place, journal, about["poll"], report, about["give_up"])
        pool, queue = _with_pool(settings, about) if described.tasks else _without_pool(settings)
        if not has_succeeded:
            cleanup.enter_context(pool)
        predictor = about.get("predictor", LEARNED)
        estimator = make_estimator(predictor, estimator, slurm, described, about["system"])
        careful = CautiousEstimator(
            *(estimator, lambda: queue.submits, slurm.time, report, journal, predictor)
        )
        with _recorded_end(place, queue, journal):
            try:
                with queue:
                    submission = queue.carry_out(STRATEGIES[strategy], careful)
                    if queue.failures:
                        raise WorkflowsFailedError("; ".join(queue.failures.values()))
            except WorkflowsFailedError as error:
                error.outcome = _outcome(submission, queue, described, place, about)
                raise
            outcome = _outcome(submission, queue, described, place, about)
    try:
        _write(place, outcome.as_dict(), queue)
        outcome.stages.to_csv(place.path / "stages.csv", index=False)
        journal.append("finished")
    except OSError as error:
        report(f"all stages have ended, but the record is not written: {error}")
    return outcome


def _outcome(
    submission: Submission,
    queue: SlurmQueue,
    described: WorkflowFile,
    place: RunFolder,
    about: dict[str, Any],
) -> WorkflowRun | None:
    """Return the result of a run, without workflows that have failed; None if all have."""
    ended = [member for member in described.members if member.name not in queue.failures]
    if described.members and not ended:
        return None
    rows = _rows(submission, queue, described, TaskMarks(place.path))
    cells = about["strategy"], about["system"], about["at"]
    if not described.members:
        return WorkflowRun(described.workflow.name, *cells, rows)
    rows = rows[[any(name in member.stages for member in ended) for name in rows["stage"]]]
    workflows = tuple(
        WorkflowRun(member.name, *cells, rows[rows["stage"].isin(member.stages)])
        for member in ended
    )
    if len(workflows) == 1:
        return workflows[0]
    return WorkflowRun("+".join(one.workflow for one in workflows), *cells, rows, workflows)


def _without_pool(settings: tuple[Any, ...]) -> tuple[nullcontext, SlurmQueue]:
    """Return the queue of a run whose stages have commands."""
    return nullcontext(), SlurmQueue(*settings)


def _with_pool(settings: tuple[Any, ...], about: dict[str, Any]) -> tuple[TaskPool, SlurmQueue]:
    """Return the pool of a run, which is not started yet, and its queue."""
    from schedlab.slurm.pool.queue import PoolQueue
    from schedlab.slurm.pool.task_pool import TaskPool

    _, described, place, *_ = settings
    settle = min(SETTLE_S, SETTLE_POLLS * about["poll"])
    pool = TaskPool(place.path, described.tasks, about.get("interface"), settle)
    return pool, PoolQueue(pool, *settings)


@contextmanager
def _recorded_end(place: RunFolder, queue: SlurmQueue, journal: Journal) -> Iterator[None]:
    """Record an error that ends the run."""
    try:
        yield
    except JournalError:
        raise
    except BaseException as error:
        if isinstance(error, Interrupted):
            error.left = queue.left
        workflow = journal.about["workflow"]["workflow"]["name"]
        about = {"workflow": workflow, "strategy": journal.about["strategy"]}
        about["error"] = describe_end(error)
        if outcome := getattr(error, "outcome", None):
            about = outcome.as_dict() | about
        with suppress(OSError):
            _write(place, about, queue)
            if outcome:
                outcome.stages.to_csv(place.path / "stages.csv", index=False)
            journal.append("finished", error=describe_end(error))
        raise


def _announce(
    slurm: Slurm, described: WorkflowFile, strategy: str, report: Callable[[str], None]
) -> None:
    """Report what the cluster's order of jobs means for the strategy."""
    with suppress(SlurmError):  # a note must not end a run
        priorities = Priorities.read(slurm.configuration())
        for sentence in priorities.sentences(STRATEGIES[strategy], described):
            report(f"note: {sentence}")


def _check_cluster(slurm: Slurm, system: str) -> None:
    cluster, partition = system.split("/")[:2]
    here = slurm.system(partition).partition("/")[0]
    if here != cluster:
        raise SlurmError(f"this machine's cluster is {here}, the run's {cluster}: resume it there")


def _hang_up(place: RunFolder) -> Callable[[], None]:
    """Return what to do when the terminal is lost: output to it goes to a file of the run."""
    terminals = [stream for stream in (1, 2) if os.isatty(stream)]

    def redirect() -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            file = os.open(place.path / PROGRESS, flags, 0o644)
        except OSError:
            file = os.open(os.devnull, os.O_WRONLY)
        for stream in terminals:
            os.dup2(file, stream)
        os.close(file)

    return redirect


def _rows(
    submission: Submission, queue: SlurmQueue, described: WorkflowFile, marks: TaskMarks
) -> pd.DataFrame:
    """Return the rows of the stages; a worker's cores idle without a task that succeeds."""
    rows = submission.rows().set_index("stage", drop=False)
    rows["idle_core_seconds"] = 0
    used: Counter[int] = Counter()  # core-seconds of tasks, by job
    for stage, tasks in described.tasks.items():
        done = [mark for task in tasks if (mark := marks.done(stage, task.name))]
        for mark in done:
            used[mark.job] += mark.cores * (mark.end - mark.start)
        seconds = sum(mark.cores * (mark.end - mark.start) for mark in done)
        rows.loc[stage, "core_seconds"] = round(seconds)
    for tracked_job in queue.former + queue.jobs:
        if not tracked_job.over or not tracked_job.seen.start:
            continue
        if tracked_job.early or tracked_job.is_worker:
            idle = tracked_job.stage.cores * (tracked_job.seen.end - tracked_job.seen.start)
            idle = max(0, round(idle - used[tracked_job.number]))
            rows.loc[tracked_job.stage.name, "idle_core_seconds"] += idle
    return rows.reset_index(drop=True)


def _write(place: RunFolder, record: dict[str, Any], queue: SlurmQueue) -> None:
    record = record | {"jobs": [_job(job) for job in queue.former + queue.jobs if job.number]}
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

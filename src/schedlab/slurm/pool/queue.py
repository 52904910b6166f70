"""Slurm queue in which allocations of stages with tasks are workers of the run's pool.

Events of the pool are lines of the journal, as those of jobs are. So a resumed strategy receives
them again in the same order. What happened to single tasks is in their marks, and in lines that
state it for the reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schedlab.slurm.client import SlurmError
from schedlab.slurm.environment import SlurmQueue
from schedlab.slurm.monitor import StageError
from schedlab.slurm.pool.submission import PoolSubmission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schedlab.slurm.journal import Record
    from schedlab.slurm.pool.board import Entry
    from schedlab.slurm.pool.task_pool import TaskPool
    from schedlab.slurm.tracked_jobs import TrackedJob
    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.predictors import Estimator
    from schedlab.waits.strategies import Strategy

#: Seconds after the start of an allocation within which its worker must join
JOIN_S = 300
#: allocations in a row that may end before a task succeeds
LOSSES = 3


class PoolQueue(SlurmQueue):
    """Slurm queue with a pool; a failed task or `LOSSES` lost allocations in a row are errors."""

    def __init__(self, pool: TaskPool, slurm: Any, described: WorkflowFile, *rest: Any) -> None:
        super().__init__(slurm, described, *rest)
        self._pool = pool
        self._events: list[Record] = []
        self._begun: set[str] = set()  # stages whose first task was given
        self._given_up: set[str] = set()  # stages of workflows that have failed
        self._losses = 0
        self._counted: set[int] = set()  # numbers of jobs whose ends were counted
        self._joined: set[int] = set()  # numbers of jobs whose workers have joined

    def carry_out(self, strategy: Strategy, estimator: Estimator) -> PoolSubmission:
        """Run the workflow until it is done; like `schedlab.waits.strategies.drive` with a pool."""
        at, system = self._journal.about["at"], self._journal.about["system"]
        submission = PoolSubmission(
            *(self._described.workflow, strategy, self, at, system, estimator, self._geometry),
            self._described.tasks,
        )
        while not submission.done:
            self.advance(submission.act())
            started, ended = self.read()  # one event at a time
            for job in started:
                submission.started(job)
            for job in ended:
                submission.ended(job)
            events, self._events = self._events, []
            for event in events:
                match event["event"]:
                    case "stage_begun":
                        submission.stage_begun(event["stage"])
                    case "stage_ended":
                        submission.stage_ended(event["stage"])
                    case "stage_starved":
                        submission.stage_starved(event["stage"])
                    case "allocation_idle":
                        submission.allocation_idle(event["allocation"])
                    case "workflow_failed":
                        submission.give_up(event["stages"])
        return submission

    def advance(self, until: int | None) -> None:
        """Let time pass until the next event; the end of one of several workflows is an event."""
        try:
            super().advance(until)
        except StageError as error:
            member = self._described.member(error.stage)
            if member is None or member.name in self.failures:
                raise
            stages = sorted(member.stages.keys() - self._over)
            self._deliver_event(
                event="workflow_failed", workflow=member.name, stages=stages, error=str(error)
            )

    def _expects_events(self) -> bool:
        return super()._expects_events() or not self._over.issuperset(self._described.tasks)

    def _is_over(self, stage: str) -> bool:
        """Return whether no task of a stage is to be given any more."""
        return stage in self._over or stage in self._given_up

    def _pause(self, seconds: float) -> None:
        self._pool.wait(seconds)

    def _open_stages(self) -> list[str]:
        """Return the stages whose tasks may run: those before them have ended."""
        return [
            stage.name
            for stage in self._described.workflow.stages
            if stage.name in self._described.tasks
            and not self._is_over(stage.name)
            and self._over.issuperset(stage.after)
        ]

    def _deliver_other(self) -> bool:
        """Deliver an event of the pool; return False if there is none."""
        for stage in self._open_stages():
            self._pool.open(stage)
        self._pool.look(self._has_ended)
        with self._pool.lock:
            self._joined |= {worker.job for worker in self._pool.board.workers.values()}
            self._record_tasks()
            event = next(self._pool_events(), None)
        if event is None:
            return False
        if event["event"] == "stage_ended":
            self._retries.ask(lambda: self._folder.finish(event["stage"]))
        self._deliver_event(**event)
        return True

    def _deliver_event(self, **event: Any) -> None:
        """Record an event, and let it happen for the strategy."""
        self._apply(self._recorded("pool", now=max(self._now, int(self._slurm.time())), **event))
        self._tell_event(event)

    def _tell_event(self, event: dict[str, Any]) -> None:
        match event:
            case {"event": "stage_begun", "stage": stage}:
                self._say(f"{stage}: its first task was given to a worker")
            case {"event": "stage_ended", "stage": stage}:
                self._say(f"{stage}: all {len(self._described.tasks[stage]):,} tasks have ended")
            case {"event": "allocation_idle", "allocation": number}:
                self._report(self.jobs[number], "has no task left")
            case {"event": "workflow_failed", "error": error, "workflow": name}:
                self._say(f"{name}: is given up, other workflows go on: {error}")

    def _has_ended(self, number: int) -> bool:
        """Return whether a job with a worker has ended, as far as Slurm has said."""
        states = {job.number: job.over for job in self.former + self.jobs if job.number}
        if number in states:
            return states[number]
        # it may be the one whose number sbatch did not print
        return not any(job.attempted and not job.number for job in self.jobs)

    def _recover(self) -> None:
        super()._recover()
        self._counted = {job.number for job in self.former + self.jobs if job.over}

    def _pool_events(self) -> Iterator[dict[str, Any]]:
        """Yield what the strategy must know of the pool."""
        board, now = self._pool.board, self._slurm.time()
        for stage in self._open_stages():
            if stage not in self._begun and (board.has_begun(stage) or board.is_done(stage)):
                yield {"event": "stage_begun", "stage": stage}
            if board.is_done(stage):
                yield {"event": "stage_ended", "stage": stage}
        for stage in self._open_stages():
            own = [job for job in self.jobs if job.stage.name == stage]
            if own and board.needs_worker(stage, now) and not any(map(self._may_help, own)):
                self._count_losses()
                yield {"event": "stage_starved", "stage": stage}
        for number, job in enumerate(self.jobs):
            if self._is_idle(job, now):
                yield {"event": "allocation_idle", "allocation": number}

    def _may_help(self, job: TrackedJob) -> bool:
        """Return whether an allocation is still to begin, or its worker to join."""
        if not job.open or job.over:
            return False
        return not job.begun or (self._has_not_joined(job) and not self._is_late(job))

    def _has_not_joined(self, job: TrackedJob) -> bool:
        workers = self._pool.board.workers.values()
        return not any(worker.job == job.number for worker in workers)

    def _is_late(self, job: TrackedJob) -> bool:
        """Return whether the worker of an allocation should have joined long ago."""
        return self._slurm.time() - job.seen.start > JOIN_S

    def _is_idle(self, job: TrackedJob, now: float) -> bool:
        """Return whether an allocation that runs is needed for nothing any more."""
        if not (job.is_worker and job.open and job.started) or job.over:
            return False
        board = self._pool.board
        if self._has_not_joined(job):
            is_over = job.stage.name in self._over
            return (is_over or self._is_late(job)) and not board.holds(job.number)
        own = None if self._is_over(job.stage.name) else job.stage.name
        return not board.needs(job.number, own, now)

    def _count_losses(self) -> None:
        """Count allocations that were lost; raise `SlurmError` if that were too many in a row."""
        for job in self.jobs:
            if not self._is_lost(job) or job.number in self._counted:
                continue
            self._counted.add(job.number)
            self._losses += 1
            self._report(job, f"ended as {job.seen.state}, tasks of its stage are left")
            if self._losses >= LOSSES:
                output = self._folder.output(job.stage.name, job.number)
                raise SlurmError(
                    f"{self._watch.place(job)}: {self._losses} allocations have ended before a "
                    f"task has succeeded, the last one, job {job.number}, as {job.seen.state}; its "
                    f"output is {output}"
                )

    def _is_lost(self, job: TrackedJob) -> bool:
        """Return whether an allocation has ended by itself, or without a worker."""
        if not (job.is_worker and job.over) or self._is_over(job.stage.name):
            return False
        return not job.cancelled or (job.begun and job.number not in self._joined)

    def _record_tasks(self) -> None:
        """Record what has happened to tasks; raise `StageError` if one has failed."""
        board = self._pool.board
        succeeded, board.succeeded = board.succeeded, []
        interrupted, board.interrupted = board.interrupted, []
        if succeeded:
            self._losses = 0
        for entry in interrupted:
            self._say(
                f"{entry.stage}: task {entry.task.name}: attempt {entry.attempts} was interrupted, "
                f"job {entry.job} has ended"
            )
        if succeeded or interrupted:
            self._journal.append(
                "tasks",
                done=[[e.stage, e.task.name, e.attempts, e.job] for e in succeeded],
                interrupted=[[e.stage, e.task.name, e.attempts, e.job] for e in interrupted],
            )
        if failed := [entry for entry in board.failed if entry.stage not in self._given_up]:
            raise self._failure(failed[0])

    def _failure(self, entry: Entry) -> StageError:
        """Return the error about a task that has failed."""
        name, attempt = entry.task.name, entry.attempts
        mark = self._pool.board.marks.failed(entry.stage, name, attempt)
        error = entry.error or (mark.error if mark else "")
        title = self._described.title(entry.stage)
        if error:
            where = f"job {mark.job if mark else entry.job}"
            return StageError(
                entry.stage, f"{title}: task {name!r} could not be run in {where}: {error}"
            )
        if mark is None:
            how = f"was interrupted {attempt} times, the last time with job {entry.job}"
        elif mark.code is None:
            how = f"used up its limit of {entry.task.limit} s in job {mark.job}"
        else:
            how = f"ended with exit code {mark.code} in job {mark.job}"
        output = self._folder.path / "output" / f"{entry.stage}.{name}.{attempt}.txt"
        return StageError(entry.stage, f"{title}: task {name!r} {how}; its output is {output}")

    def _apply(self, record: Record) -> None:
        if record["kind"] != "pool":
            super()._apply(record)
            return
        self._now = record["now"]
        self._events.append(record)
        if record["event"] == "stage_begun":
            self._begun.add(record["stage"])
        elif record["event"] == "stage_ended":
            self._over.add(record["stage"])
        elif record["event"] == "workflow_failed":
            self.failures[record["workflow"]] = record["error"]
            self._given_up.update(record["stages"])
            for stage in self._given_up.intersection(self._described.tasks):
                self._pool.close(stage)

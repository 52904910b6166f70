"""A pool in memory: workers in the jobs of a Slurm in memory run tasks of given lengths."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import RLock
from typing import TYPE_CHECKING

from schedlab.slurm.pool.board import Board, Worker
from schedlab.slurm.pool.queue import PoolQueue
from schedlab.slurm.tasks import TaskMark, TaskMarks
from slurm_case import Slurm

if TYPE_CHECKING:
    from slurm_case import Job

#: seconds from the start of a job until its worker has joined
JOINS_S = 2.0


@dataclass
class Attempt:
    """An attempt at a task, from its claim on."""

    stage: str
    task: str
    number: int
    job: int
    start: float
    state: str = "runs"


class PoolSlurm(Slurm):
    """A Slurm in memory whose jobs are workers; `lengths` are seconds by task."""

    def __init__(self, fates, lengths=None, **options) -> None:
        super().__init__(fates, **options)
        self.lengths = lengths or {}
        self.codes: dict[str, int | str] = {}  # exit codes or errors by task, 0 by default
        self.attempts: list[Attempt] = []

    def is_worker(self, job: Job) -> bool:
        return "pool.worker" in job.request.script.read_text()

    def _command(self, job: Job) -> None:
        if not self.is_worker(job):
            super()._command(job)
            return
        limit = 60 * job.request.minutes
        if job.fate.state and job.fate.run < limit:
            self._at(job.fate.run, lambda: self._end(job, job.fate.state))
        else:
            self._at(limit, lambda: self._end(job, "TIMEOUT"))

    def run_tasks(self, folder, stage, bundle, job: Job, succeeded: list[bool]) -> None:
        """Run tasks one after the other, whatever happens to the client; note if each succeeded."""
        if len(succeeded) == len(bundle) or job.end is not None:
            return
        task, attempt = bundle[len(succeeded)]
        marks = TaskMarks(folder)
        mark = TaskMark(job.number, attempt, self.time(), None, task.cores)
        if not marks.claim(stage, task.name, mark):
            succeeded.append(False)
            self.run_tasks(folder, stage, bundle, job, succeeded)
            return
        one = Attempt(stage, task.name, attempt, job.number, self.time())
        self.attempts.append(one)

        def end() -> None:
            if job.end is not None:
                one.state = "interrupted"
                return
            code = self.codes.get(task.name, 0)
            end = TaskMark(job.number, attempt, one.start, self.time(), task.cores, code)
            if isinstance(code, str):  # why it could not be run
                end = replace(end, code=None, error=code)
            (marks.fail if code else marks.finish)(stage, task.name, end)
            one.state = "failed" if code else "done"
            succeeded.append(not code)
            self.run_tasks(folder, stage, bundle, job, succeeded)

        self._at(self.lengths.get(task.name, 5.0), end)


class PoolInMemory:
    """As `schedlab.slurm.pool.task_pool.TaskPool`, on the clock of the Slurm in memory."""

    def __init__(self, slurm: PoolSlurm, folder, tasks, settle: float) -> None:
        self.board = Board(tasks, TaskMarks(folder), settle)
        self.lock = RLock()
        self._slurm, self._folder = slurm, folder
        self._following: list[tuple] = []

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        pass

    def open(self, stage: str) -> None:
        self.board.open(stage)
        self._place()

    def close(self, stage: str) -> None:
        self.board.close(stage)

    def look(self, has_ended) -> None:
        self.board.look(has_ended, self._slurm.time())
        self._place()

    def wait(self, seconds: float) -> None:
        until = self._slurm.time() + seconds
        while self._slurm.time() < until:
            self._slurm.sleep(min(1.0, until - self._slurm.time()))
            self._step()

    def _step(self) -> None:
        now, board = self._slurm.time(), self.board
        for job in self._slurm.by_number.values():
            name = f"{job.number}.0"
            runs = job.start is not None and job.end is None and self._slurm.is_worker(job)
            if runs and name not in board.workers and now >= job.start + JOINS_S:
                end = job.start + 60 * job.request.minutes
                board.join(Worker(name, job.number, job.request.cores, end, None, name))
            elif not runs and name in board.workers:
                board.leave(name)
        for following in list(self._following):
            entries, bundle, succeeded, job = following
            if len(succeeded) < len(entries) and job.end is None:
                continue
            self._following.remove(following)
            if len(succeeded) == len(entries) and all(succeeded):
                board.finish(entries, bundle, now)
            for entry in [entry for entry in entries if entry.bundle is bundle]:
                board.lose(entry)
        self._place()

    def _place(self) -> None:
        for entries, worker in list(self.board.place(self._slurm.time())):
            job, succeeded = self._slurm.by_number[worker.job], []
            attempts = [(entry.task, entry.attempt) for entry in entries]
            self._slurm.run_tasks(self._folder, entries[0].stage, attempts, job, succeeded)
            self._following.append((entries, entries[0].bundle, succeeded, job))


def use_memory(monkeypatch, slurm: PoolSlurm) -> None:
    def with_pool(settings, about):
        _, described, place, *_ = settings
        pool = PoolInMemory(slurm, place.path, described.tasks, 20.0)
        return pool, PoolQueue(pool, *settings)

    monkeypatch.setattr("schedlab.slurm.run._with_pool", with_pool)

"""Runner of tasks in one allocation: each attempt is claimed, run, and leaves a mark.

A worker has one runner. Its tasks go on when the scheduler is gone, and leave their marks.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from schedlab.slurm.tasks import Task, TaskMark, TaskMarks

if TYPE_CHECKING:
    from collections.abc import Sequence

#: seconds between the end of a task's limit and that of its allocation
SPARE_S = 2.0
#: Seconds within which a task that was killed may have been killed with its allocation: its worker
#: is told, or killed, a moment later
GRACE_S = 2.0
#: seconds between SIGTERM and SIGKILL for a task that has used up its limit
KILL_S = 5.0


class TaskFailedError(RuntimeError):
    """A task ended with another exit code than 0, or used up its limit."""


class TaskRefusedError(RuntimeError):
    """An attempt was not made: another worker has it, or the allocation ends too early."""


class TaskInterruptedError(RuntimeError):
    """An attempt ended because its allocation ends."""


class TaskRunner:
    """Runner of tasks in a job's allocation, on one of its nodes, until `end` (s since 1970)."""

    def __init__(self, folder: Path, job: int, node: int, end: float) -> None:
        self.job, self.node, self.end = job, node, end
        self._folder, self._marks = folder, TaskMarks(folder)
        self._stops = threading.Event()
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen] = set()
        self._claims = 0

    @property
    def is_busy(self) -> bool:
        """Whether an attempt is in progress."""
        return self._claims > 0

    def stop(self) -> None:
        """Terminate all tasks, which count as interrupted, and start no other one."""
        self._stops.set()
        with self._lock:
            for process in self._processes:
                _signal(process, signal.SIGTERM)

    def run(self, stage: str, bundle: Sequence[tuple[Task, int]]) -> None:
        """Make attempts, each at a task; return when all have succeeded, and their marks are there.

        The first error is raised after all attempts, but for an OSError: then a mark cannot be
        written.
        """
        errors: list[Exception] = []
        with self._lock:
            self._claims += 1
        try:
            for task, attempt in bundle:
                try:
                    self._run(stage, task, attempt)
                except (TaskFailedError, TaskRefusedError, TaskInterruptedError) as error:
                    errors.append(error)
        finally:
            with self._lock:
                self._claims -= 1
        if errors:
            raise errors[0]

    def _run(self, stage: str, task: Task, attempt: int) -> None:
        """Make an attempt, which counts as in progress."""
        start = time.time()
        if self._stops.is_set() or start + task.limit + SPARE_S > self.end:
            raise TaskRefusedError("the allocation ends too early")
        claim = TaskMark(self.job, attempt, start, None, task.cores, node=self.node)
        if self._marks.is_done(stage, task.name) or not self._marks.claim(stage, task.name, claim):
            raise TaskRefusedError("another worker has claimed it")
        code, words = None, ""
        try:
            code = self._execute(stage, task, attempt)
        # without a mark, the task would be held until the allocation ends
        except Exception as error:
            words = f"{type(error).__name__}: {error}"
        end = time.time()
        mark = TaskMark(self.job, attempt, start, end, task.cores, code, self.node, words)
        if code == 0:
            self._marks.finish(stage, task.name, mark)
            return
        is_killed = code is not None and (code < 0 or code > 128)
        if self._stops.wait(GRACE_S if is_killed else 0):
            raise TaskInterruptedError("its allocation ended")
        self._marks.fail(stage, task.name, mark)
        raise TaskFailedError(f"{stage}.{task.name}")

    def _execute(self, stage: str, task: Task, attempt: int) -> int | None:
        """Execute the command of a task; return its exit code, or None after its limit."""
        output = self._folder / "output" / f"{stage}.{task.name}.{attempt}.txt"
        environment = {"OMP_NUM_THREADS": str(task.cores)} | os.environ
        environment |= {
            "SCHEDLAB_STAGE": stage,
            "SCHEDLAB_TASK": task.name,
            "SCHEDLAB_ATTEMPT": str(attempt),
            "SCHEDLAB_CORES": str(task.cores),
        }
        with output.open("wb") as text:
            process = subprocess.Popen(
                ["bash", "-eo", "pipefail", "-c", task.command],
                stdin=subprocess.DEVNULL,
                stdout=text,
                stderr=text,
                env=environment,
                start_new_session=True,
            )
        with self._lock:
            self._processes.add(process)
            if self._stops.is_set():
                _signal(process, signal.SIGTERM)
        try:
            return process.wait(task.limit)
        except subprocess.TimeoutExpired:
            _signal(process, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(KILL_S)
            # also what is left of the group after its leader
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None
        finally:
            with self._lock:
                self._processes.discard(process)


#: the runner of this process
RUNNER: list[TaskRunner] = []


def run_tasks(stage: str, bundle: Sequence[tuple[Task, int]]) -> None:
    """Make attempts at tasks by the runner of this process; see `TaskRunner.run`."""
    RUNNER[0].run(stage, bundle)


def _signal(process: subprocess.Popen, number: signal.Signals) -> None:
    """Send a signal to a task and all that it started; to one that has ended, nothing."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)

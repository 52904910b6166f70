"""Tasks of a stage: single-node commands that the workers of a pool run, and their marks.

A task's marks are files in the run's folder: ``NAME.K.claim`` before its attempt K starts, and
``NAME.done`` or ``NAME.K.failed`` after its end. Each is there whole or not at all, and only one
process can make it.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: folder of the marks in the folder of a run
TASKS = "tasks"


@dataclass(frozen=True)
class Task:
    """A command on cores of one node; `limit` in seconds, `memory` in MB, 0 if none."""

    name: str
    command: str
    limit: int
    cores: int = 1
    memory: int = 0
    after: tuple[str, ...] = ()


def check_tasks(tasks: Iterable[Task]) -> None:
    """Raise ValueError, with the task's name, if two have one name, or `after` is invalid."""
    tasks = tuple(tasks)
    counts = Counter(task.name for task in tasks)
    if twice := [name for name, count in counts.items() if count > 1]:
        raise ValueError(f"task {twice[0]!r}: key 'name': is that of another task of the stage")
    for task in tasks:
        if unknown := [name for name in task.after if name not in counts]:
            raise ValueError(
                f"task {task.name!r}: key 'after': {unknown[0]!r} is no task of the stage"
            )
    try:
        TopologicalSorter({task.name: task.after for task in tasks}).prepare()
    except CycleError as error:
        names = error.args[1][:-1]
        circle = " after ".join(repr(name) for name in [*names[::-1], names[-1]])
        raise ValueError(
            f"task {names[0]!r}: key 'after': tasks wait for each other: {circle}"
        ) from error


@dataclass(frozen=True)
class TaskMark:
    """What a mark states: the job that ran the attempt, and its times in seconds since 1970.

    A claim has no end. `code` is the exit code of a failed attempt, negative for a signal, None at
    the limit; `error` is why its command could not be run.
    """

    job: int
    attempt: int
    start: float
    end: float | None = None
    cores: int = 1
    code: int | None = 0
    node: int = 0
    error: str = ""

    @property
    def worker(self) -> str:
        """Return the name of the worker that ran the attempt."""
        return worker_name(self.job, self.node)


def worker_name(job: int, node: int) -> str:
    """Return the name of the worker of a job on one of its nodes."""
    return f"{job}.{node}"


class TaskMarks:
    """Marks of the tasks in the folder of a run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / TASKS

    def prepare(self, stage: str) -> None:
        """Make the folder of a stage's marks."""
        (self._folder / stage).mkdir(parents=True, exist_ok=True)

    def claim(self, stage: str, task: str, mark: TaskMark) -> bool:
        """Claim an attempt; return False if another process has it."""
        return self._create(stage, f"{task}.{mark.attempt}.claim", mark)

    def finish(self, stage: str, task: str, mark: TaskMark) -> bool:
        """Leave the mark of a success; return False if another attempt has left it before."""
        return self._create(stage, f"{task}.done", mark)

    def fail(self, stage: str, task: str, mark: TaskMark) -> bool:
        """Leave the mark of a failure."""
        return self._create(stage, f"{task}.{mark.attempt}.failed", mark)

    def is_done(self, stage: str, task: str) -> bool:
        """Return whether a task has succeeded."""
        return (self._folder / stage / f"{task}.done").exists()

    def done(self, stage: str, task: str) -> TaskMark | None:
        """Return the mark of a success; None if there is none."""
        return self._read(stage, f"{task}.done")

    def claimed(self, stage: str, task: str, attempt: int) -> TaskMark | None:
        """Return the claim of an attempt; None if there is none."""
        return self._read(stage, f"{task}.{attempt}.claim")

    def failed(self, stage: str, task: str, attempt: int) -> TaskMark | None:
        """Return the mark of a failed attempt; None if there is none."""
        return self._read(stage, f"{task}.{attempt}.failed")

    def scan(self, stage: str) -> tuple[set[str], dict[str, int]]:
        """Return the tasks of a stage that have succeeded, and how often each was claimed."""
        done, attempts = set(), Counter()
        with suppress(FileNotFoundError), os.scandir(self._folder / stage) as entries:
            for entry in entries:
                name, _, kind = entry.name.rpartition(".")
                if kind == "done":
                    done.add(name)
                elif kind == "claim":
                    attempts[name.rpartition(".")[0]] += 1
        return done, dict(attempts)

    def jobs(self, stage: str) -> Iterator[tuple[Path, int]]:
        """Yield the claims of a stage, each with the number of its job."""
        for path in (self._folder / stage).glob("[!.]*.claim"):
            if mark := self._read(stage, path.name):
                yield path, mark.job

    def _create(self, stage: str, name: str, mark: TaskMark) -> bool:
        """Create a mark with its content at once; return False if it is there."""
        # each attempt has two marks, for which objects of pathlib take as long as the disk
        folder = f"{self._folder}/{stage}"
        draft = f"{folder}/.{uuid4().hex}"
        with open(draft, "xb") as file:
            file.write(json.dumps(vars(mark)).encode())
        try:
            # like open with O_EXCL, but never seen empty, also after a crash
            os.link(draft, f"{folder}/{name}")
        except FileExistsError:
            return False
        finally:
            os.unlink(draft)
        return True

    def _read(self, stage: str, name: str) -> TaskMark | None:
        try:
            content: dict[str, Any] = json.loads((self._folder / stage / name).read_text())
        except FileNotFoundError:
            return None
        return TaskMark(**content)


@dataclass(frozen=True)
class TaskCounts:
    """How many tasks of a stage wait, run, are done and have failed, and attempts tried again."""

    tasks: int
    waiting: int
    running: int
    done: int
    failed: int
    interrupted: int

    def __str__(self) -> str:
        text = f"{self.done:,} of {self.tasks:,} done, {self.running:,} run, {self.waiting:,} wait"
        text += f", {self.failed:,} failed" if self.failed else ""
        return f"{text}; {self.interrupted:,} attempts interrupted"


def count_tasks(tasks: Sequence[Task], stage: str, marks: TaskMarks) -> TaskCounts:
    """Return the counts of a stage's tasks, from their marks alone."""
    done, attempts = marks.scan(stage)
    claimed = [name for name in attempts if name not in done]
    failed = sum(marks.failed(stage, name, attempts[name]) is not None for name in claimed)
    return TaskCounts(
        tasks=len(tasks),
        waiting=len(tasks) - len(done) - len(claimed),
        running=len(claimed) - failed,
        done=len(done),
        failed=failed,
        interrupted=sum(attempts.values()) - len(attempts),
    )

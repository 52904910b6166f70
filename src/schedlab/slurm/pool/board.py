"""States of the tasks of a run, and which worker gets which task.

A task waits, until the tasks before it have succeeded and a worker has room for it. It is assigned
to one worker. If that worker is lost, the task's claim decides: without one it waits again; with
one it is held until its mark appears, or Slurm says that the job of the claim has ended.

A message to a worker takes longer than many tasks. So short ones are assigned in bundles, which run
one after the other on the same cores. Each has its own claim and marks, as without a bundle.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from schedlab.slurm.tasks import Task, TaskMarks

#: seconds by which an allocation must outlive the limit of a task that it gets
MARGIN_S = 5.0
#: a task whose attempts were interrupted so often counts as failed: it may be what ends workers
ATTEMPTS = 5
#: seconds that a bundle of short tasks is expected to take, and the most tasks in it
BUNDLE_S, BUNDLE = 1.0, 100
#: seconds after which tasks of a bundle that have not begun are given to others
RECALL_S = 10.0


@dataclass
class Worker:
    """A worker: its cores and memory (in MB; None if unknown), and when its allocation ends."""

    name: str
    job: int
    cores: int
    end: float
    memory: int | None = None
    address: str = ""
    used_cores: int = 0
    used_memory: int = 0
    rests_until: float = 0.0

    def suits(self, task: Task, now: float) -> bool:
        """Return whether it could run a task now if it were idle."""
        return (
            task.cores <= self.cores
            and (self.memory is None or task.memory <= self.memory)
            and now + task.limit + MARGIN_S <= self.end
        )

    def has_room(self, task: Task) -> bool:
        """Return whether its idle cores and memory suffice for a task."""
        return task.cores <= self.cores - self.used_cores and (
            self.memory is None or task.memory <= self.memory - self.used_memory
        )


@dataclass(eq=False)
class Entry:
    """A task and its state: waits, assigned, held, done or failed.

    `attempts` are claims, `missing` tasks before it that have not succeeded, `bundle` the tasks in
    progress on the same cores since `since`. `error` is why its marks cannot be written.
    """

    stage: str
    task: Task
    state: str = "waits"
    attempts: int = 0
    worker: str = ""
    job: int = 0
    missing: int = 0
    gone_since: float | None = None
    bundle: set[Entry] = field(default_factory=set, repr=False)
    since: float = 0.0
    error: str = ""

    @property
    def attempt(self) -> int:
        """The attempt in progress: the next one of an assigned task, else the last one."""
        return self.attempts + (self.state == "assigned")


@dataclass
class _Stage:
    """The tasks of a stage whose predecessors have ended."""

    entries: dict[str, Entry]
    after: dict[str, list[Entry]]
    unfinished: int
    begun: bool = False


@dataclass
class Board:
    """Tasks by stage and joined workers; marks of an ended job may appear for `settle` seconds."""

    tasks: Mapping[str, Sequence[Task]]
    marks: TaskMarks
    settle: float = 60.0
    workers: dict[str, Worker] = field(default_factory=dict)
    interrupted: list[Entry] = field(default_factory=list)
    failed: list[Entry] = field(default_factory=list)
    succeeded: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._stages: dict[str, _Stage] = {}
        self._closed: set[str] = set()
        self._held: set[Entry] = set()
        self._assigned: set[Entry] = set()
        # ready tasks; those that need much come first, for which room is rarest
        self._ready: dict[tuple[int, ...], deque[Entry]] = defaultdict(deque)
        # seconds that a task took lately, by the same keys
        self._paces: dict[tuple[int, ...], float] = {}

    def open(self, stage: str) -> None:
        """Let the tasks of a stage run, each from the state that its marks give."""
        if stage in self._stages:
            return
        done, attempts = self.marks.scan(stage)
        tasks = self.tasks[stage]
        entries = {task.name: Entry(stage, task) for task in tasks}
        after: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries.values():
            entry.attempts = attempts.get(entry.task.name, 0)
            if entry.task.name in done:
                entry.state = "done"
                continue
            for name in entry.task.after:
                if name not in done:
                    entry.missing += 1
                    after[name].append(entry)
        left = [entry for entry in entries.values() if entry.state != "done"]
        self._stages[stage] = _Stage(entries, after, len(left), bool(attempts))
        for entry in left:
            if entry.attempts:
                self._hold(entry)
            else:
                self._wait(entry)

    def close(self, stage: str) -> None:
        """Give no more tasks of a stage; attempts in progress keep their cores until they end."""
        self._closed.add(stage)
        self.open(stage)
        for ready in self._ready.values():
            if ready and ready[0].stage == stage:
                ready.clear()

    def join(self, worker: Worker) -> None:
        """Add a worker; attempts that it has in progress keep their cores."""
        self.workers[worker.name] = worker
        own = [entry for entry in self._held | self._assigned if entry.worker == worker.name]
        for entry in {id(entry.bundle): entry for entry in own}.values():
            self._use(entry, 1)

    def leave(self, address: str) -> None:
        """Remove the worker with an address; its attempts stay assigned until `lose`."""
        self.workers = {
            name: worker for name, worker in self.workers.items() if worker.address != address
        }

    def place(self, now: float) -> Iterator[tuple[tuple[Entry, ...], Worker]]:
        """Assign bundles of ready tasks to workers with room, and yield both.

        The worker whose allocation ends first gets the task: others stay free for longer limits.
        """
        for key in sorted(self._ready):
            ready = self._ready[key]
            while ready:
                task = ready[0].task
                able = [
                    worker
                    for worker in self.workers.values()
                    if worker.has_room(task) and worker.suits(task, now)
                    if now >= worker.rests_until
                ]
                if not able:
                    break
                worker = min(able, key=lambda one: (one.end, one.name))
                entries = tuple(ready.popleft() for _ in range(self._bundle_size(key, now)))
                bundle = set(entries)
                for entry in entries:
                    entry.state, entry.worker, entry.job = "assigned", worker.name, worker.job
                    entry.bundle, entry.since = bundle, now
                self._assigned |= bundle
                self._stages[entries[0].stage].begun = True
                self._use(entries[0], 1)
                yield entries, worker

    def _bundle_size(self, key: tuple[int, ...], now: float) -> int:
        """Return the size of the next bundle: one until the tasks' seconds are known.

        All workers together take at most half of what is left, so that the last ones are spread
        evenly.
        """
        ready, pace = self._ready[key], self._paces.get(key)
        if pace is None:
            return 1
        task = ready[0].task
        places = sum(
            worker.cores // task.cores
            for worker in self.workers.values()
            if worker.suits(task, now)
        )
        return int(max(1, min(BUNDLE, BUNDLE_S / max(pace, 1e-9), len(ready) / (2 * places))))

    def finish(self, entries: Sequence[Entry], bundle: set[Entry], now: float) -> None:
        """Record that all tasks of a bundle have succeeded; those that were recalled have marks."""
        first = entries[0]
        seconds, key = (now - first.since) / len(entries), self._key(first)
        self._paces[key] = (seconds + self._paces.get(key, seconds)) / 2
        for entry in entries:
            if entry.bundle is bundle:
                self.succeed(entry)

    def succeed(self, entry: Entry) -> None:
        """Record that a task has succeeded."""
        entry.attempts = entry.attempt
        self._release(entry, "done")
        self.succeeded.append(entry)
        stage = self._stages[entry.stage]
        stage.unfinished -= 1
        for later in stage.after.pop(entry.task.name, ()):
            later.missing -= 1
            if later.state == "waits":
                self._wait(later)

    def lose(self, entry: Entry) -> None:
        """Record that nothing is known about an assigned attempt but what its marks state."""
        attempt = entry.attempt
        if self.marks.claimed(entry.stage, entry.task.name, attempt):
            self._release(entry, "held")
            entry.attempts = attempt
            self._hold(entry)
        else:
            self._release(entry, "waits")
            self._wait(entry, first=True)

    def give_up(self, entry: Entry, error: str) -> None:
        """Record that the marks of an assigned task cannot be written, now and later."""
        self._release(entry, "failed")
        entry.error = error
        self._fail(entry)

    def rest(self, name: str, until: float) -> None:
        """Give a worker no task until a time."""
        if worker := self.workers.get(name):
            worker.rests_until = until

    def look(self, has_ended: Callable[[int], bool], now: float) -> None:
        """Read the marks of held tasks; remove the workers of a job that `has_ended`."""
        for worker in list(self.workers.values()):
            if has_ended(worker.job):
                self.leave(worker.address)
        for entry in [entry for entry in self._assigned if has_ended(entry.job)]:
            self.lose(entry)
        for entry in list(self._assigned):
            if len(entry.bundle) > 1 and now - entry.since >= RECALL_S:
                self._recall(entry)
        for entry in list(self._held):
            gone = has_ended(entry.job)  # before the marks are read
            if self._read(entry):
                continue
            if not gone:
                entry.gone_since = None
                continue
            entry.gone_since = now if entry.gone_since is None else entry.gone_since
            if now - entry.gone_since >= self.settle:
                self._release(entry, "waits")
                self.interrupted.append(entry)
                if entry.attempts >= ATTEMPTS:
                    self._fail(entry)
                else:
                    self._wait(entry, first=True)

    def _recall(self, entry: Entry) -> None:
        """Let a task of a bundle wait again if it has not begun; its worker's claim would fail."""
        if self.marks.is_done(entry.stage, entry.task.name):
            self.succeed(entry)
        elif not self.marks.claimed(entry.stage, entry.task.name, entry.attempt):
            self._release(entry, "waits")
            self._wait(entry, first=True)

    def has_begun(self, stage: str) -> bool:
        """Return whether a task of a stage was assigned or claimed."""
        return stage in self._stages and self._stages[stage].begun

    def is_done(self, stage: str) -> bool:
        """Return whether all tasks of a stage have succeeded."""
        return stage in self._stages and not self._stages[stage].unfinished

    def needs_worker(self, stage: str, now: float) -> bool:
        """Return whether a ready task of a stage suits no worker, not even an idle one."""
        return any(
            ready
            and ready[0].stage == stage
            and not any(worker.suits(ready[0].task, now) for worker in self.workers.values())
            for ready in self._ready.values()
        )

    def needs(self, job: int, stage: str | None, now: float) -> bool:
        """Return whether a job's workers run a task, or could run one that waits."""
        if self.holds(job):
            return True
        workers = [worker for worker in self.workers.values() if worker.job == job]
        ready = [tasks[0].task for tasks in self._ready.values() if tasks]
        own: list[Task] = []
        if stage in self._stages:
            entries = self._stages[stage].entries.values()
            own = [entry.task for entry in entries if entry.state == "waits"]
        elif stage is not None:
            own = list(self.tasks[stage])
        kinds = {(task.cores, task.limit, task.memory): task for task in (*ready, *own)}
        return any(worker.suits(task, now) for worker in workers for task in kinds.values())

    def holds(self, job: int) -> bool:
        """Return whether an attempt of a job is in progress, as far as is known."""
        return any(entry.job == job for entry in self._held | self._assigned)

    def _wait(self, entry: Entry, first: bool = False) -> None:
        """Let a task wait; it is ready if its stage is open and no task before it is missing."""
        entry.state = "waits"
        if entry.missing or entry.stage in self._closed:
            return
        ready = self._ready[self._key(entry)]
        (ready.appendleft if first else ready.append)(entry)

    def _key(self, entry: Entry) -> tuple[int, ...]:
        """Return the key of tasks with equal needs in one stage."""
        task, stage = entry.task, [*self.tasks].index(entry.stage)
        return -task.cores, -task.limit, -task.memory, stage

    def _hold(self, entry: Entry) -> None:
        """Let a task with a claim be held until its mark appears or its job has ended."""
        claim = self.marks.claimed(entry.stage, entry.task.name, entry.attempts)
        entry.state, entry.gone_since = "held", None
        entry.worker, entry.job = (claim.worker, claim.job) if claim else ("", 0)
        self._held.add(entry)
        entry.bundle = {entry}
        self._use(entry, 1)
        self._read(entry)

    def _read(self, entry: Entry) -> bool:
        """Read the marks of a held task; return whether its end is known."""
        name = entry.task.name
        if self.marks.is_done(entry.stage, name):
            self.succeed(entry)
        elif self.marks.failed(entry.stage, name, entry.attempts):
            self._release(entry, "failed")
            self._fail(entry)
        else:
            return False
        return True

    def _fail(self, entry: Entry) -> None:
        entry.state = "failed"
        self.failed.append(entry)
        self.close(entry.stage)  # at once, as a poll later others would have begun

    def _release(self, entry: Entry, state: str) -> None:
        """Release the cores and the memory of a task, unless its bundle still needs them."""
        entry.bundle.discard(entry)
        if entry.state in ("assigned", "held") and not entry.bundle:
            self._use(entry, -1)
        entry.bundle = set()
        self._assigned.discard(entry)
        self._held.discard(entry)
        entry.state = state

    def _use(self, entry: Entry, sign: int) -> None:
        if worker := self.workers.get(entry.worker):
            worker.used_cores += sign * entry.task.cores
            worker.used_memory += sign * entry.task.memory

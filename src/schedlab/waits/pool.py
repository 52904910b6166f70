"""A pool: tasks of one workflow run in whatever allocations are there, whichever stage asked.

Allocations join when they start, and leave when they end or are released. Tasks of a stage wait
from the end of the stages before it. Rules:

- An allocation of a later stage gets tasks first: it is needed in any case, so the others can be
  released sooner. Then comes the stage's own allocation, then those of earlier stages.
- An allocation is needed if tasks of its own stage wait, or will. If the stages before it have
  ended, some waiting task must still fit.
- An allocation that is not needed gets tasks only until a needed one is there, and only if they
  fill all of its free cores. It is released as soon as it runs no task.
- A task fits if the allocation has enough free cores, and its rest is not below the task's limit.
  A task that runs when its allocation ends is rerun from its beginning.

Nothing here knows the queue: `schedlab.waits.pool_submission` submits allocations.

References
----------
souza2020, section 3.1: a global pool of resources from several job allocations (figure 3). The
paper describes it; its evaluation does not use it (section 5), and no number of it is published.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.waits.workflows import Stage, Workflow

#: a stage that has not begun, or has not ended
NONE = -1


@dataclass(frozen=True)
class Tasks:
    """Equal tasks: their number, their run time and the limit that decides where they fit, in s."""

    count: int
    seconds: int
    limit: int


@dataclass(frozen=True)
class StageTasks:
    """The tasks of a stage, each on the same number of cores of one allocation; longest first."""

    cores: int
    tasks: tuple[Tasks, ...]

    @property
    def core_seconds(self) -> int:
        """Return cores times seconds over all tasks."""
        return self.cores * sum(one.count * one.seconds for one in self.tasks)


def keep_whole(stage: Stage) -> StageTasks:
    """Return a stage as one task on all of its cores, which one allocation must have."""
    return StageTasks(stage.cores, (Tasks(1, stage.seconds, stage.seconds),))


def divide(stage: Stage, parts: int) -> StageTasks:
    """Return a stage as tasks on one core: `parts` on each of its cores, one after the other.

    The parts of a core share the run time of the stage in whole seconds, the first get the
    remainder. No task has less than a second, unless the stage has.
    """
    parts = min(parts, max(stage.seconds, 1))
    share, over = divmod(stage.seconds, parts)
    lengths = ((over, share + 1), (parts - over, share))
    return StageTasks(
        1, tuple(Tasks(stage.cores * count, *(seconds,) * 2) for count, seconds in lengths if count)
    )


@dataclass
class _Batch:
    """Tasks of one stage that began together in one allocation."""

    stage: int
    place: int  # in the stage's tasks
    count: int
    end: int
    limited: int  # when they end at the latest, by their limit


@dataclass
class _Allocation:
    """An allocation in the pool: the stage that it was submitted for, and when it must end."""

    stage: int
    cores: int
    begin: int
    end: int
    free: int
    running: list[_Batch] = field(default_factory=list)
    used: int = 0  # core-seconds of tasks that have ended


@dataclass
class _State:
    waiting: list[int]  # by place in its tasks
    left: int  # tasks that have not ended
    begin: int = NONE
    end: int = NONE
    reruns: int = 0
    lost: int = 0  # core-seconds of cut tasks


class Pool:
    """The allocations of one workflow and its tasks; `tasks` has those of each stage.

    `step` comes after each change and at `next_end`; no call goes back in time.
    """

    def __init__(self, workflow: Workflow, tasks: Sequence[StageTasks]) -> None:
        self._before, self._order = workflow.before, workflow.order
        self._rank = {number: rank for rank, number in enumerate(workflow.order)}
        self._tasks = tuple(tasks)
        self._allocations: dict[int, _Allocation] = {}
        counts = [[one.count for one in stage.tasks] for stage in self._tasks]
        self.stages = [_State(own, sum(own)) for own in counts]

    def is_free(self, stage: int) -> bool:
        """Return whether all stages before a stage have ended."""
        return all(self.stages[other].end != NONE for other in self._before[stage])

    def holds(self, job: int) -> bool:
        """Return whether an allocation is in the pool."""
        return job in self._allocations

    def next_end(self) -> int | None:
        """Return when the next task ends, if any runs."""
        ends = (batch.end for one in self._allocations.values() for batch in one.running)
        return min(ends, default=None)

    def last_end(self, stage: int) -> int | None:
        """Return when the last task of a stage ends by its limit; None if tasks of it wait."""
        if sum(self.stages[stage].waiting):
            return None
        batches = [batch for one in self._allocations.values() for batch in one.running]
        return max((batch.limited for batch in batches if batch.stage == stage), default=None)

    def join(self, job: int, stage: int, cores: int, begin: int, end: int) -> None:
        """Add an allocation that starts now for a stage, and must end at `end`."""
        self._allocations[job] = _Allocation(stage, cores, begin, end, cores)

    def leave(self, job: int, now: int) -> int:
        """Remove an allocation, and let its running tasks wait again; return its idle core-seconds.

        They are all that it had and that no task used which ended: tasks that are cut count too.
        """
        self._finish(now)
        allocation = self._allocations.pop(job)
        for batch in allocation.running:
            tasks, state = self._tasks[batch.stage], self.stages[batch.stage]
            state.waiting[batch.place] += batch.count
            state.reruns += batch.count
            began = batch.end - tasks.tasks[batch.place].seconds
            state.lost += batch.count * tasks.cores * (now - began)
        return allocation.cores * (now - allocation.begin) - allocation.used

    def step(self, now: int) -> list[int]:
        """End tasks, begin waiting ones, and return the allocations that can be released now."""
        while True:
            self._finish(now)
            if not self._begin_tasks(now):
                break
        return [
            job
            for job, one in self._allocations.items()
            if not one.running and not self._is_needed(one, now)
        ]

    def is_short(self, stage: int, now: int) -> bool:
        """Return whether tasks of a free stage wait for which its own allocations have no time."""
        left, tasks = list(self.stages[stage].waiting), self._tasks[stage]
        # when tasks can begin on some cores, when these end, and for how many tasks they suffice
        places: list[tuple[int, int, int]] = []
        for one in self._allocations.values():
            if one.stage == stage:
                heappush(places, (now, one.end, one.free // tasks.cores))
                for batch in one.running:
                    if batch.stage == stage:
                        heappush(places, (max(batch.limited, now), one.end, batch.count))
        while places and sum(left):
            begin, end, count = heappop(places)
            for place, own in enumerate(tasks.tasks):
                taken = min(count, left[place])
                if taken and end - begin >= own.limit:
                    left[place] -= taken
                    count -= taken
                    heappush(places, (begin + own.limit, end, taken))
        return sum(left) > 0

    def _finish(self, now: int) -> None:
        """End the tasks whose time has come, and the stages of which none is left."""
        for one in self._allocations.values():
            ended = [batch for batch in one.running if batch.end <= now]
            one.running = [batch for batch in one.running if batch.end > now]
            for batch in ended:
                tasks = self._tasks[batch.stage]
                width = batch.count * tasks.cores
                one.free += width
                one.used += width * tasks.tasks[batch.place].seconds
                self.stages[batch.stage].left -= batch.count
                if not self.stages[batch.stage].left:
                    self.stages[batch.stage].end = now

    def _begin_tasks(self, now: int) -> bool:
        """Begin tasks where they fit; return whether one ends at this very instant."""
        ends_now = False
        jobs = sorted(
            self._allocations, key=lambda job: (-self._rank[self._allocations[job].stage], job)
        )
        latest_first = [self._allocations[job] for job in jobs]
        for stage in self._order:
            if not self.is_free(stage):
                continue
            needed = [one for one in latest_first if self._is_needed(one, now)]
            for one in needed or latest_first:
                if needed or self._fills(one, stage, now):
                    ends_now |= self._fill(one, stage, now)
        return ends_now

    def _fill(self, one: _Allocation, stage: int, now: int) -> bool:
        state, tasks, ends_now = self.stages[stage], self._tasks[stage], False
        for place, own in enumerate(tasks.tasks):
            count = min(one.free // tasks.cores, state.waiting[place])
            if count and one.end - now >= own.limit:
                state.waiting[place] -= count
                one.free -= count * tasks.cores
                times = now + own.seconds, now + max(own.seconds, own.limit)
                one.running.append(_Batch(stage, place, count, *times))
                state.begin = now if state.begin == NONE else state.begin
                ends_now |= own.seconds == 0
        return ends_now

    def _fitting(self, one: _Allocation, stage: int, now: int) -> int:
        """Return how many waiting tasks of a stage fit in an allocation without other tasks."""
        if one.cores < self._tasks[stage].cores:
            return 0
        counts = zip(self._tasks[stage].tasks, self.stages[stage].waiting, strict=True)
        return sum(count for own, count in counts if one.end - now >= own.limit)

    def _fills(self, one: _Allocation, stage: int, now: int) -> bool:
        return self._fitting(one, stage, now) * self._tasks[stage].cores >= one.free > 0

    def _is_needed(self, one: _Allocation, now: int) -> bool:
        if not self.is_free(one.stage):
            return True
        return self._fitting(one, one.stage, now) > 0

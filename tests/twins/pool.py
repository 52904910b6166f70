"""The twin of a pool of allocations, written to be read: second by second, task by task."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class TaskTwin:
    """One task; `place` orders the tasks of a stage, `job` is the allocation that it runs in."""

    stage: int
    place: int
    cores: int
    seconds: int
    limit: int
    job: int | None = None
    began: int = -1
    is_done: bool = False


@dataclass
class AllocationTwin:
    """One allocation, from `begin` to `end` unless it is released."""

    stage: int
    cores: int
    begin: int
    end: int
    left: int | None = None
    done: list[TaskTwin] = field(default_factory=list)


class PoolTwin:
    """Arrivals of (stage, cores, begin, longest time), tasks in one list, time in seconds."""

    def __init__(self, before, order, tasks, arrivals):
        self.before, self.order, self.tasks = before, order, tasks
        self.arrivals = arrivals
        self.here: dict[int, AllocationTwin] = {}
        self.gone: dict[int, AllocationTwin] = {}
        self.begin, self.end = [-1] * len(before), [-1] * len(before)
        self.reruns, self.lost = [0] * len(before), [0] * len(before)

    def run(self, until):
        for now in range(until + 1):
            self.second(now)

    def second(self, now):
        self.end_tasks(now)
        for job in [job for job, one in self.here.items() if one.end == now]:
            self.remove(job, now)
        for job, (stage, cores, begin, lasts) in enumerate(self.arrivals):
            if begin == now:
                self.here[job] = AllocationTwin(stage, cores, now, now + lasts)
        while self.begin_tasks(now):
            self.end_tasks(now)
        for job, one in list(self.here.items()):
            if not self.running(job) and not self.needed(one, now):
                self.remove(job, now)

    def waiting(self, stage):
        own = [one for one in self.tasks if one.stage == stage]
        return [one for one in own if one.job is None and not one.is_done]

    def running(self, job):
        return [one for one in self.tasks if one.job == job and not one.is_done]

    def free(self, stage):
        """Whether all stages before have ended."""
        return all(self.end[other] >= 0 for other in self.before[stage])

    def fits(self, task, one, now):
        """Whether an allocation has the cores of a task, and outlives its limit."""
        return one.cores >= task.cores and one.end - now >= task.limit

    def needed(self, one, now):
        """Whether its own stage needs an allocation, now or later."""
        waiting = self.waiting(one.stage)
        return not self.free(one.stage) or any(self.fits(task, one, now) for task in waiting)

    def idle_cores(self, job):
        return self.here[job].cores - sum(task.cores for task in self.running(job))

    def begin_tasks(self, now):
        """Begin tasks; return whether one of them has no length."""
        at_once = False
        # the allocation of the latest stage first
        jobs = sorted(self.here, key=lambda job: (-self.order.index(self.here[job].stage), job))
        for stage in self.order:
            needed = [job for job in jobs if self.needed(self.here[job], now)]
            for job in jobs if self.free(stage) else []:
                one = self.here[job]
                fitting = [task for task in self.waiting(stage) if self.fits(task, one, now)]
                idle = self.idle_cores(job)
                fills = idle > 0 and sum(task.cores for task in fitting) >= idle
                if job not in needed and (needed or not fills):
                    continue
                for task in sorted(fitting, key=lambda task: task.place):
                    if task.cores <= self.idle_cores(job):
                        task.job, task.began = job, now
                        at_once |= task.seconds == 0
                        if self.begin[stage] < 0:
                            self.begin[stage] = now
        return at_once

    def end_tasks(self, now):
        """End tasks whose time has come, and their stages."""
        for task in self.tasks:
            if task.job is not None and not task.is_done and task.began + task.seconds <= now:
                task.is_done = True
                self.here[task.job].done.append(task)
        for stage in range(len(self.before)):
            own = [one for one in self.tasks if one.stage == stage]
            if self.end[stage] < 0 and all(one.is_done for one in own):
                self.end[stage] = now

    def remove(self, job, now):
        """Take an allocation out; tasks that run in it wait again."""
        for task in self.running(job):
            self.reruns[task.stage] += 1
            self.lost[task.stage] += task.cores * (now - task.began)
            task.job = None
        one = self.here.pop(job)
        one.left = now
        self.gone[job] = one

    def idle(self, job):
        """Core-seconds of an allocation without those of the tasks that it has ended."""
        one = self.gone[job]
        used = sum(task.cores * task.seconds for task in one.done)
        return one.cores * (one.left - one.begin) - used

    def short(self, stage, now):
        """Whether the stage's own allocations have too little time for its waiting tasks."""
        left = sorted(self.waiting(stage), key=lambda task: task.place)
        width = next(one.cores for one in self.tasks if one.stage == stage)
        slots = []  # when the next task can begin, and when the allocation ends
        for job, one in self.here.items():
            if one.stage == stage:
                slots += [[now, one.end]] * (self.idle_cores(job) // width)
                for task in self.running(job):
                    if task.stage == stage:
                        ends = task.began + max(task.seconds, task.limit)
                        slots.append([max(ends, now), one.end])
        while slots and left:
            slots.sort()
            begin, end = slots.pop(0)
            fitting = [task for task in left if end - begin >= task.limit]
            if fitting:
                left.remove(fitting[0])
                slots.append([begin + fitting[0].limit, end])
        return bool(left)

"""What happens at an instant: the twin of `site_time.pxd`, written to be read."""

from __future__ import annotations

from schedlab.queue.site_preemption import REQUEUED
from schedlab.queue.site_problem import FOREVER

LN2 = 0.693
#: seconds until nodes of a stopped job return, and until a requeued job is eligible
STOPPING, REQUEUE_DELAY = 1, 122


class Clock:
    """The part of a controller that goes from instant to instant."""

    def arrive(self, job: int, now: int) -> None:
        """Put a job into the queue."""
        self.accrue[job] = now
        if "ACCRUE_ALWAYS" in self.priorities.flags:
            self.accrue[job] = int(self.problem.submit[job])
        for pair in range(self.pair_of[job], self.pair_of[job + 1]):
            self.priority[pair] = self.priority_of(pair, now)
            self.waiting.append(pair)
        self.sort()

    def is_ahead(self, pair: int) -> bool:
        """Whether a waiting pair of another job is ahead and has nodes in common."""
        partition = int(self.problem.pair_partition[pair])
        for other in self.waiting:
            if other == pair:
                return False
            if self.pair_job[other] == self.pair_job[pair] or other in self.limited:
                continue
            if self.members[int(self.problem.pair_partition[other])] & self.members[partition]:
                return True
        return False

    def simulate(self) -> list[int]:
        rules, problem = self.scheduling, self.problem
        submit, begin = problem.submit.tolist(), self.eligible
        backfill = 0 if self.phases.passes else self.phases.backfill
        full = self.phases.main
        calc = self.phases.priority
        queued, last_loop = None, -(10**9)
        arrived, held = 0, []
        depth, everything = rules.default_queue_depth + 1, 10**9
        is_periodic = self.priorities.multifactor
        while arrived < self.jobs or self.waiting or held or self.running:
            times = [self.until[job] for job in self.running]
            if arrived < self.jobs:
                times.append(submit[arrived])
            times += [begin[job] for job in held if self.is_free(job)]
            times += [time for time, _ in problem.change_times.tolist() if time > self.changed]
            if self.waiting:
                if rules.bf_interval:
                    times.append(self.next_pass(backfill))
                if rules.sched_interval > 0:
                    times.append(full)
                if queued is not None:
                    times.append(queued)
            if is_periodic and (self.waiting or self.running):
                times.append(calc)
            if not times:
                break
            now = min(times)
            if is_periodic and calc <= now and self.points:
                jobs = sorted({*held, *(self.pair_job[pair] for pair in self.waiting)})
                for job, points in zip(jobs, self.points(jobs, calc), strict=True):
                    self.extra[job] = points
            if is_periodic:
                while calc < now:
                    if calc + self.priorities.calc_period > now:
                        self.recalculate(calc)
                    calc += self.priorities.calc_period
            while self.next_pass(backfill) < now:
                backfill = self.after_pass(backfill)
            while full < now:
                full += max(rules.sched_interval, 1)
            self.change(now)
            ended = sorted(
                (job for job in self.running if self.until[job] <= now),
                key=lambda job: (self.until[job], job),
            )
            for job in ended:
                self.end(job, now)
                if self.start[job] < 0:
                    held.append(job)
            if is_periodic and calc == now:
                self.recalculate(now)
                calc += self.priorities.calc_period
            fresh = []
            while arrived < self.jobs and submit[arrived] <= now:
                if self.pair_of[arrived] < self.pair_of[arrived + 1]:
                    held.append(arrived)
                arrived += 1
            for job in list(held):
                if begin[job] <= now and self.is_free(job):
                    held.remove(job)
                    self.arrive(job, now)
                    fresh.append(job)
            if ended:
                self.main_pass(now, depth)
            if fresh:
                self.try_new(fresh, now)
                if queued is None and self.waiting:
                    queued = max(now + 1, last_loop + rules.batch_sched_delay)
            if queued is not None and queued <= now:
                self.main_pass(now, depth)
                queued, last_loop = None, now
            if full == now:
                if rules.sched_interval > 0 and self.waiting:
                    self.main_pass(now, everything)
                full += max(rules.sched_interval, 1)
            if self.next_pass(backfill) == now:
                if rules.bf_interval and self.waiting:
                    self.backfill_pass(now, list(self.waiting))
                backfill = self.after_pass(backfill)
            if self.is_stuck(now, arrived, held, begin):
                break
        return self.start

    def next_pass(self, backfill: int) -> int:
        """When the next backfill pass is: a time, or a place among recorded times."""
        times = self.phases.passes
        if not times:
            return backfill
        return times[backfill] if backfill < len(times) else 2**62

    def after_pass(self, backfill: int) -> int:
        return backfill + (1 if self.phases.passes else max(self.scheduling.bf_interval, 1))

    def is_stuck(self, now: int, arrived: int, held: list[int], begin: list[int]) -> bool:
        """Whether nothing can happen any more: no pass of an idle machine starts a waiting job."""
        idle = not self.running and arrived == self.jobs
        times = [int(end) for _, _, end, _ in self.problem.reserved_times]
        times += [time for time, _ in self.problem.change_times.tolist()]
        times += [begin[job] for job in held] + list(self.phases.passes)
        if not idle or any(now < time < FOREVER for time in times):
            self.idle_since = None
        elif self.idle_since is None:
            self.idle_since = now
        rules = self.scheduling
        longest = max(rules.bf_interval, rules.sched_interval, self.priorities.calc_period)
        return self.idle_since is not None and now - self.idle_since > 2 * longest

    def try_new(self, fresh: list[int], now: int) -> None:
        """Try new jobs at once, in order, if no job that shares nodes with them is ahead."""
        if self.scheduling.defer:
            return
        for pair in list(self.waiting):
            job = self.pair_job[pair]
            if job not in fresh or self.start[job] >= 0 or self.is_ahead(pair):
                continue
            if not self.blocked_early(pair):
                self.try_now(pair, set(self.up), now)

    def is_free(self, job: int) -> bool:
        """Whether all jobs that a job waits for have ended."""
        first, last = self.problem.after_of[job : job + 2]
        return all(self.ended[other] for other in self.problem.after[first:last].tolist())

    def end(self, job: int, now: int) -> None:
        amounts, pair = self.amounts(job), self.ran_in[job]
        for counter, amount in self.rows("addition", pair):
            self.used[counter] -= amounts[amount]
        if self.priorities.multifactor:
            f = 1 - LN2 / self.priorities.half_life if self.priorities.half_life else 1.0
            self.charge(job, now - max(self.last, self.start[job]), f)
        self.running.remove(job)
        self.release(job)
        self.ended[job] = True
        if job in self.stopped:
            self.stopped.remove(job)
            if self.problem.rank_mode[self.problem.pair_rank[pair]] == REQUEUED:
                self.ended[job] = False
                self.restarts[job] += 1
                self.start[job], self.on[job] = -1, {}
                self.eligible[job] = now + REQUEUE_DELAY - STOPPING

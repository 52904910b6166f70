"""Why a job waited on a site's own Slurm: limits, jobs ahead of it, and its planned starts."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from schedlab.queue.site_dialect import AsConfigured, Points
from schedlab.queue.site_problem import problem_of
from schedlab.queue.site_run import step, unknown, why_never
from schedlab.queue.slurm_site import kernel_of
from schedlab.workbench.site_factors import Factors, limit_words

if TYPE_CHECKING:
    from schedlab.kernels.site.site import SiteKernel
    from schedlab.policies import Policy
    from schedlab.queue.site_dialect import SiteSlurm
    from schedlab.queue.site_problem import SiteProblem
    from schedlab.workbench.log import Log

BACKFILLED, AT_ONCE = "backfilled", "at once"
#: why it did not start
HELD = "waited for its begin or for other jobs"
BEHIND, FIRST = "jobs were ahead of it", "it was first, and its nodes were not free"


@dataclass(frozen=True)
class Planned:
    """A backfill pass: seconds since the submission, place in the queue, jobs in it, priority.

    `start` are the seconds until the planned start, None if there was none.
    """

    after: int
    place: int
    waiting: int
    priority: int
    start: int | None
    hold: str


@dataclass(frozen=True)
class SiteExplanation:
    """Explanation why a job waited on a site's own Slurm.

    Parameters
    ----------
    number, submit, wait : int
        The job; times in seconds.
    facts : dict of str to str
        What it asked for, and where it ran.
    label : str
        Label of the schedule.
    right : str
        Which scheduler started it.
    delays : dict of str to int
        Seconds of delay by what held it.
    passed : dict of str to int
        Jobs that took nodes of its partitions while it waited, by the factor that put them ahead.
    factors : dict of str to list of float
        Points of each factor of its priority, at its submission and at its start.
    passes : tuple of Planned
        Backfill passes, in order of time.
    """

    number: int
    submit: int
    wait: int
    facts: dict[str, str]
    label: str
    right: str
    delays: dict[str, int]
    passed: dict[str, int]
    factors: dict[str, list[float]]
    passes: tuple[Planned, ...]

    def to_dict(self) -> dict:
        """Return the explanation as a dict for JSON."""
        return asdict(self)

    def text(self, most: int | None = None) -> str:
        """Return the explanation as lines of text.

        `most` is the number of passes in it, those that changed something first; all by default.
        """
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items() if value)
        lines = [
            f"job {self.number} ({facts}) under {self.label} waited {_long(self.wait)} and was "
            f"started {self.right}"
        ]
        for hold, seconds in sorted(self.delays.items(), key=lambda each: -each[1]):
            if seconds:
                lines.append(f"  {_long(seconds)} ({seconds / self.wait:.0%}): {hold}")
        if self.passed:
            total = sum(self.passed.values())
            lines.append(f"{total:,} jobs with nodes of its partitions started while it waited:")
            lines += [f"  {count:,} {_ahead(name)}" for name, count in self.passed.items()]
        parts = [f"{name} {begin:,.0f} to {end:,.0f}" for name, (begin, end) in
                 self.factors.items() if begin or end]  # fmt: skip
        if parts:
            lines.append(f"points of its priority, from submission to start: {', '.join(parts)}")
        shown = self.passes if most is None else self._changes()
        omitted = 0 if most is None else max(len(shown) - most, 0)
        first = (len(shown) - omitted + 1) // 2
        for each in shown[:first]:
            lines.append(_line(each))
        if omitted:
            lines.append(f"… {omitted:,} changes more …")
        lines += [_line(each) for each in shown[first + omitted :]]
        return "\n".join(lines)

    __str__ = text

    def _changes(self) -> tuple[Planned, ...]:
        """Return the passes after which the planned start or what held it was another."""
        chosen: list[Planned] = []
        before: tuple[int | None, str] | None = None
        for each in self.passes:
            at = None if each.start is None else each.after + each.start
            if (at, each.hold) != before:
                chosen.append(each)
            before = at, each.hold
        return tuple(chosen)


def explain(
    log: Log, slurm: SiteSlurm, number: int, policy: Policy | None = None
) -> SiteExplanation:
    """Return why a job of a log waits on a site's own Slurm.

    Raises ValueError if there is no such job, or it never starts.
    """
    policy = policy or AsConfigured.of(slurm.site)
    changed = policy.changed if isinstance(policy, AsConfigured) else None
    site, jobs, job = changed or slurm.site, log.jobs, log.place(number)
    requests = jobs.requests or unknown(jobs)
    problem = problem_of(site, jobs, requests)
    if why := dict(problem.never).get(job):
        raise ValueError(f"job {number} never starts: {why}")
    given = None
    if not isinstance(policy, AsConfigured):
        given = Points(problem, jobs, policy, slurm.points)
    watch = _Watch(problem, kernel_of(problem, slurm.phases, watched=job), given, job)
    watch.run()
    if watch.started < 0:
        limit = watch.hold if watch.hold not in (BEHIND, FIRST) else ""
        why = limit or why_never(problem, jobs, watch.kernel.starts())[job]
        raise ValueError(f"job {number} never starts: {why}")
    pair, first, count, rows = watch.kernel.places()
    nodes = rows[first[job] : first[job] + count[job], 0].tolist()
    names = problem.site.machine.names
    account = site.associations[problem.association[job]].account if site.associations else ""
    facts = {
        "processors": f"{jobs.procs[job]:,}",
        "limit": _long(int(problem.limit[job])),
        "user": requests.user[job],
        "account": requests.account[job] or account,
        "QOS": str(problem.qos[job]),
        "partition": problem.site.machine.partitions[problem.pair_partition[pair[job]]].name,
        "on": " ".join(names[node] if names else str(node) for node in sorted(nodes)),
    }
    return SiteExplanation(
        number,
        int(jobs.submit[job]),
        watch.started - int(jobs.submit[job]),
        facts,
        policy.label,
        watch.right,
        dict(watch.delays),
        dict(watch.passed.most_common()),
        watch.factors(),
        tuple(watch.passes),
    )


class _Watch:
    """A simulation from instant to instant that watches one job."""

    def __init__(
        self, problem: SiteProblem, kernel: SiteKernel, given: Points | None, job: int
    ) -> None:
        self.problem, self.kernel, self.given, self.job = problem, kernel, given, job
        self.pairs = range(int(problem.pair_of[job]), int(problem.pair_of[job + 1]))
        mine = problem.members[problem.pair_partition[list(self.pairs)]].any(axis=0)
        #: partitions with nodes of its partitions
        self.shares = (problem.members & mine).any(axis=1)
        self.factor = Factors(problem, kernel)
        self.delays: Counter[str] = Counter()
        self.passed: Counter[str] = Counter()
        self.passes: list[Planned] = []
        self.ends: list[dict[str, float]] = []
        self.hold, self.right, self.started = BEHIND, "at once", -1

    def run(self) -> None:
        """Simulate until the job has started."""
        kernel, submit = self.kernel, int(self.problem.submit[self.job])
        while kernel.next < submit:
            if self.given is None:
                kernel.advance(10**6, submit)
            else:
                self._step()
        start, (count, _) = kernel.starts(), kernel.seen()
        before, queue = submit, kernel.queue()
        is_left = True
        while is_left:
            is_left = self._step()
            now = kernel.now
            self.delays[self.hold] += now - before if now > submit else 0
            new = kernel.starts()
            made, planned = kernel.seen()
            self._pass_over(start, new, queue, now)
            if not self.ends:
                self.ends.append(self.factor.points_of(self.pairs[0], now))
            if new[self.job] >= 0:
                self.ends.append(self.factor.points_of(self.pairs[0], now))
                self.started = int(new[self.job])
                by_backfill = made > count and planned == self.started
                by = "by backfill" if by_backfill else "by the main scheduler"
                self.right = by if self.started > submit else "at once"
                return
            queue = kernel.queue()
            self.hold = self._held(queue)
            if made > count:
                place = np.flatnonzero(np.isin(queue[0], list(self.pairs)))
                at = int(place[0]) if len(place) else len(queue[0])
                priority = int(queue[1][at]) if len(place) else 0
                soon = None if planned < 0 else planned - now
                self.passes.append(
                    Planned(now - submit, at + 1, len(queue[0]), priority, soon, self.hold)
                )
            start, count, before = new, made, now

    def _step(self) -> bool:
        kernel = self.kernel
        if self.given is not None and kernel.next >= kernel.due:
            waiting = kernel.waiting()
            self.factor.extra[waiting] = self.given.of(waiting, kernel.due)
        return step(kernel, self.given)

    def _held(self, queue: tuple[np.ndarray, np.ndarray]) -> str:
        """Return what holds the job now."""
        place = np.flatnonzero(np.isin(queue[0], list(self.pairs)))
        if not len(place):
            return HELD
        limits = [self.kernel.limit_of(pair) for pair in self.pairs]
        if all(place >= 0 for place, _ in limits):
            return limit_words(self.problem, limits[0][0])
        ahead = self.shares[self.problem.pair_partition[queue[0][: place[0]]]].any()
        return BEHIND if ahead else FIRST

    def _pass_over(
        self,
        before: np.ndarray,
        after: np.ndarray,
        queue: tuple[np.ndarray, np.ndarray],
        now: int,
    ) -> None:
        """Count the jobs that started now on nodes of its partitions, by what put them ahead."""
        started = np.flatnonzero((after >= 0) & (before < 0))
        if not len(started):
            return
        problem, order = self.problem, {pair: k for k, pair in enumerate(queue[0].tolist())}
        mine = min((order[pair] for pair in self.pairs if pair in order), default=None)
        for job in started.tolist():
            first, last = problem.pair_of[job : job + 2].tolist()
            of = [pair for pair in range(first, last) if self.shares[problem.pair_partition[pair]]]
            if job == self.job or not of:
                continue
            places = [order[pair] for pair in of if pair in order]
            if mine is None or not places:
                self.passed[AT_ONCE] += 1
            elif min(places) > mine:
                self.passed[BACKFILLED] += 1
            else:
                self.passed[self.factor.ahead(of[0], self.pairs[0], now)] += 1

    def factors(self) -> dict[str, list[float]]:
        """Return the points of each factor at the submission and at the start."""
        return {name: [each[name] for each in self.ends] for name in self.ends[0]}


def _line(each: Planned) -> str:
    """Return a pass as a line."""
    plan = "no start is planned" if each.start is None else f"planned in {_long(each.start)}"
    return (
        f"after {_long(each.after)}, place {each.place:,} of {each.waiting:,}, priority "
        f"{each.priority:,}: {plan}; {each.hold}"
    )


def _ahead(name: str) -> str:
    if name == BACKFILLED:
        return "behind it in the queue, backfilled"
    return "at once, as they came" if name == AT_ONCE else f"ahead of it by {name}"


def _long(seconds: int) -> str:
    """Return a duration as days and hours:minutes:seconds."""
    return str(timedelta(seconds=int(seconds)))

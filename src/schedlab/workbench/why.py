"""Why a job of a site's present queue waits, until when, and what would help."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from schedlab.workbench.site_factors import Factors
from schedlab.workbench.site_forecast import MOST_DAYS, RUNS, WEEK, forecast, futures
from schedlab.workbench.site_queue import CLOSE
from schedlab.workbench.why_changes import Help, helping
from schedlab.workbench.why_reason import reason_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.kernels.site.site import SiteKernel
    from schedlab.queue.site_problem import SiteProblem
    from schedlab.workbench.site_forecast import Forecast, Future, Past
    from schedlab.workbench.site_queue import SiteQueue

#: how many of the jobs ahead are named
LARGEST = 3
#: how sure the interval is: of 694 predictions in two runs of a real Slurm
WITHIN = "on a real Slurm, 51 to 58 % of the starts were within such an interval"
NO_LOG = "no log is given: run times are drawn evenly up to the limits, and no job is submitted"


@dataclass(frozen=True)
class Ahead:
    """A job that is ahead of another, by a factor of priority; limit in seconds."""

    id: str
    user: str
    factor: str
    priority: int
    processors: int
    limit: int


@dataclass(frozen=True, eq=False)
class Why:
    """Why a job waits; made by `why_waits`.

    Parameters
    ----------
    id : str
        The job.
    facts : dict of str to str
        What it asks for.
    reason : str
        What holds it, as a sentence; `of_slurm` is Slurm's own reason.
    ahead : tuple of Ahead
        Jobs with nodes of its partitions that are ahead of it, the largest first.
    factors : dict of str to float
        Points of each factor of its priority.
    forecast : Forecast or None
        When it starts; None if it cannot start, or runs.
    starts : dict of str to int or None
        Times on the queue's clock: low, median, high, limits (if all run until their limits), and
        slurm (its own plan); None: not in the simulated time, or not known.
    helps : tuple of Help
        Changes that help.
    assumption : str
        What is assumed of the future.
    notes : tuple of str
        Further assumptions.
    days : int
        Days that were simulated.
    chart : Future or None
        A future in which it starts at about the median.
    """

    queue: SiteQueue
    id: str
    facts: dict[str, str]
    reason: str
    of_slurm: str
    ahead: tuple[Ahead, ...] = ()
    factors: Mapping[str, float] | None = None
    forecast: Forecast | None = None
    starts: Mapping[str, int | None] | None = None
    helps: tuple[Help, ...] = ()
    assumption: str = ""
    notes: tuple[str, ...] = ()
    days: int = MOST_DAYS
    chart: Future | None = None

    @property
    def by_factor(self) -> dict[str, int]:
        """How many jobs are ahead by each factor, the most first."""
        return dict(Counter(each.factor for each in self.ahead).most_common())

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as a dict for JSON; times are on the queue's clock."""
        names = ("id", "facts", "reason", "of_slurm", "factors", "assumption", "notes")
        stamp = self.queue.source.stamp
        starts = {
            name: None if at is None else stamp(at) for name, at in (self.starts or {}).items()
        }
        return {name: getattr(self, name) for name in names} | {
            "now": stamp(self.queue.now + self.queue.origin),
            "ahead": [asdict(each) for each in self.ahead],
            "by_factor": self.by_factor,
            "starts": starts,
            "helps": [asdict(each) for each in self.helps],
        }


def why_waits(
    queue: SiteQueue,
    name: str,
    past: Past | None = None,
    recorded: Mapping[tuple[str, str], Mapping[str, float]] | None = None,
    runs: int = RUNS,
    seed: int = 0,
    days: int = MOST_DAYS,
    threads: int = 1,
) -> Why:
    """Return why a job waits, when it would start, and which changes would help.

    Parameters
    ----------
    queue : SiteQueue
        From `schedlab.workbench.site_queue.load_site_queue`.
    name : str
        Id of the job, as squeue has it.
    past : Past, optional
        What past jobs tell of run times and submissions.
    recorded : mapping, optional
        Points of factors by job and partition, from `schedlab.traces.slurm.sprio_text.read_sprio`.
    runs, seed, days : int
        Number of simulations, the seed of their draws, and their length.
    threads : int
        Number of simulations at a time.

    Raises
    ------
    ValueError
        There is no such job; the message names some.
    """
    stuck = queue.stuck[queue.stuck["id"] == name]
    if len(stuck):
        entry = queue.source.entries.set_index("id").loc[name]
        words = f"It cannot start: {stuck['why'].iloc[0]}."
        return Why(queue, name, _facts(entry), words, entry["reason"], helps=_release(name, entry))
    job = queue.place(name)
    entry, problem = queue.entries.loc[job], queue.problem
    stamp = queue.source.stamp
    if queue.runs[job]:
        since = stamp(int(queue.now - queue.elapsed[job]) + queue.origin)
        return Why(queue, name, _facts(entry), f"It runs since {since}.", entry["reason"])
    kernel = queue.kernel(problem)
    factors = Factors(problem, kernel)
    ahead = _ahead(queue, problem, kernel, factors, job)
    reason = reason_of(queue, problem, kernel, job, {each.id: each.factor for each in ahead})
    first = int(problem.pair_of[job])
    given = (_facts(entry), reason, entry["reason"], ahead)
    if job in dict(problem.never):
        return Why(queue, name, *given, notes=queue.notes)
    points = factors.points_of(first, queue.now)
    notes = [*queue.notes, *_differences(queue, problem, factors, recorded)]
    ways = futures(queue, past, runs, seed, days)
    made = forecast(queue, ways, days=days, job=job, threads=threads)
    low, middle, high = (_clock(queue, at) for at in made.interval(job))
    starts = {"low": low, "median": middle, "high": high}
    starts |= {"limits": _clock(queue, made.latest[job]), "slurm": _known(int(entry["planned"]))}
    helps = tuple(helping(queue, job, ways, made.starts[:, job], days, threads))
    usual = np.where(made.starts[:, job] < 0, np.inf, made.starts[:, job])
    chart = ways[int(np.argsort(usual, kind="stable")[(len(ways) - 1) // 2])]
    return Why(
        *(queue, name, *given, points, made, starts, helps),
        *(f"{assumption_of(past, entry['user'])}; {WITHIN}", tuple(notes), days, chart),
    )


def _facts(entry: Any) -> dict[str, str]:
    """Return what a job asks for, by names."""
    facts = {
        **{name: entry[name] for name in ("user", "account")},
        "QOS": entry["qos"],
        "partition": entry["partition"],
        "nodes": str(entry["asked_nodes"] or ""),
        "processors": f"{entry['procs']:,}",
        "gres": entry["gres"],
        "features": entry["features"],
        "limit": str(timedelta(seconds=int(entry["limit"]))),
    }
    if entry["memory"] > 0:
        facts["MB per processor" if entry["per_cpu"] else "MB per node"] = f"{entry['memory']:,}"
    return {name: str(value) for name, value in facts.items() if value}


def _ahead(
    queue: SiteQueue, problem: SiteProblem, kernel: SiteKernel, factors: Factors, job: int
) -> tuple[Ahead, ...]:
    """Return the jobs ahead that share nodes and that no limit stops, the largest first."""
    order, priority = kernel.queue()
    pairs = range(int(problem.pair_of[job]), int(problem.pair_of[job + 1]))
    mine = np.flatnonzero(np.isin(order, list(pairs)))
    if not len(mine):
        return ()
    nodes = problem.members[problem.pair_partition[list(pairs)]].any(axis=0)
    shares = (problem.members & nodes).any(axis=1)
    found: dict[int, Ahead] = {}
    for place, pair in enumerate(order[: mine[0]].tolist()):
        other = int(factors.pair_job[pair])
        if other in found or not shares[problem.pair_partition[pair]]:
            continue
        if kernel.limit_of(pair)[0] >= 0:
            continue
        entry = queue.entries.loc[other]
        found[other] = Ahead(
            entry["id"],
            entry["user"],
            factors.ahead(pair, int(order[mine[0]]), queue.now),
            int(priority[place]),
            int(entry["procs"]),
            int(problem.limit[other]),
        )
    return tuple(sorted(found.values(), key=lambda each: -each.processors * each.limit))


def _differences(
    queue: SiteQueue,
    problem: SiteProblem,
    factors: Factors,
    recorded: Mapping[tuple[str, str], Mapping[str, float]] | None,
) -> list[str]:
    """Return notes on priorities that are not those recorded, by squeue or by factor of sprio."""
    notes = []
    far = np.flatnonzero(queue.points)
    if len(far):
        worst = far[np.argmax(np.abs(queue.points[far]))]
        notes.append(
            f"priorities: {len(far)} of {int((~queue.runs).sum())} jobs have others than computed "
            f"(job {queue.entries['id'][worst]} by {queue.points[worst]:+,.0f}): those of squeue "
            "count"
        )
    names = [each.name for each in problem.site.machine.partitions]
    worst_of: dict[str, tuple[float, str]] = {}
    for job in np.flatnonzero(~queue.runs):
        for pair in range(int(problem.pair_of[job]), int(problem.pair_of[job + 1])):
            key = str(queue.entries["id"][job]), names[problem.pair_partition[pair]]
            if not recorded or key not in recorded:
                continue
            computed = factors.points_of(pair, queue.now)
            for factor, points in recorded[key].items():
                # nice takes the difference to the recorded sum
                usual = queue.aging if factor == "age" else 0.0
                apart = abs(computed.get(factor, 0.0) - points)
                if factor != "nice" and apart > CLOSE + usual:
                    worst_of[factor] = max(worst_of.get(factor, (0.0, "")), (apart, key[0]))
    for factor, (apart, name) in worst_of.items():
        notes.append(f"sprio: {factor} of job {name} differs by {apart:,.0f} points from computed")
    return notes


def assumption_of(past: Past | None, user: str = "") -> str:
    """Return what is assumed of run times and submissions, for a user's job if one is given."""
    if past is None:
        return NO_LOG
    own = f", {len(past.shares.get(user, ())):,} of them of {user}" if user else ""
    text = f"run times as of {len(past.jobs):,} jobs of the log{own}"
    if past.span < WEEK:
        return f"{text}; no job is submitted, because the log is shorter than a week"
    return f"{text}; submissions as in the log"


def _release(name: str, entry: Any) -> tuple[Help, ...]:
    """Return how a job is released that its user holds."""
    if entry["reason"] != "JobHeldUser":
        return ()
    none = (float("nan"),) * 3
    return (Help("release it", f"scontrol release {name}", none),)


def _clock(queue: SiteQueue, start: float) -> int | None:
    """Return a start on the queue's clock; None if there is none in the simulated time."""
    return None if start < 0 or start == np.inf else int(start) + queue.origin


def _known(time: int) -> int | None:
    return time if time >= 0 else None

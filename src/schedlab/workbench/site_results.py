"""Result of a log on a site's own Slurm."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Schedule
from schedlab.core.metrics import utilisation
from schedlab.core.requests import UNKNOWN, Requests
from schedlab.queue import site_run
from schedlab.queue.dialects import Dialect
from schedlab.queue.simulation import check_settings
from schedlab.queue.site_dialect import AsConfigured, SiteSlurm
from schedlab.queue.slurm_site import AT_ONCE
from schedlab.workbench.results import Result, as_recorded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedlab.core.slurm_site import NotModeled, Site
    from schedlab.policies import Policy
    from schedlab.queue.slurm_site import Phases
    from schedlab.workbench.log import Log

#: rules of the cleaning for which limits are those of the log, as Slurm's are
RULES = "sc17_estimate"


@dataclass(frozen=True, eq=False)
class SiteResult(Result):
    """Schedule on a site's own Slurm of those jobs of a log that start.

    Parameters
    ----------
    site : Site
        The site.
    never : pandas.DataFrame
        Jobs that never start: number, and why.
    names : pandas.DataFrame
        QOS, account and user of all jobs of the log, of the site where the log has none.
    """

    site: Site | None = None
    never: pd.DataFrame = field(default_factory=pd.DataFrame)
    names: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def not_modeled(self) -> tuple[NotModeled, ...]:
        """Settings of the site that were left out."""
        left: tuple[NotModeled, ...] = self.schedule.extras["not_modeled"]
        return left

    def use(self) -> pd.Series:
        """Return the share of processors, memory and generic resources that jobs have.

        By name as in Slurm (cpu, mem, gres/gpu), from the first to the last submission as
        `Result.utilisation`; without those that the machine lacks, memory that Slurm does not
        count, and types of generic resources.
        """
        end = int(self.log.jobs.submit[-1]) or int(self.makespan)
        left = ["node"] if self.site.memory_counts else ["node", "mem"]
        had = self.schedule.extras["jobs"].select_dtypes("integer").drop(columns=left)
        totals = {name: self.site.machine.total(name) for name in had if ":" not in name}
        return pd.Series({
            name: utilisation(self.schedule, had[name].to_numpy(), total, 0, end)
            for name, total in totals.items()
            if total
        })  # fmt: skip

    def place(self, number: int) -> int:
        """Return the place of a job in the log; ValueError, with the reason, if it never starts."""
        never = self.never[self.never["number"] == number]
        if len(never):
            raise ValueError(f"job {number} never starts: {never['why'].iloc[0]}")
        return self.log.place(number)

    def gantt(
        self, first: int | None = None, last: int | None = None, job: int | None = None
    ) -> Figure:
        """Draw which nodes ran which job when, by partition, as `Result.gantt`."""
        from schedlab.workbench.site_gantt import gantt

        return gantt(self, first, last, job)

    def as_recorded(self, log: Log) -> Result:
        """Return the schedule of the log that was simulated, with the same names of groups."""
        recorded = as_recorded(log)
        requests = log.jobs.requests or site_run.unknown(log.jobs)
        jobs = self.names.assign(partition=np.asarray(requests.partition.column(), dtype=object))
        known = log.frame["wait"].to_numpy() >= 0
        extras = {"jobs": jobs[known].reset_index(drop=True)}
        return replace(recorded, schedule=replace(recorded.schedule, extras=extras))

    def to_frame(self) -> pd.DataFrame:
        """Return a row per job as `Result` does, with names of users and accounts.

        ``ran_in`` is the partition, ``ran_on`` has the names of nodes with blanks between them.
        """
        names, of_site = self.site.machine.names, self.schedule.extras["jobs"]
        job, node, _ = self.schedule.extras["nodes"].T
        ran_on = pd.Series([names[place] if names else str(place) for place in node], dtype=object)
        frame = super().to_frame().assign(
            account=of_site["account"],
            ran_in=of_site["partition"],
            ran_on=ran_on.groupby(job).agg(" ".join),
        )  # fmt: skip
        requests = self.log.jobs.requests
        return frame if requests is None else frame.assign(user=requests.user.column())


def with_queues(log: Log) -> Log:
    """Return a log whose jobs ask for the partition of their queue, by its name or number.

    Logs with requests are as they are. Users are their numbers.
    """
    if log.jobs.requests is not None:
        return log
    names = {UNKNOWN: ""} | dict(log.queues)
    queues = [names.get(queue, str(queue)) for queue in log.frame["queue"].tolist()]
    columns = {"partition": queues, "user": log.frame["user"].astype(str)}
    requests = Requests.from_frame(pd.DataFrame(columns))
    return replace(log, jobs=replace(log.jobs, requests=requests))


def simulate_site(
    log: Log, site: Site | SiteSlurm, policy: Policy | None = None, phases: Phases = AT_ONCE
) -> SiteResult:
    """Simulate a log on a site's own Slurm; see `schedlab.queue.site_run.simulate_site`.

    Parameters
    ----------
    log : Log
        Jobs with requests, if any are known.
    site : Site or SiteSlurm
        The site; with the points of policies, if they are not the usual ones.
    policy : Policy, optional
        Adds points to the priorities, see `schedlab.queue.site_dialect`; by default the site's own
        order.
    phases : Phases
        When periodic work begins, unless `site` says it.

    Raises
    ------
    ValueError
        No job starts, or one asks for what the site does not have.
    """
    slurm = site if isinstance(site, SiteSlurm) else SiteSlurm(site, phases)
    policy = policy or AsConfigured.of(slurm.site)
    check_settings(policy=policy, dialect=Dialect(policy.label, site=slurm), reservations="every")
    schedule = site_run.simulate_policy(slurm, log.jobs, policy)
    starts = schedule.start >= 0
    every, nodes = schedule.extras["jobs"], schedule.extras["nodes"]
    never = pd.DataFrame({"number": log.jobs.number[~starts], "why": every["why"][~starts]})
    if not starts.any():
        raise ValueError(
            f"{log.path}: no job starts; job {never.number.iloc[0]}: {never.why.iloc[0]}"
        )
    place = np.cumsum(starts) - 1
    nodes = nodes[starts[nodes[:, 0]]]
    nodes = np.column_stack([place[nodes[:, 0]], nodes[:, 1:]])
    extras = {
        "jobs": every[starts].drop(columns="why").reset_index(drop=True),
        "nodes": nodes,
        "not_modeled": schedule.extras["not_modeled"],
    }
    part = Schedule(schedule.start[starts], schedule.end[starts], extras)
    names = every[["qos", "account", "user"]]
    never, label = never.reset_index(drop=True), policy.label
    return SiteResult(log.take(starts), label, part, None, slurm.site, never, names)

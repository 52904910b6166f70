"""A site's own Slurm as a dialect of the queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.slurm_site import VERSIONS
from schedlab.kernels.site.site import SiteKernel

if TYPE_CHECKING:
    from schedlab.queue.site_problem import SiteProblem

#: parameters of `schedlab.core.slurm_site.Scheduling` that the kernel does not take
LEFT = {
    *("sched_min_interval", "partition_job_depth", "assoc_limit_stop", "bf_running_job_reserve"),
}
#: usage falls by so much in a half life, as Slurm approximates it
LN2 = 0.693


@dataclass(frozen=True)
class Phases:
    """What a log does not tell of a controller: when its periodic work begins, in seconds.

    `clock` is the time of its clock at second 0: predicted ends and reservations are at its half
    minutes and minutes. `passes` are times of backfill passes, in place of periodic ones.
    """

    backfill: int = 0
    main: int = 0
    priority: int = 0
    clock: int = 0
    passes: tuple[int, ...] = ()


#: all periodic work begins with the first job
AT_ONCE = Phases()


def kernel_of(
    problem: SiteProblem, phases: Phases = AT_ONCE, keeps_places: bool = True, watched: int = -1
) -> SiteKernel:
    """Return the kernel of a site and its jobs, at its beginning.

    Without `keeps_places`, for starts alone, it may forget where jobs ran. Every backfill pass
    notes its plan of a `watched` job.
    """
    site = problem.site
    weights = site.priorities
    rules: dict[str, float] = {
        name: value for name, value in vars(site.scheduling).items() if name not in LEFT
    }
    rules |= {
        "kill_wait": site.kill_wait,
        "multifactor": weights.multifactor,
        "weight_age": weights.age,
        "weight_fairshare": weights.fairshare,
        "max_age": weights.max_age,
        "calc_period": max(weights.calc_period, 1),
        "accrue_always": "ACCRUE_ALWAYS" in weights.flags,
        "max_tres": "MAX_TRES" in weights.flags,
        "rounds_up": site.version != VERSIONS[0],
        "clock": phases.clock,
        "keeps_places": keeps_places,
        "watched": watched,
        "decay": 1 - LN2 / weights.half_life if weights.half_life else 1.0,
    }
    passes = np.array(phases.passes, dtype=np.int64)
    return SiteKernel(problem, rules, (phases.backfill, phases.main, phases.priority), passes)

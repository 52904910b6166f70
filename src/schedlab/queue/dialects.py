"""Dialects of the queue: choices of a simulator where the literature leaves them open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from schedlab.queue.slurm import SlurmSettings

if TYPE_CHECKING:
    from schedlab.queue.site_dialect import SiteSlurm

Ties = Literal["submit", "lifo", "current", "exchange"]


@dataclass(frozen=True)
class Dialect:
    """Switches in which simulators of strict order and EASY backfilling differ.

    Parameters
    ----------
    name : str
        Name in the experiment sheets.
    window : int, optional
        Number of waiting jobs that policy and backfilling see, oldest first; all by default.
    latency : float
        Simulated seconds of each dispatch; meanwhile nothing else starts.
    ties : {"submit", "lifo", "current", "exchange"}
        Order of jobs with equal scores: submit, the earlier submitted first (then the lower job
        number); lifo, the later one first; current, the order of the previous sort; exchange, the
        order that an exchange sort leaves (for i, for j: if score[i] < score[j] swap i and j). The
        last two begin with the order of the jobs. The original simulators take jobs in the order
        of the log's lines. Here jobs are ordered by submit time, then number, as in every log of
        the papers.
    ties_of : mapping of str to str
        Exceptions from `ties` by policy name.
    shadow : {"merged", "first"}
        Whether all jobs expected to end at the shadow time count as released by it (merged), or
        only as many as the head needs (first). The latter are taken in the order in which they
        were started; with `one_pass` the last started comes first.
    extra : bool
        Whether a job that ends after the shadow time may use processors that the head leaves free.
    first_alone : bool
        Whether a scheduler with an empty queue first tries the next arrival alone, before it
        considers others that arrive at the same instant.
    one_pass : bool
        Whether each instant has one pass, based on a list of jobs with the last arrival first. The
        list is sorted stably by the primary order, with jobs that have waited longer than a
        threshold in front, by submission. Then the jobs behind the head are sorted stably by the
        order of backfilling. So ties of either order follow the previous order of the list.
    by_events : bool
        With `one_pass`: whether jobs of one instant arrive in the order in which the simulator's
        event heap returns them, or in the order of the jobs. The former depends on their numbers
        and on the running jobs (`schedlab.queue.arrivals`).
    commits : bool
        Whether one job at a time is chosen, before others that arrive at the same instant, and
        started before any other choice (RLScheduler, SC'20). If the reservations are head, its
        reservation is found once, and until it fits others start first come, first served, if they
        end before it; if they are none, no job does.
    slurm : SlurmSettings, optional
        Slurm's schedulers instead of the textbook's. Reservations are then none (no backfilling),
        head (bf_job_part_count_reserve=1) or every (Slurm's default).
    site : SiteSlurm, optional
        A site's own Slurm instead of all this.
    """

    name: str
    window: int | None = None
    latency: float = 0.0
    ties: Ties = "submit"
    ties_of: Mapping[str, Ties] = field(default_factory=lambda: MappingProxyType({}))
    shadow: Literal["merged", "first"] = "merged"
    extra: bool = True
    first_alone: bool = False
    one_pass: bool = False
    by_events: bool = False
    commits: bool = False
    slurm: SlurmSettings | None = None
    site: SiteSlurm | None = None

    def __post_init__(self) -> None:
        if self.window is not None and self.window < 1:
            raise ValueError(f"dialect {self.name}: window is {self.window}, must be at least 1")
        if self.latency < 0:
            raise ValueError(f"dialect {self.name}: latency is {self.latency}, must not be below 0")

    @property
    def is_slurm(self) -> bool:
        """Whether Slurm's schedulers decide: of equal processors, or of a site."""
        return self.slurm is not None or self.site is not None

    @property
    def plain(self) -> bool:
        """Whether it differs from the full dialect at most in how it orders equal scores.

        The kernels `whole` and `stepped` support such dialects.
        """
        return self.ties in ("submit", "lifo") and self == Dialect(self.name, ties=self.ties)

    def ties_for(self, policy: str) -> Ties:
        """Return how `policy` (a name of the registry) orders equal scores."""
        return self.ties_of.get(policy, self.ties)


#: Dispatch latency of the artefact of carastan2017 (SimGrid 3.13): the corrected network latency
#: and a message of 1000 bytes over an effective 125 MB/s.
DISPATCH_LATENCY = 2e-4 * 13.01 + 1000 / (0.97 * 1.25e8)

ARTEFACT = Dialect(
    "artefact",
    window=32,
    latency=DISPATCH_LATENCY,
    ties="current",
    ties_of=MappingProxyType({"spt": "exchange"}),
    shadow="first",
    first_alone=True,
)

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("full"),
        # as in the text of legrand2018, with a waiting list that has the latest submission first
        Dialect("lifo", ties="lifo"),
        # the simulator of legrand2018 as it was run; below, the same without its event heap
        Dialect("ocs", ties="lifo", shadow="first", one_pass=True, by_events=True),
        Dialect("ocs_in_order", ties="lifo", shadow="first", one_pass=True),
        Dialect("rlscheduler", commits=True),
        Dialect("slurm", slurm=SlurmSettings()),
        ARTEFACT,
    )
}

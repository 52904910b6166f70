"""Dialects of the queue: what a simulator does where the literature leaves it open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from schedlab.queue.slurm import SlurmSwitches

Ties = Literal["submit", "lifo", "current", "exchange"]


@dataclass(frozen=True)
class Dialect:
    """The switches in which simulators of strict order and EASY backfilling differ.

    Parameters
    ----------
    name : str
        As the experiment sheets say it.
    window : int, optional
        How many waiting jobs the policy and the backfilling see, the oldest first; the whole queue
        by default.
    latency : float
        What each dispatch costs, in seconds of simulated time; nothing else starts meanwhile.
    ties : {"submit", "lifo", "current", "exchange"}
        Equal scores: the earlier submitted first (then the lower job number), the later one first,
        the order of the last sort kept, or the order that a certain exchange sort leaves (for i,
        for j: if score[i] < score[j] swap i and j). The last two begin with the order of the jobs.
        The simulators that they follow take jobs in the order of the log's lines; jobs here stand
        by submit time, then number, as the lines of every log of the papers do.
    ties_of : mapping of str to str
        Policies (by name) whose ties are another value than `ties`.
    shadow : {"merged", "first"}
        Whether every job expected to end at the shadow time counts as released by it, or only as
        many (in the order they were started; the last one first with `one_pass`) as the head needs.
    extra : bool
        Whether a job that ends after the shadow time may take processors the head leaves over.
    first_alone : bool
        Whether a scheduler that found its queue empty tries the next job to arrive before it looks
        at others that arrive at the same instant.
    one_pass : bool
        Whether an instant has one pass whose orders are those of one list, the last to arrive
        first, sorted stably: by the primary order, with who waited longer than a threshold in
        front, by submission; then what is behind the head by the order of backfilling. So
        what either sees no difference between follows the order before it.
    by_events : bool
        With `one_pass`: whether jobs of one instant arrive in the order in which the simulator's
        heap of events gives them back, which hangs on their numbers and on what is running
        (`schedlab.queue.arrivals`), or in the order of the jobs.
    slurm : SlurmSwitches, optional
        Slurm's schedulers in the place of the textbook's. Reservations are then none (no
        backfilling), head (bf_job_part_count_reserve=1) or every (Slurm's own default).
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
    slurm: SlurmSwitches | None = None

    def __post_init__(self) -> None:
        if self.window is not None and self.window < 1:
            raise ValueError(f"dialect {self.name}: window is {self.window}, must be at least 1")
        if self.latency < 0:
            raise ValueError(f"dialect {self.name}: latency is {self.latency}, must not be below 0")

    @property
    def plain(self) -> bool:
        """Whether it differs from the full dialect in how it orders equal scores, if at all.

        The kernels `ranked` and `stepped` know such dialects.
        """
        return self.ties in ("submit", "lifo") and self == Dialect(self.name, ties=self.ties)

    def ties_for(self, policy: str) -> Ties:
        """How `policy` (a name of the registry) orders equal scores."""
        return self.ties_of.get(policy, self.ties)


#: What one dispatch costs in the artefact of carastan2017 (SimGrid 3.13): the network's latency,
#: corrected, and a message of 1000 bytes over an effective 125 MB/s.
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
        # what the text of legrand2018 says, and its waiting list keeps the latest submission first
        Dialect("lifo", ties="lifo"),
        # the simulator of legrand2018 as it was run, and without the heap of its events
        Dialect("ocs", ties="lifo", shadow="first", one_pass=True, by_events=True),
        Dialect("ocs_in_order", ties="lifo", shadow="first", one_pass=True),
        Dialect("slurm", slurm=SlurmSwitches()),
        ARTEFACT,
    )
}

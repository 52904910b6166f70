"""Checks of what was typed, before a log is read: reading one may take minutes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from schedlab.cli import options as o
from schedlab.cli.output import warn
from schedlab.files.durations import optional_seconds
from schedlab.files.known_words import check_known
from schedlab.policies import Policy, get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import Dialect
from schedlab.queue.reservations import Compression, read_reservations
from schedlab.queue.simulation import check_settings
from schedlab.queue.slurm import default_reservations, refusal
from schedlab.workbench.results import policy_of, reservations_of

#: name of a simulation by which jobs have a reservation
MODES = {
    "none": "strict order, no backfilling",
    "fit": "first fit, no reservations",
    "head": "EASY backfilling",
    "every": "conservative backfilling",
}
SLURM_MODES = {
    "none": "Slurm's main scheduler, no backfilling",
    "head": "Slurm's backfilling, a reservation for the head of the queue",
    "every": "Slurm's backfilling, a reservation for every job",
}


def mode_of(reservations: str, slurm: bool = False) -> str:
    """Return the name of a simulation; reservations are as from `read_reservations`."""
    of = "Slurm's backfilling" if slurm else "backfilling"
    some = f"{of}, reservations for the first {reservations} jobs"
    return (SLURM_MODES if slurm else MODES).get(reservations, some)


@dataclass(frozen=True)
class Scheduling:
    """Policies with consistent settings, as `schedlab.simulate` takes them; `mode` is in words."""

    policies: list[str | Policy]
    settings: dict[str, Any]
    mode: str


@dataclass(frozen=True)
class SchedulingOptions:
    """Options of simulations besides policies and dialect."""

    reservations: o.Reservations = None
    backfill_order: o.Order = None
    compression: o.Compression = None
    threshold: o.Threshold = None

    def check(
        self,
        policies: Sequence[str | Policy],
        dialect: str | Dialect = "full",
        usual: Sequence[str] = (),
    ) -> Scheduling:
        """Check these options and policies; ValueError if one is unknown or they conflict.

        `usual` are the default policies of a command: those that the dialect cannot run are left
        out, with a warning.
        """
        threshold = optional_seconds(self.threshold, "--threshold")
        base = dialect_of(dialect)
        reservations = read_reservations(self.reservations or default_reservations(base))
        if self.compression is not None:
            check_known(self.compression, get_args(Compression), "compression")
        second = None if self.backfill_order is None else get(self.backfill_order)
        is_requested, runnable = list(policies) != list(usual), []
        for name in policies:
            policy = policy_of(name)
            if base.slurm and (why := refusal(policy, second)):
                if is_requested or second:
                    raise ValueError(f"dialect {base.name} {why}")
                warn(f"{policy.label} is left out: dialect {base.name} {why}")
                continue
            check_settings(
                policy=policy,
                backfill=second,
                dialect=base,
                threshold=threshold,
                reservations=reservations_of(policy, reservations),
                compression=self.compression,
            )
            runnable.append(name)
        settings = {"backfill": self.backfill_order, "reservations": reservations}
        settings |= {"compression": self.compression, "threshold": threshold}
        return Scheduling(runnable, settings, mode_of(reservations, base.is_slurm))

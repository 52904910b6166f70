"""The orders that are compared, and how a real Slurm is told them."""

from __future__ import annotations

from dataclasses import dataclass

from schedlab.exports.slurm import slurm_export
from schedlab.policies import Policy, get
from schedlab.slurm.settings import BACKFILL
from schedlab.studies.referee.windows import NODES


@dataclass(frozen=True)
class Setting:
    """An order of the queue.

    Parameters
    ----------
    name, label : str
        Of files, and as shown.
    expression : str
        A policy's name or expression.
    database : bool
        Whether Slurm needs a database for it, without which jobs do not age.
    """

    name: str
    label: str
    expression: str
    database: bool = False

    @property
    def policy(self) -> Policy:
        """The policy."""
        return get(self.expression)

    @property
    def lines(self) -> tuple[str, ...]:
        """What slurm.conf says of order and backfilling, each ``Key=value``."""
        return (*slurm_export(self.policy, processors=NODES).lines, BACKFILL)


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting("fcfs", "FCFS", "fcfs"),
        Setting("sqf", "SQF", "sqf"),
        # width and age weigh alike: a processor more is a hundred seconds of waiting
        Setting("mixed", "mixed", "0.5 * (n / 4.0) + 0.5 * (s / 400.0)", database=True),
    )
}

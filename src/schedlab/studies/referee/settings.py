"""The orders to compare, and their Slurm settings."""

from dataclasses import dataclass

from schedlab.exports.slurm import slurm_export
from schedlab.policies import Policy, get
from schedlab.slurm.settings import BACKFILL
from schedlab.studies.referee.windows import NODES


@dataclass(frozen=True)
class Setting:
    """An order of the queue.

    `name` is used in files, `label` in tables and figures. `expression` is a policy's name or
    expression. `database` states whether Slurm needs a database for this order; without one, jobs
    do not age.
    """

    name: str
    label: str
    expression: str
    database: bool = False

    @property
    def policy(self) -> Policy:
        """Return the policy."""
        return get(self.expression)

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of slurm.conf for order and backfilling, each ``Key=value``."""
        return (*slurm_export(self.policy, processors=NODES).lines, BACKFILL)


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting("fcfs", "FCFS", "fcfs"),
        Setting("sqf", "SQF", "sqf"),
        # width and age have equal weights: one more processor counts as 100 s of waiting
        Setting("mixed", "mixed", "0.5 * (n / 4.0) + 0.5 * (s / 400.0)", database=True),
    )
}

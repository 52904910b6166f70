"""Read the experiment sheet of kellari2025: each row has pool, workloads, machine, schedulers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from schedlab.core.machine import Machine
from schedlab.cosched.machine import shared_nodes
from schedlab.cosched.schedulers import SCHEDULERS, CoScheduler, load_orders
from schedlab.files.config import ConfigError
from schedlab.files.sheets import Row, cells_of

PAPER = "kellari2025"


@dataclass(frozen=True)
class CoSettings:
    """All settings that an experiment's schedules depend on, except its pool and its log.

    Its columns are described in ``workflow/schemas/kellari2025.schema.yaml``; here None is ``-``,
    which keeps the setting of the schedulers.
    """

    experiment: str
    nodes: int
    sockets: int
    cores: int
    workloads: int
    jobs: int
    applications: tuple[str, ...]
    arrivals: str
    load: float | None
    shape: float | None
    estimates: str
    pairs: str
    schedulers: tuple[str, ...]
    order: str | None
    node_order: str | None
    key_time: str | None
    keys: str | None
    repeat: bool | None
    threshold: float | None
    compact_below: int | None

    @property
    def cluster(self) -> Machine:
        """Return the machine."""
        return shared_nodes(self.nodes, self.sockets, self.cores)

    def scheduler(self, name: str) -> CoScheduler:
        """Return the registered scheduler of this name, with the experiment's changes."""
        return self.changed(SCHEDULERS[name])

    def changed(self, scheduler: CoScheduler) -> CoScheduler:
        """Return a scheduler with the experiment's changes.

        Job order and node order change only for co-schedulers, so that the baselines stay the same.
        """
        names = ("key_time", "keys", "repeat", "threshold", "compact_below")
        changes: dict[str, Any] = {name: getattr(self, name) for name in names}
        if scheduler.allocation != "compact":
            changes |= {"order": self.order, "nodes": self.node_order}
        set_changes = {key: value for key, value in changes.items() if value is not None}
        return replace(scheduler, **set_changes)


@dataclass(frozen=True)
class CoExperiment(Row, CoSettings):
    """Workloads drawn from a pool, run on one machine under several schedulers."""

    settings_class: ClassVar[type] = CoSettings
    limited_column: ClassVar[str] = "workloads"

    item: str
    pool: str
    log: str | None
    standin: str | None
    keep: bool

    @property
    def machine(self) -> dict[str, int]:
        """Return the cells of the machine, as jobs of the workflow take them."""
        return cells_of(self, {"nodes", "sockets", "cores"})

    def needs(self) -> list[tuple[str, str]]:
        """Return the pool, and the log and its model if there are any."""
        data = [("pools", self.pool), ("traces", self.log), ("models", self.standin)]
        return [(registry, name) for registry, name in data if name is not None]

    def check(self, earlier: Sequence[Self]) -> None:
        """Reject an unknown scheduler, a missing or superfluous log, and a missing load."""
        if strange := [name for name in self.schedulers if name not in SCHEDULERS]:
            known_names = ", ".join(SCHEDULERS)
            raise ConfigError(
                f"column 'schedulers': no scheduler '{strange[0]}', there are {known_names}"
            )
        if (self.arrivals == "log") != (self.log is not None):
            raise ConfigError("column 'log': arrivals of a log need one, others none")
        if self.load is None and self.arrivals != "constant":
            raise ConfigError(f"column 'load': {self.arrivals} arrivals need one")


def check(rows: Iterable[CoExperiment], path: str | Path, config: Mapping) -> None:
    """Check that orders are known and possible, and that no policy is named as a scheduler.

    `config` has user-defined orders and policies. Raises ConfigError, which names `path`.
    """
    try:
        load_orders(config["orders"])
    except ValueError as error:
        raise ConfigError(f"configuration: key 'orders': {error}") from error
    for name in config["policies"]:
        if name in SCHEDULERS:
            raise ConfigError(
                f"configuration: key 'policies.{name}': '{name}' is a scheduler of {PAPER}; give "
                "yours another name"
            )
    for row in rows:
        for name in row.schedulers:
            try:
                row.scheduler(name)
            except ValueError as error:
                raise ConfigError(f"{path}: experiment '{row.experiment}': {error}") from None


def as_run(rows: Iterable[CoExperiment], config: Mapping) -> list[CoExperiment]:
    """Return the experiments as the configuration runs them."""
    return [row.limited(config[PAPER]["workloads_limit"]) for row in rows]


ROW = CoExperiment

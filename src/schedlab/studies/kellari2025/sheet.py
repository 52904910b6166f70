"""The experiment sheet of kellari2025: a row is a pool, workloads, a machine and schedulers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from schedlab.cosched.machine import Nodes
from schedlab.cosched.schedulers import SCHEDULERS, CoScheduler, load_orders
from schedlab.files.config import ConfigError
from schedlab.files.sheets import Row, cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PAPER = "kellari2025"


@dataclass(frozen=True)
class CoSettings:
    """What an experiment's schedules depend on, beside its pool and the log of its arrivals.

    Parameters
    ----------
    experiment : str
        Name, once in the sheet.
    nodes, sockets, cores : int
        Machine.
    workloads, jobs : int
        Workloads drawn, and jobs of each.
    applications : tuple of str
        As of `schedlab.cosched.workloads.chosen`; empty: every one equally likely.
    arrivals : str
        As of `schedlab.cosched.workloads.Arrivals`.
    load : float or None
        Work that arrives over what the machine can do, running alone; None: everything at 0.
    shape : float or None
        Of Weibull gaps.
    estimates : str
        What users say: wall (1.4 times the time alone), factor or tsafrir.
    pairs : str
        What is taken for unmeasured pairs: a key of `schedlab.cosched.pairs.METHODS`.
    schedulers : tuple of str
        Keys of `SCHEDULERS`.
    order, node_order, key_time, keys : str or None
        In the place of every co-scheduler's own; None leaves it.
    repeat : bool or None
        The same, of every scheduler.
    threshold : float or None
        The same.
    compact_below : int or None
        The same.
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
    def cluster(self) -> Nodes:
        """The machine."""
        return Nodes(self.nodes, self.sockets, self.cores)

    def scheduler(self, name: str) -> CoScheduler:
        """The registered scheduler of a name as this experiment changes it."""
        return self.changed(SCHEDULERS[name])

    def changed(self, scheduler: CoScheduler) -> CoScheduler:
        """Return a scheduler as this experiment changes it.

        Order and nodes are changed of co-schedulers alone, so that the baselines stay what they
        are.
        """
        changes: dict[str, Any] = {
            "key_time": self.key_time,
            "keys": self.keys,
            "repeat": self.repeat,
            "threshold": self.threshold,
            "compact_below": self.compact_below,
        }
        if scheduler.allocation != "compact":
            changes |= {"order": self.order, "nodes": self.node_order}
        given = {key: value for key, value in changes.items() if value is not None}
        return replace(scheduler, **given)


@dataclass(frozen=True)
class CoExperiment(Row, CoSettings):
    """Workloads drawn from a pool, run on one machine under several schedulers.

    Parameters
    ----------
    item : str
        The table or figure that it belongs to.
    pool : str
        Pool of the registry.
    log : str or None
        The log that gaps are taken from.
    standin : str or None
        The model whose gaps stand for the log's where the configuration says source models.
    keep : bool
        Whether schedules are kept job by job.
    """

    settings_class: ClassVar[type] = CoSettings
    limited_column: ClassVar[str] = "workloads"

    item: str
    pool: str
    log: str | None
    standin: str | None
    keep: bool

    @property
    def machine(self) -> dict[str, int]:
        """The cells of the machine, as jobs take them."""
        return cells_of(self, {"nodes", "sockets", "cores"})

    def needs(self) -> list[tuple[str, str]]:
        """Return the pool, and the log and its stand-in where there are any."""
        named = [("pools", self.pool), ("traces", self.log), ("models", self.standin)]
        return [(registry, name) for registry, name in named if name is not None]

    def check(self, earlier: Sequence[Self]) -> None:
        """Refuse unknown schedulers, and arrivals without what they need.

        Raises
        ------
        ConfigError
            One of them.
        """
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
    """See that a sheet's orders are known, and that nobody's policy is called like a scheduler.

    Parameters
    ----------
    rows : iterable of CoExperiment
        Its rows.
    path : path
        The sheet, for the message.
    config : mapping
        The configuration, with a reader's own orders and policies.

    Raises
    ------
    ConfigError
        An order is not known, or not possible for a scheduler of the row; a policy is called like a
        scheduler.
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
    """Return the experiments as a configuration runs them."""
    return [row.limited(config[PAPER]["workloads_limit"]) for row in rows]


ROW = CoExperiment

"""Settings of a comparison: the schedulers that run on a log, and the length of its windows."""

from dataclasses import dataclass, field

from schedlab.files.config import ConfigError
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import FULL

#: key of the arena's random streams
ARENA = "arena"


@dataclass(frozen=True)
class ContestSettings:
    """Settings that the results of a row depend on, besides its jobs and the configuration.

    The experiment's name is unique in the sheet; a key of the random streams. The source is a log
    or model, on a machine of `processors`. Windows last `days`. Schedulers are names of
    `schedlab.comparison.schedulers.SCHEDULERS`, or ``file.py:function``. `tau` is the bound of the
    bounded slowdown in seconds, `dialect` a text of `schedlab.queue.dialect_cells.dialect_of`.
    """

    experiment: str
    source: str
    processors: int
    days: int
    schedulers: tuple[str, ...]
    tau: float
    dialect: str = field(default=FULL.name, kw_only=True)


def check_cell(cell: str) -> None:
    """Raise ConfigError if a value of a sheet's column ``dialect`` does not describe a dialect."""
    try:
        dialect_of(cell)
    except ValueError as error:
        raise ConfigError(f"column 'dialect': {error}") from None

"""The arena's sheet: a row is a log, the days of its windows and the schedulers that run it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from schedlab.arena.schedulers import REFERENCE, SCHEDULERS
from schedlab.arena.user_schedulers import check_user_schedulers as check
from schedlab.config import ConfigError, nearest
from schedlab.policies.user_files import is_place
from schedlab.sheets import LogRow, on_models

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ARENA = "arena"
__all__ = ["ARENA", "ROW", "Contest", "ContestSettings", "as_run", "check"]


@dataclass(frozen=True)
class ContestSettings:
    """What the results of a row depend on, beside its jobs and the configuration.

    Parameters
    ----------
    experiment : str
        Name, once in the sheet; keys the random streams.
    source : str
        Log or model.
    processors : int
        Size of its machine.
    days : int
        Days of a window.
    schedulers : tuple of str
        Names of `schedlab.arena.schedulers.SCHEDULERS`, or ``file.py:function``.
    tau : float
        Bound of the bounded slowdown in seconds.
    """

    experiment: str
    source: str
    processors: int
    days: int
    schedulers: tuple[str, ...]
    tau: float


@dataclass(frozen=True)
class Contest(LogRow, ContestSettings):
    """A row of the sheet.

    Parameters
    ----------
    standin_processors : int
        Size of the stand-in's machine.
    """

    settings_class: ClassVar[type] = ContestSettings

    standin_processors: int

    def on_model(self) -> Self:
        """Return the row on its stand-in."""
        label = f"{self.label} ({self.standin})"
        return replace(super().on_model(), processors=self.standin_processors, label=label)

    def check(self, earlier: Sequence[Self]) -> None:
        """Refuse schedulers that are not known, and a row without the reference.

        Raises
        ------
        ConfigError
            One of them.
        """
        for name in self.schedulers:
            if name not in SCHEDULERS and not is_place(name):
                raise ConfigError(
                    f"column 'schedulers': '{name}' is none" + nearest(name, SCHEDULERS)
                )
        if REFERENCE not in self.schedulers:
            raise ConfigError(
                f"column 'schedulers' lacks {REFERENCE}, which the others are held against"
            )


def as_run(rows: Iterable[Contest], config: Mapping) -> list[Contest]:
    """Return the rows as a configuration runs them."""
    return on_models(list(rows)[: config[ARENA]["logs"]], config)


ROW = Contest

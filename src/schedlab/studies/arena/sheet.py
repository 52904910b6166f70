"""The arena's sheet: a row is a log, the length of its windows and its schedulers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS
from schedlab.comparison.settings import ARENA, ContestSettings, check_cell
from schedlab.comparison.user_schedulers import check_user_schedulers as check
from schedlab.files.config import ConfigError
from schedlab.files.known_words import nearest
from schedlab.files.sheets import LogRow, on_models
from schedlab.policies.user_files import is_place

__all__ = ["ROW", "Contest", "as_run", "check"]


@dataclass(frozen=True)
class Contest(LogRow, ContestSettings):
    """A row of the sheet, with the size of the stand-in's machine.

    `learned` is the table of the learned policies among the results, if the row runs any.
    """

    settings_class: ClassVar[type] = ContestSettings

    standin_processors: int
    learned: str | None

    def on_model(self) -> Self:
        """Return the row on its stand-in."""
        return replace(super().on_model(), processors=self.standin_processors)

    def check(self, earlier: Sequence[Self]) -> None:
        """Reject a repeated label, and what is wrong with the schedulers of a row.

        These are unknown ones, learned ones without a table, and a row without the reference. An
        unknown dialect is an error, too.

        Raises ConfigError.
        """
        check_cell(self.dialect)
        for name in self.schedulers:
            if name not in SCHEDULERS and not is_place(name):
                raise ConfigError(
                    f"column 'schedulers': '{name}' is none" + nearest(name, SCHEDULERS)
                )
            if name in SCHEDULERS and SCHEDULERS[name].kind == "learned" and not self.learned:
                raise ConfigError(f"column 'learned' is empty, but '{name}' runs")
        if self.label in {row.label for row in earlier}:
            raise ConfigError(f"column 'label': an earlier row is '{self.label}' already")
        if REFERENCE not in self.schedulers:
            raise ConfigError(
                f"column 'schedulers' lacks {REFERENCE}, with which the others are compared"
            )


def as_run(rows: Iterable[Contest], config: Mapping) -> list[Contest]:
    """Return the rows as a configuration runs them."""
    return on_models(list(rows)[: config[ARENA]["logs"]], config)


ROW = Contest

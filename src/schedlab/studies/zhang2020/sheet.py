"""The sheet: a row is a log of the paper and the policy that was trained on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from schedlab.files.config import ConfigError
from schedlab.files.known_words import nearest
from schedlab.files.sheets import LogRow, on_models
from schedlab.policies.published import published

STUDY = "zhang2020"


@dataclass(frozen=True)
class PolicyTrial(LogRow):
    """A log, random windows of it, and a published policy.

    `windows` is how many are drawn, `length` the number of jobs of each.
    """

    limited_column: ClassVar[str] = "windows"

    processors: int
    standin_processors: int
    policy: str
    windows: int
    length: int
    tau: float

    def on_model(self) -> Self:
        """Return the row on its stand-in."""
        return replace(super().on_model(), processors=self.standin_processors)

    def check(self, earlier: Sequence[Self]) -> None:
        """Reject an unknown policy; raises ConfigError."""
        if self.policy not in published():
            raise ConfigError(
                f"column 'policy': '{self.policy}' is none" + nearest(self.policy, published())
            )


def as_run(rows: Iterable[PolicyTrial], config: Mapping) -> list[PolicyTrial]:
    """Return the rows as a configuration runs them."""
    return [row.limited(config[STUDY]["windows"]) for row in on_models(rows, config)]


ROW = PolicyTrial

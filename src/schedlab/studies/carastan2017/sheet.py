"""Read the experiment sheet of carastan2017: each row is one experiment."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from schedlab.comparison.settings import check_cell
from schedlab.files.sheets import QueueExperiment, on_models

PAPER = "carastan2017"
TABLE4 = ("table4", "table4_full")
GENERATED = ("generated", "generated_full")


@dataclass(frozen=True)
class Experiment(QueueExperiment):
    """A row of a table like Table 4; `figure` is the figure and panel, such as ``fig4a``."""

    item: str
    figure: str | None

    @property
    def name(self) -> str:
        """Name in tables and figures: the label, or that of the model that replaces the log."""
        return self.named(self.stand_in) if self.stand_in else self.label

    def named(self, workload: str) -> str:
        """Return the label with the name of another workload: what precedes the first comma."""
        _, comma, regime = self.label.partition(", ")
        return f"{workload}{comma}{regime}"

    def check(self, earlier: Sequence[Self]) -> None:
        """Reject an unknown dialect."""
        check_cell(self.dialect)


def as_run(rows: Iterable[Experiment], config: Mapping) -> list[Experiment]:
    """Return the experiments as the configuration runs them.

    When models replace logs, experiments whose model draws the paper's own workload are the
    published ones and run in full.
    """
    generated, limit = (config[PAPER][key] for key in ("generated", "pieces_limit"))
    rows = [row for row in rows if generated or row.item not in GENERATED]
    drawn_whole = config["source"] == "models"
    return [
        row if drawn_whole and row.drawn else row.limited(limit) for row in on_models(rows, config)
    ]


ROW = Experiment

"""Items, what a study shows: tables, figures and texts, as data.

A study lists its items in ``schedlab.studies.<study>.items.index``: ``groups(study)``, what one job
makes together, and ``page(study)``, what its page says besides. `schedlab.report.items` writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

#: files of an item by kind; unshown: a table that the page does not show; data: a table's .csv
KINDS = {
    "table": ("csv", "md"),
    "unshown": ("csv", "md"),
    "figure": ("png", "pdf", "csv"),
    "text": ("txt",),
    "data": ("csv",),
}
#: folders of a study's simulations: of the sheet's policies, and of those that carastan2017 learns
SHEET, LEARNED = "sheet", "learned"
#: kinds whose first file is in Snakemake's report
REPORTED = ("table", "figure")


@dataclass(frozen=True)
class Item:
    """A table, a figure or a text, or several of one name.

    Parameters
    ----------
    name : str
        Its files are results/figures/<study>/<name>.<suffix>.
    kind : str
        Words of `KINDS`, separated by blanks.
    caption : str
        Its caption is workflow/report/<study>/<caption>.rst; the name if empty.
    """

    name: str
    kind: str = "table"
    caption: str = ""

    @property
    def kinds(self) -> list[str]:
        """The kinds, one by one."""
        return self.kind.split()

    @property
    def suffixes(self) -> list[str]:
        """Suffixes of the files, each once."""
        return list(dict.fromkeys(suffix for kind in self.kinds for suffix in KINDS[kind]))


@dataclass(frozen=True)
class Group:
    """Items that one job makes, by ``make`` of a module in the study's folder ``items``.

    Parameters
    ----------
    name : str
        Name of the rule.
    section : str
        Where Snakemake's report shows the items.
    items : iterable of Item
        What is made.
    message : str
        What the job says while it runs; ``{item}`` is the item's name if `each`.
    inputs : mapping or function
        Arguments of ``make`` that are paths or lists of paths, or a function that returns them: of
        the item's name if `each`, else of "". ``<results>/`` begins what is made, ``<workflow>/``
        what comes along.
    params : mapping or function
        Further arguments, likewise.
    maker : str
        The module, if it is not called as the rule is.
    each : bool
        Whether every item has a job of its own, whose ``make`` is told its name as ``item``.
    written_out : bool
        Whether the rule is written out in the workflow, because it computes.
    memory, minutes : int
        The least that its jobs ask for, in MB and minutes.
    """

    name: str
    section: str
    items: Iterable[Item]
    message: str = ""
    inputs: Mapping[str, Any] | Callable[[str], Mapping[str, Any]] = field(default_factory=dict)
    params: Mapping[str, Any] | Callable[[str], Mapping[str, Any]] = field(default_factory=dict)
    maker: str = ""
    each: bool = False
    written_out: bool = False
    memory: int = 0
    minutes: int = 0

    @property
    def module(self) -> str:
        """Name of the module in the study's folder ``items``."""
        return self.maker or self.name


@dataclass(frozen=True)
class Study:
    """A study as it is run: what its list of items is made of.

    Parameters
    ----------
    key : str
        The paper, or what is built like one.
    rows : tuple
        Rows of its sheet, as they run.
    config : mapping
        The configuration.
    locate : function
        Where a file of the working directory stands, or the workflow's own of this path.
    sheet : tuple
        The same rows, and those that the configuration leaves out, as they stand in the sheet.
    models : collection of str
        Names of the registered models; every other source is a log.
    """

    key: str
    rows: tuple[Any, ...]
    config: Mapping[str, Any]
    locate: Callable[[str], str]
    sheet: tuple[Any, ...] = ()
    models: Collection[str] = ()

    def of_item(self, item: str) -> list[Any]:
        """List the rows whose column ``item`` names this, in the sheet's order."""
        return [row for row in self.rows if row.item == item]

    def row(self, experiment: str) -> Any:
        """Return the row of an experiment."""
        return next(row for row in self.rows if row.experiment == experiment)

    def label_as_run(self, experiment: str) -> str:
        """Return a row's label, with the model that runs in the place of its log, if any."""
        run = self.row(experiment)
        planned = next(row for row in self.sheet if row.experiment == experiment)
        if run.source == planned.source or run.drawn:
            return run.label
        return f"{run.label} [model stand-in: {run.source}]"

    def results(self, kind: str, experiments: Iterable[str]) -> list[str]:
        """List a kind of result files of experiments."""
        return [f"<results>/simulations/{self.key}/{one}.{kind}.parquet" for one in experiments]

    def results_of(self, item: str, kind: str) -> list[str]:
        """List a kind of result files of the rows of an item."""
        return self.results(kind, (row.experiment for row in self.of_item(item)))

    @property
    def logs(self) -> list[str]:
        """The logs that the rows run, in order; none where models stand in for all."""
        if self.config["source"] == "models":
            return []
        return sorted({row.source for row in self.rows})

    def resource(self, name: str) -> str:
        """Return the path of a file that came with the paper."""
        return f"<workflow>/resources/{self.key}/{name}"

    def shown(self, file: str) -> str:
        """Return the path of a file of its items."""
        return f"<results>/figures/{self.key}/{file}"


def names_of(groups: Iterable[Group], kind: str) -> list[str]:
    """List the items of a kind."""
    return [item.name for group in groups for item in group.items if kind in item.kinds]

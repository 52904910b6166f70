"""What the items of legrand2018 are made from: rows of the sheet, and files of their results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.sheets import cells_of
from schedlab.report import columns
from schedlab.report.comparison import published_of
from schedlab.report.items import From, Given, Item, Study, each, resource
from schedlab.studies.legrand2018.periods import Surface, read_runs, read_surface
from schedlab.studies.legrand2018.sheet import PeriodExperiment, by_weeks, drawn_trace

#: tables of the paper's four traces
THRESHOLDS = ("table3", "table4", "table5", "table6")
#: endings of items: with your policies, following the paper's text, comparison
OWN, BY_TEXT, COMPARISON = "_own", "_text", "_comparison"
#: divisors of the features
SCALINGS = ("deviation", "maximum", "none")
#: items that show only the trace whose space of weights is drawn
OF_ONE_TRACE = ("table2", "table2_evidence", "table7", "coverings", "fig_table2")
#: resources of the jobs that read spaces of weights or draw
LARGE = {"memory": 1000, "minutes": 10}


def items_of(study: Study, column: str) -> list[str]:
    """Return the tables or figures that a column of the sheet names, in its order."""
    names = (getattr(row, column) for row in study.rows)
    return list(dict.fromkeys(name for name in names if name))


def with_own(study: Study, items: Iterable[str], kind: str = "table") -> list[Item]:
    """Return items, followed by their versions with your policies."""
    ends = ("", OWN) if study.config["policies"] else ("",)
    return [Item(f"{name}{end}", kind) for end in ends for name in items]


def drawn(column: str):
    """Return what lists the figures that a column of the sheet names, also with your policies."""
    return lambda study: with_own(study, items_of(study, column), "figure")


def rows_of(study: Study, item: str) -> list[PeriodExperiment]:
    """Return the experiments of a table or figure; by default the paper's traces by weeks."""
    base = item.removesuffix(OWN).removesuffix(COMPARISON)
    if base in OF_ONE_TRACE:
        return [drawn_trace(study.rows)]
    if base == "sensitivity":
        return [row for row in study.rows if row.sensitivity]
    item_rows = [row for row in study.rows if base in (*row.items.values(), row.months_figure)]
    return item_rows or by_weeks(study.rows)


def own_of(study: Study, item: str) -> list[str]:
    """Return your policies that a table or figure shows in addition to the paper's."""
    return list(study.config["policies"]) if item.endswith(OWN) else []


def jobs_of(row: PeriodExperiment) -> str:
    """Return the path of an experiment's jobs before they are cut into periods."""
    if row.is_model:
        return f"<results>/workloads/{row.source}.parquet"
    return f"<results>/traces/clean/{row.source}.{row.cleaning}.parquet"


def log_of(study: Study) -> dict[str, str]:
    """Return the paths of the drawn trace's log and its ledger, or of its model's jobs."""
    row = drawn_trace(study.rows)
    if row.is_model:
        return {"jobs": jobs_of(row)}
    ledger = f"<results>/traces/clean/{row.source}.{row.cleaning}.ledger.parquet"
    return {"jobs": f"resources/raw/{row.source}.swf", "ledger": ledger}


def results(kind: str, study: Study, item: str) -> list[str]:
    """Return the results of a kind of the traces of an item."""
    return study.results(kind, (row.experiment for row in rows_of(study, item)))


def of_first(kind: str, study: Study, item: str) -> str:
    """Return the result of a kind of the single trace of an item."""
    return results(kind, study, item)[0]


def runs_of(study: Study, item: str) -> list[str]:
    """Return the runs of an item's traces, then those of each of your policies."""
    folders = ["", *(f"{name}/" for name in own_of(study, item))]
    traces = [row.experiment for row in rows_of(study, item)]
    return study.results("pure", [f"{each}{one}" for each in folders for one in traces])


def covered(study: Study, scaling: str, threshold: int) -> str:
    """Return the space of weights of the drawn trace under another scaling and threshold."""
    example = drawn_trace(study.rows)
    again = "" if threshold == example.threshold else f".{threshold}"
    return study.results(f"{scaling}{again}.surface", [example.experiment])[0]


def coverings_of(study: Study, _item: str = "") -> list[tuple[str, int]]:
    """Return the scalings and thresholds that Table 2 is compared with."""
    example = drawn_trace(study.rows)
    thresholds = [one for one in example.thresholds if one and one >= example.threshold]
    return [(scaling, threshold) for threshold in thresholds for scaling in SCALINGS]


def ranked(study: Study, _item: str = "") -> list[str]:
    """Return the tables that rank policies."""
    return ["table2", *sorted({*items_of(study, "thresholds_item")} & {*THRESHOLDS})]


def made_twice(ending: str, study: Study, _item: str) -> list[str]:
    """Return the tables, with an ending, that are made both as run and by the paper's text."""
    tables = items_of(study, "thresholds_item")
    twice = [row.thresholds_item for row in by_weeks(study.rows)]
    return [study.shown(f"{name}{ending}.csv") for name in twice if f"{name}{BY_TEXT}" in tables]


def read_row(cells: Mapping[str, Any]) -> PeriodExperiment:
    """Return the experiment of a row."""
    return PeriodExperiment(**cells)


def read_computed(path: str) -> pd.DataFrame:
    """Read a table of policies."""
    return columns.read_ours(path, "policy")


Row = Annotated[
    PeriodExperiment, Given(lambda study, item: cells_of(rows_of(study, item)[0]), read_row)
]
Rows = Annotated[
    list[PeriodExperiment],
    Given(lambda study, item: [cells_of(row) for row in rows_of(study, item)], each(read_row)),
]
Own = Annotated[Sequence[str], Given(own_of)]
#: runs of all traces and your policies, as one table, and one table a trace
Runs = Annotated[pd.DataFrame, From(runs_of, read_runs)]
RunsByTrace = Annotated[list[pd.DataFrame], From(runs_of, each(read_parquet))]
Covered = Annotated[Surface, From(partial(of_first, "deviation.surface"), read_surface)]
Unscaled = Annotated[Surface, From(partial(of_first, "none.surface"), read_surface)]
CoveredByTrace = Annotated[
    list[Surface], From(partial(results, "deviation.surface"), each(read_surface))
]
Pure = Annotated[pd.DataFrame, From(partial(of_first, "pure"))]
Search = Annotated[pd.DataFrame, From(partial(of_first, "search"))]
Varied = Annotated[pd.DataFrame, From(partial(of_first, "varied"))]
Published = Annotated[str, From(resource("published.tsv"), str)]
Owners = Annotated[str, From(resource("owners.tsv"), str)]
Table2 = Annotated[pd.DataFrame, published_of("table2")]

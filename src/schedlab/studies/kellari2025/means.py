"""Tables 6.1 and 6.2 of kellari2025, and their comparison with the thesis."""

from collections.abc import Mapping
from typing import Annotated

import pandas as pd

from schedlab.report.comparison import published_of, reasons_of
from schedlab.report.items import From, Given, Item, item, resource
from schedlab.report.parts import Table
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.inputs import SMALL, Own, Table6Runs, labels_of, runs_of, with_own
from schedlab.studies.kellari2025.tables.chapter6 import read_runs, run_on, table6


@item(
    lambda study: with_own(study, ["table6_1", "table6_2"]),
    section="Chapter 6", rule="make_table6", apart=True, **SMALL,
)  # fmt: skip
def make_table6(
    item: str,
    runs: Table6Runs,
    own: Own,
    many: Annotated[
        int, Given(lambda study, _: max(row.workloads for row in study.of_item("orderings")))
    ],
) -> Table:
    """Return the table with `own` schedulers; `many` is the number of workloads compared with."""
    means = table6(runs, item.removesuffix("_own"), own)
    return Table(means, 3, {"on": run_on(runs, many)})


@item(
    "table6_comparison", "joint", Item("identity", "table text"), "table6_readings", "orderings",
    "correlations_comparison", section="Chapter 6",
)  # fmt: skip
def compare_table6(
    ten: Table6Runs,
    many: Annotated[pd.DataFrame, From(lambda study, _: runs_of(study, "orderings"), read_runs)],
    read_again: Annotated[
        pd.DataFrame, From(lambda study, _: runs_of(study, "readings"), read_runs)
    ],
    labels: Annotated[Mapping[str, str], Given(lambda study, _: labels_of(study, "readings"))],
    means: Annotated[pd.DataFrame, From(resource("published.tsv"), published.read_table6)],
    pearson: Annotated[pd.DataFrame, published_of("fig6_14")],
    spearman: Annotated[pd.DataFrame, published_of("fig6_15")],
    reasons: Annotated[pd.DataFrame, reasons_of("table6")],
    reasons_of_figure: Annotated[pd.DataFrame, reasons_of("fig6_14")],
) -> dict[str, Table | tuple[Table, str]]:
    """Compare chapter 6 with the published tables, and test it on more workloads.

    `labels` describe the readings. `identity` has its finding too.
    """
    tables = {
        "table6_comparison": published.compare_table6(means, ten, many, reasons),
        "table6_readings": published.readings(means, read_again, pd.Series(labels)),
        "joint": published.joint(means, ten, many),
        "orderings": published.orderings(means, ten, many),
        "correlations_comparison": published.compare_correlations(
            [pearson, spearman], means, ten, many, reasons_of_figure
        ),
        "identity": published.identity(means, many, ten["workload"].nunique()),
    }
    on = run_on(ten, many["workload"].nunique())
    made = {
        name: Table(table, 5 if name == "identity" else 3, {"on": on})
        for name, table in tables.items()
    }
    return made | {"identity": (made["identity"], published.contradiction(tables["identity"]))}

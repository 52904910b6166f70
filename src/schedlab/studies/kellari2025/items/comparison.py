"""Compare chapter 6 of kellari2025 with the published tables, and test it on more workloads."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report import comparison
from schedlab.report.parts import Table
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.tables import chapter6


def make(
    labels: Mapping[str, str],
    table6: Sequence[str],
    orderings: Sequence[str],
    readings: Sequence[str],
    printed: str,
    reasons: str,
) -> dict[str, Table | tuple[Table, str]]:
    """Return the tables, and the finding of `identity`; `labels` describe the readings."""
    ten, many = chapter6.read_runs(table6), chapter6.read_runs(orderings)
    means = published.read_table6(printed)
    coefficients = [comparison.read_published(printed, item) for item in ("fig6_14", "fig6_15")]
    why = {item: comparison.read_reasons(reasons, item) for item in ("table6", "fig6_14")}
    tables = {
        "table6_comparison": published.compare_table6(means, ten, many, why["table6"]),
        "table6_readings": published.readings(
            means, chapter6.read_runs(readings), pd.Series(labels)
        ),
        "joint": published.joint(means, ten, many),
        "orderings": published.orderings(means, ten, many),
        "correlations_comparison": published.compare_correlations(
            coefficients, means, ten, many, why["fig6_14"]
        ),
        "identity": published.identity(means, many, ten["workload"].nunique()),
    }
    on = chapter6.run_on(ten, many["workload"].nunique())
    made = {
        name: Table(table, 5 if name == "identity" else 3, {"on": on})
        for name, table in tables.items()
    }
    return made | {"identity": (made["identity"], published.contradiction(tables["identity"]))}

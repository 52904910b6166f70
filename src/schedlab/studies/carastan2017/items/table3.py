"""Make Table 3 of carastan2017: the four best functions, published and computed."""

from collections.abc import Sequence

from schedlab.files.io import read_parquet
from schedlab.report import comparison
from schedlab.report.parts import Table
from schedlab.studies.carastan2017.tables import table3
from schedlab.studies.carastan2017.tables.digits import in_digits

DIGITS = dict.fromkeys(("rank_error", "c_submit", "c0"), ".9f")
DECIMALS = {"K": 0, "rank_error": 7, "c0": 6, "c_submit": 7, "ratio": 4}


def make(
    fits: Sequence[str], labels: Sequence[str], published: str, reasons: str
) -> dict[str, Table]:
    """Return Table 3 of the first fit with its comparison, and the same tables for all fits."""
    by_label = {label: read_parquet(path) for label, path in zip(labels, fits, strict=True)}
    first = by_label[labels[0]]
    table = table3.table3(first[first["fitter"] == "paper"])
    compared = table3.compare_table3(
        comparison.read_published(published, "table3"),
        table,
        comparison.read_reasons(reasons, "table3"),
    )
    tables = {
        "table3": table,
        "table3_comparison": compared,
        "table3_own": table3.table3_own(by_label),
        "table3_intercept": table3.table3_intercept(by_label),
    }
    return {
        name: Table(in_digits(rows, DIGITS), DECIMALS, readable=rows)
        for name, rows in tables.items()
    }

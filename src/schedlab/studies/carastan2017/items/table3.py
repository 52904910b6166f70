"""Make Table 3 of carastan2017: the four best functions, published and computed."""

from collections.abc import Sequence

from schedlab.files.io import read_parquet
from schedlab.report import comparison, verdicts
from schedlab.report.parts import Table
from schedlab.studies.carastan2017.tables import table3
from schedlab.studies.carastan2017.tables.digits import in_digits

NOTE = (
    "Fitted with the paper's method to the artefact's scores. K: the merged coefficient "
    "c3 / (c1 c2) before log10(s); rank_error: equation 5."
)
OWN_NOTE = "Fitted exactly. c0: the intercept; the paper's functions have none."
INTERCEPT_NOTE = (
    "The four best functions without an intercept, fitted without and with one. rank: among the "
    "400 distinct functions."
)
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
    by_distribution, intercept = table3.table3_own(by_label), table3.table3_intercept(by_label)
    title = "Table 3: the four best functions"
    tables = {
        "table3": (table, title, NOTE),
        "table3_comparison": (compared, f"{title}, published and computed", verdicts.explanation()),
        "table3_own": (by_distribution, f"{title}, by distribution", OWN_NOTE),
        "table3_intercept": (intercept, f"{title}, and an intercept", INTERCEPT_NOTE),
    }
    return {
        name: Table(in_digits(rows, DIGITS), words, note, DECIMALS, rows)
        for name, (rows, words, note) in tables.items()
    }

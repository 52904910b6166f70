"""Every number of a table of legrand2018, published and computed, with verdicts."""

from schedlab.report import columns, comparison
from schedlab.report.parts import Table

POLICIES = "policy"


def make(
    item: str, index: str, table: str, published: str, owners: str, reasons: str
) -> dict[str, Table]:
    """Return the comparison of a table, whose rows the column `index` names.

    If the rows are policies, each column ranks them; everything else is facts.
    """
    compared = item.removesuffix("_comparison")
    printed = comparison.read_published(published, compared)
    computed = columns.read_ours(table, index)
    missing = columns.why_missing(computed, printed)
    known_reasons, ordered = comparison.read_reasons(reasons, compared), index == POLICIES
    rows = columns.compare_columns(
        printed, columns.read_owners(owners, compared), computed, missing, known_reasons, ordered
    )
    return {item: Table(rows, {"ratio": 4}, {"number": compared.removeprefix("table")})}

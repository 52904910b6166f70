"""Tables 6.1 and 6.2 of kellari2025."""

from typing import Annotated

from schedlab.report.items import Given, item
from schedlab.report.parts import Table
from schedlab.studies.kellari2025.inputs import SMALL, Own, Table6Runs, with_own
from schedlab.studies.kellari2025.tables.chapter6 import run_on, table6


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

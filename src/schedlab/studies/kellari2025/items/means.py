"""Make Table 6.1 or 6.2 of kellari2025."""

from collections.abc import Sequence

from schedlab.report.parts import Table
from schedlab.studies.kellari2025.tables import chapter6

TITLES = {
    "table6_1": "Table 6.1: mean values, part 1",
    "table6_2": "Table 6.2: mean values, part 2",
}


def make(item: str, runs: Sequence[str], own: Sequence[str], many: int) -> dict[str, Table]:
    """Return the table with `own` schedulers; `many` is the number of workloads compared with."""
    table = item.removesuffix("_own")
    all_runs = chapter6.read_runs(runs)
    means = chapter6.table6(all_runs, table, own)
    return {item: Table(means, TITLES[table], chapter6.run_on(all_runs, many), 3)}

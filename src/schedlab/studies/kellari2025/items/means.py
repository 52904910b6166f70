"""Make Table 6.1 or 6.2 of kellari2025."""

from collections.abc import Sequence

from schedlab.report.parts import Table
from schedlab.studies.kellari2025.tables import chapter6


def make(item: str, runs: Sequence[str], own: Sequence[str], many: int) -> dict[str, Table]:
    """Return the table with `own` schedulers; `many` is the number of workloads compared with."""
    table = item.removesuffix("_own")
    all_runs = chapter6.read_runs(runs)
    means = chapter6.table6(all_runs, table, own)
    return {item: Table(means, 3, {"on": chapter6.run_on(all_runs, many)})}

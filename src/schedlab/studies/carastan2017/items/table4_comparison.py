"""Compare the numbers and ranks of Table 4 of carastan2017, published and computed."""

from collections.abc import Mapping, Sequence

from schedlab.report import comparison
from schedlab.report.parts import Table
from schedlab.studies.carastan2017.published import compare_table4, rank_table4, read_table4
from schedlab.studies.carastan2017.sheet import Experiment


def make(
    rows: Sequence[Mapping], simulations: Sequence[str], published: str, reasons: str, source: str
) -> dict[str, Table]:
    """Return the comparison in both dialects with its verdicts, and the rank correlations."""
    experiments = [Experiment(**row) for row in rows]
    numbers = read_table4(published, experiments, simulations, source)
    compared = compare_table4(*numbers, comparison.read_reasons(reasons, "table4"))
    return {
        "table4_comparison": Table(compared, {"ratio": 4}),
        "table4_ranks": Table(rank_table4(*numbers), 4),
    }

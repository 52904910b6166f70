"""Table 2, and its comparison with the published one."""

from collections.abc import Mapping, Sequence

from schedlab.report import comparison
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, read_stages
from schedlab.studies.souza2020.runs import learning_of
from schedlab.studies.souza2020.tables import accuracy


def make(
    stages: Sequence[str], published: str, learning: Mapping, rows: Sequence[Mapping]
) -> dict[str, Table]:
    """Return the table and the comparison."""
    alternatives = learning_of(learning).alternatives
    table = accuracy.table2(accuracy.of_submissions(read_stages(stages), alternatives))
    compared = accuracy.compare(comparison.read_published(published, "table2"), table)
    facts = {"on": background_of(rows)}
    return {"table2": Table(table, facts=facts), "table2_comparison": Table(compared)}

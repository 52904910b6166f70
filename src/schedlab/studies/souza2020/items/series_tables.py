"""Table 2, and its comparison with the published one."""

from collections.abc import Mapping, Sequence

from schedlab.report import comparison, verdicts
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, read_stages
from schedlab.studies.souza2020.runs import learning_of
from schedlab.studies.souza2020.tables import accuracy

NOTE = (
    "WT, ASA WT and PWT in hours, OV in core-hours per submission, hit and miss in per cent. PWT, "
    "hit and miss cover the stages on all cores after the first stage of a workflow; WT ahead is "
    "their mean wait. Without such stages, hit is that of the first stage. closest: share of "
    "predictions for which no alternative was closer to the wait. no hit possible: the wait was "
    "shorter than the shortest alternative. sd: over submissions. low and high: 95 % interval of "
    "the mean over replicates, which share no days."
)


def make(
    stages: Sequence[str], published: str, learning: Mapping, rows: Sequence[Mapping]
) -> dict[str, Table]:
    """Return the table and the comparison."""
    alternatives = learning_of(learning).alternatives
    table = accuracy.table2(accuracy.of_submissions(read_stages(stages), alternatives))
    compared = accuracy.compare(comparison.read_published(published, "table2"), table)
    return {
        "table2": Table(table, "Table 2", f"{background_of(rows)} {NOTE}"),
        "table2_comparison": Table(
            compared, "Table 2, published and computed", verdicts.explanation()
        ),
    }

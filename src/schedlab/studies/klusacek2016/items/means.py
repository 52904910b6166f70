"""Make the table of means over whole logs, or over user-defined experiments."""

from collections.abc import Mapping, Sequence

from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.tables.means import means


def make(
    item: str, rows: Sequence[Mapping], jobs: Sequence[str], starts: Sequence[str]
) -> dict[str, Table]:
    """Return the table, one row per experiment and scheduler."""
    table = means(read_evidence(rows, jobs, starts))
    return {item: Table(table, 3)}

"""Make the table of means over whole logs, or over user-defined experiments."""

from collections.abc import Mapping, Sequence

from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.tables.means import means

NOTE = (
    "Waits in s. _sd: standard deviation over jobs, for NUWT over users. complaining: users who "
    "complain. size: sum over all complaints of wait divided by acceptable wait. low and high: "
    "95 % interval of the mean over the seeds."
)


def make(
    item: str, rows: Sequence[Mapping], jobs: Sequence[str], starts: Sequence[str]
) -> dict[str, Table]:
    """Return the table, one row per experiment and scheduler."""
    table = means(read_evidence(rows, jobs, starts))
    return {item: Table(table, "Means over jobs, users and seeds", NOTE, 3)}

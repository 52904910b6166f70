"""Make Table 1 under other readings, and the joint test of the published numbers."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.tables.sets import joint, readings


def make(
    rows: Sequence[Mapping], runs: Sequence[str], sets: Mapping[str, int], published: str
) -> dict[str, Table]:
    """Return a table with one row per reading and set, and one with the joint tails."""
    read = [read_parquet(path) for path in runs]
    together = joint(read_published(published, "table1"), rows, read)
    return {
        "table1_readings": Table(readings(rows, read, sets)),
        "table1_joint": Table(together, 3),
    }

"""Make Table 1 under other readings, and the joint test of the published numbers."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.tables.sets import NOTE, joint, readings

JOINT = (
    "Each row is one reading. For each log: number of busy intervals in which jobs wait, median "
    "changes of mean wait (WT) and mean bounded slowdown (SD) in per cent, and percentage of "
    "intervals in which both fall. all fall: probability that both fall in two random intervals of "
    "each log. joint tail: Fisher's statistic over the two-sided tails of the eight published "
    "numbers, compared with every choice of two intervals of each log; a reading below 0.05 is "
    "rejected."
)


def make(
    rows: Sequence[Mapping], runs: Sequence[str], sets: Mapping[str, int], published: str
) -> dict[str, Table]:
    """Return a table with one row per reading and set, and one with the joint tails."""
    read = [read_parquet(path) for path in runs]
    together = joint(read_published(published, "table1"), rows, read)
    return {
        "table1_readings": Table(readings(rows, read, sets), "Other readings of Table 1", NOTE),
        "table1_joint": Table(together, "Table 1 under each reading", JOINT, 3),
    }

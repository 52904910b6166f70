"""Make Table 1 and its comparison with the published one."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.report import comparison, verdicts
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.tables.sets import NOTE, compare_table1, over_periods, table1

PERIODS = (
    "The most contended five days of each log, by simulated waits. intervals: those in which jobs "
    "wait; change: median over them in per cent, with its 95 % interval; better: how many "
    "of them are better under Plan-RS; low and high: between these lie 95 % of the changes."
)


def make(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    logs: Sequence[str],
    periods: Sequence[str],
    published: str,
    reasons: str,
) -> dict[str, Table]:
    """Return the table, the comparison, and a summary of many intervals of each of `logs`."""
    sets = read_evidence(rows, jobs, starts)
    printed = comparison.read_published(published, "table1")
    many = {log: read_parquet(path) for log, path in zip(logs, periods, strict=True)}
    why = comparison.read_reasons(reasons, "table1")
    note = (
        f"{verdicts.explanation()} A printed change is an order of two schedulers, which holds "
        "where the computed change has the same sign; it is consistent if, besides, the joint test "
        "does not reject all printed numbers together. low and high: between these lie 95 % of "
        "the changes "
        "over many busy intervals of the log. tail: two-sided tail of the printed number among "
        "these. joint: of all eight numbers together, below 0.05 rejected. The Zewura sets are "
        "compared with sets of another log."
    )
    compared = compare_table1(printed, sets, many, why)
    return {
        "table1": Table(table1(sets), "Table 1", NOTE),
        "table1_comparison": Table(compared, "Table 1, published and computed", note),
        "table1_periods": Table(over_periods(many), "Many busy intervals", PERIODS),
    }

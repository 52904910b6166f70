"""Make Table 1 and its comparison with the published one."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.report import comparison, verdicts
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.figures.sets import draw_changes
from schedlab.studies.klusacek2016.tables.sets import NOTE, compare_table1, over_periods, table1

TITLE = "Plan-RS against Orig-BF, conservative backfilling in order of arrival."
PERIODS = (
    "The most contended intervals of five days of each log, by simulated waits. intervals: number "
    "in which jobs wait. change: median over them in per cent, with its 95 % interval. better: "
    "number of intervals that are better under Plan-RS. low and high: range of 95 % of the changes."
)


def make(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    logs: Sequence[str],
    periods: Sequence[str],
    published: str,
    reasons: str,
    names: Mapping[str, str],
) -> dict[str, Table | Picture]:
    """Return Table 1, its figure and comparison, and a summary of many intervals of `logs`.

    `names` are those of the sets of models that replace logs, by set.
    """
    sets = read_evidence(rows, jobs, starts)
    printed = comparison.read_published(published, "table1")
    many = {log: read_parquet(path) for log, path in zip(logs, periods, strict=True)}
    why = comparison.read_reasons(reasons, "table1")
    note = (
        f"{verdicts.explanation()} Each published change ranks two schedulers; a computed change "
        "with the same sign gives the same ranking. It is consistent if, in addition, the joint "
        "test does not reject all published numbers together. low and high: range of 95 % of the "
        "changes over many busy intervals of the log. tail: two-sided tail of the published number "
        "among these. joint: of all eight numbers together; below 0.05 they are rejected. The "
        "Zewura sets are compared with sets of another log."
    )
    compared = compare_table1(printed, sets, many, why)
    return {
        "table1": Table(table1(sets), "Table 1", NOTE),
        "fig_table1": Picture(draw_changes(compared, TITLE, names), compared),
        "table1_comparison": Table(compared, "Table 1, published and computed", note),
        "table1_periods": Table(over_periods(many), "Many busy intervals", PERIODS),
    }

"""Make Table 1 and its comparison with the published one."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.report import comparison
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.figures.sets import draw_changes
from schedlab.studies.klusacek2016.tables.sets import compare_table1, over_periods, table1

TITLE = "Plan-RS against Orig-BF, conservative backfilling in order of arrival."


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
    compared = compare_table1(printed, sets, many, why)
    return {
        "table1": Table(table1(sets)),
        "fig_table1": Picture(draw_changes(compared, TITLE, names), compared),
        "table1_comparison": Table(compared),
        "table1_periods": Table(over_periods(many)),
    }

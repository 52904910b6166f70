"""Table 1, and beside the printed one."""

from collections.abc import Mapping, Sequence

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.tables.sets import NOTE, compare_table1, over_periods, table1
from schedlab.report import comparison, tables, verdicts

PERIODS = (
    "The most contended five days of each log, by simulated waits. intervals: those in which jobs "
    "wait; change: median over them in per cent, with its 95 % interval; better: how many "
    "of them are better under Plan-RS; low and high: between these lie 95 % of the changes."
)


def make_table1(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    periods: Mapping[str, str],
    printed: str,
    reasons: str,
    outputs: Mapping[str, str],
) -> None:
    """Write the table, the comparison, and what many intervals give; `periods` by log."""
    sets = read_evidence(rows, jobs, starts)
    published = comparison.read_published(printed, "table1")
    many = {log: read_parquet(path) for log, path in periods.items()}
    why = comparison.read_reasons(reasons, "table1")
    told = (
        f"{verdicts.told()} A printed change is an order of two schedulers, which holds where the "
        "computed change has the same sign; it is consistent if, besides, the joint test does not "
        "reject all printed numbers together. low and high: between these lie 95 % of the changes "
        "over many busy intervals of the log. tail: two-sided tail of the printed number among "
        "these. joint: of all eight numbers together, below 0.05 rejected. The Zewura sets are "
        "compared with sets of another log."
    )
    shown = {
        "table1": (table1(sets), "Table 1", NOTE),
        "table1_comparison": (
            compare_table1(published, sets, many, why),
            "Table 1, published and ours",
            told,
        ),
        "table1_periods": (over_periods(many), "Many busy intervals", PERIODS),
    }
    for name, (table, title, note) in shown.items():
        tables.write_csv(table, outputs[f"{name}_csv"])
        tables.write_markdown(table, outputs[f"{name}_md"], title, note)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table1(
            rows=job.params.rows,
            jobs=job.input.jobs,
            starts=job.input.starts,
            periods=dict(zip(job.params.logs, job.input.periods, strict=True)),
            printed=job.input.published,
            reasons=job.input.reasons,
            outputs=dict(job.output.items()),
        )

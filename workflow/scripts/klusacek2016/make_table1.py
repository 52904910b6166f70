"""Table 1, and beside the printed one."""

from collections.abc import Mapping, Sequence

from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.tables.sets import NOTE, compare_table1, table1
from schedlab.report import comparison, tables, verdicts


def make_table1(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    printed: str,
    reasons: str,
    outputs: Mapping[str, str],
) -> None:
    """Write the table and the comparison."""
    sets = read_evidence(rows, jobs, starts)
    published = comparison.read_published(printed, "table1")
    why = comparison.read_reasons(reasons, "table1")
    told = f"{verdicts.told()} Zewura sets: beside them ours of wagap-2013."
    shown = {
        "table1": (table1(sets), "Table 1", NOTE),
        "table1_comparison": (
            compare_table1(published, sets, why),
            "Table 1, published and ours",
            told,
        ),
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
            printed=job.input.published,
            reasons=job.input.reasons,
            outputs=dict(job.output.items()),
        )

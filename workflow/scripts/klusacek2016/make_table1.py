"""Table 1, beside the printed one, and what other readings of it give."""

from collections.abc import Mapping, Sequence

from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.tables.sets import compare_table1, table1
from schedlab.report import comparison, tables, verdicts

NOTE = (
    "WT, SD: by how many per cent Plan-RS changes mean wait and mean bounded slowdown of Orig-BF; "
    "low and high: 95 % interval of the mean over the seeds."
)


def make_table1(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    readings: Mapping[str, Sequence],
    printed: str,
    reasons: str,
    outputs: Mapping[str, str],
) -> None:
    """Write the table, the comparison and the readings; `readings` is rows, jobs and starts."""
    sets = read_evidence(rows, jobs, starts)
    others = read_evidence(**readings)
    published = comparison.read_published(printed, "table1")
    why = comparison.read_reasons(reasons, "table1")
    shown = {
        "table1": (table1(sets), "Table 1", NOTE),
        "table1_comparison": (
            compare_table1(published, sets, why),
            "Table 1, published and ours",
            f"{verdicts.told()} Zewura sets: beside them ours of wagap-2013.",
        ),
        "table1_readings": (
            table1(others),
            "Other readings of Table 1",
            NOTE,
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
            readings={
                "rows": job.params.readings,
                "jobs": job.input.other_jobs,
                "starts": job.input.other_starts,
            },
            printed=job.input.published,
            reasons=job.input.reasons,
            outputs=dict(job.output.items()),
        )

"""Table 1 under other readings of what was run."""

from collections.abc import Mapping, Sequence

from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.tables.sets import NOTE, table1
from schedlab.report import tables


def make_readings(
    rows: Sequence[Mapping], jobs: Sequence[str], starts: Sequence[str], csv: str, md: str
) -> None:
    """Write a row per reading and set."""
    table = table1(read_evidence(rows, jobs, starts))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Other readings of Table 1", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_readings(
            rows=job.params.rows,
            jobs=job.input.jobs,
            starts=job.input.starts,
            csv=job.output.csv,
            md=job.output.md,
        )

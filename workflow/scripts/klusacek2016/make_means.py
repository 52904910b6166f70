"""Means over whole logs, or over experiments of a reader's own."""

from collections.abc import Mapping, Sequence

from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.tables.means import means
from schedlab.report import tables

NOTE = (
    "Waits in s; _sd: standard deviation over jobs, of NUWT over users; complaining: users who "
    "complain; size: sum of wait over acceptable wait of all complaints; low and high: 95 % "
    "interval of the mean over the seeds."
)


def make_means(
    rows: Sequence[Mapping], jobs: Sequence[str], starts: Sequence[str], csv: str, md: str
) -> None:
    """Write a row per experiment and scheduler."""
    table = means(read_evidence(rows, jobs, starts))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Means over jobs, users and seeds", NOTE, 3)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_means(
            rows=job.params.rows,
            jobs=job.input.jobs,
            starts=job.input.starts,
            csv=job.output.csv,
            md=job.output.md,
        )

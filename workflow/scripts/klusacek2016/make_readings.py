"""Table 1 under other readings of what was run."""

from collections.abc import Mapping, Sequence

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.klusacek2016.tables.sets import NOTE, readings
from schedlab.report import tables


def make_readings(rows: Sequence[Mapping], runs: Sequence[str], csv: str, md: str) -> None:
    """Write a row per reading and set."""
    table = readings(rows, map(read_parquet, runs))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Other readings of Table 1", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_readings(
            rows=job.params.rows,
            runs=job.input.runs,
            csv=job.output.csv,
            md=job.output.md,
        )

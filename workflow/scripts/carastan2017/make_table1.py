"""Table 1: the base functions of the regression."""

from schedlab.logs import logged
from schedlab.papers.carastan2017.tables.learned import table1
from schedlab.report import tables

NOTE = "Logarithms and inverses, and whatever divides, are taken of x + 1e-10."


def make_table1(csv: str, md: str) -> None:
    """Write Table 1 as .csv and .md."""
    table = table1()
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Table 1: base functions of the nonlinear regression", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table1(job.output.csv, job.output.md)

"""Rank correlation of the eight policies with the published row, per row and dialect."""

from collections.abc import Sequence

from schedlab import comparison, tables
from schedlab.experiments import read_experiments
from schedlab.logs import logged

NOTE = "Kendall's tau-b and Spearman's rho; orders are from the smallest median to the largest."


def rank_table4(
    sheet: str,
    schema: str,
    simulations: Sequence[str],
    published: str,
    source: str,
    csv: str,
    md: str,
) -> None:
    """Write the rank correlations as .csv and .md."""
    experiments = read_experiments(sheet, schema)
    numbers = comparison.read_table4(published, experiments, simulations, source)
    table = comparison.rank_table4(*numbers)
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Table 4: rank correlation with the published rows", NOTE, 4)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        rank_table4(
            *(job.input.sheet, job.input.schema, job.input.simulations),
            *(job.input.published, job.params.source),
            *(job.output.csv, job.output.md),
        )

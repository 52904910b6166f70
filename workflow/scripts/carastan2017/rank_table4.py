"""Rank correlation of the eight policies with the published row, per row and dialect."""

from collections.abc import Mapping, Sequence

from schedlab.logs import logged
from schedlab.papers.carastan2017.published import rank_table4 as rank
from schedlab.papers.carastan2017.published import read_table4
from schedlab.papers.carastan2017.sheet import Experiment
from schedlab.report import tables

NOTE = "Kendall's tau-b and Spearman's rho; orders are from the smallest median to the largest."


def rank_table4(
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    published: str,
    source: str,
    csv: str,
    md: str,
) -> None:
    """Write the rank correlations as .csv and .md."""
    experiments = [Experiment(**row) for row in rows]
    table = rank(*read_table4(published, experiments, simulations, source))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Table 4: rank correlation with the published rows", NOTE, 4)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        rank_table4(
            rows=job.params.rows,
            simulations=job.input.simulations,
            published=job.input.published,
            source=job.params.source,
            csv=job.output.csv,
            md=job.output.md,
        )

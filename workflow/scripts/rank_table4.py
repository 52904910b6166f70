"""Rank correlation of the eight policies with the published row, per row and dialect."""

from collections.abc import Sequence

from schedlab import comparison, tables
from schedlab.experiments import read_experiments

ITEMS = ("table4", "table4_full")
NOTE = "Kendall's tau-b and Spearman's rho; orders are from the smallest median to the largest."


def rank_table4(
    sheet: str, simulations: Sequence[str], published: str, source: str, csv: str, md: str
) -> None:
    """Write the rank correlations as .csv and .md."""
    rows = tables.sheet_frame(read_experiments(sheet), ITEMS, source)
    table = comparison.rank_table4(
        comparison.read_published(published, "table4"),
        rows,
        tables.medians(rows, tables.read_sequences(rows, simulations)),
    )
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Table 4: rank correlation with the published rows", NOTE, 3)


if __name__ == "__main__":
    rank_table4(
        snakemake.input.sheet,  # noqa: F821
        snakemake.input.simulations,  # noqa: F821
        snakemake.input.published,  # noqa: F821
        snakemake.params.source,  # noqa: F821
        snakemake.output.csv,  # noqa: F821
        snakemake.output.md,  # noqa: F821
    )

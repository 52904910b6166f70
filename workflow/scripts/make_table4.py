"""Table 4: median over the sequences of the average bounded slowdown, row by row."""

from collections.abc import Sequence

from schedlab import tables
from schedlab.experiments import read_experiments

NOTE = (
    "Medians over the sequences of AVEbsld (tau = 10 s), cut to two digits as the paper does; "
    "the .csv beside this file has six."
)


def make_table4(
    sheet: str, simulations: Sequence[str], items: Sequence[str], source: str, csv: str, md: str
) -> None:
    """Write the rows of `items` as .csv and .md."""
    rows = tables.sheet_frame(read_experiments(sheet), items, source)
    values = tables.medians(rows, tables.read_sequences(rows, simulations))
    table = tables.table4(rows, values)
    tables.write_csv(table, csv)
    dialects = " and ".join(rows["dialect"].unique())
    tables.write_markdown(
        table, md, f"Table 4: median average bounded slowdown ({dialects} dialect)", NOTE
    )


if __name__ == "__main__":
    make_table4(
        snakemake.input.sheet,  # noqa: F821
        snakemake.input.simulations,  # noqa: F821
        snakemake.params.items,  # noqa: F821
        snakemake.params.source,  # noqa: F821
        snakemake.output.csv,  # noqa: F821
        snakemake.output.md,  # noqa: F821
    )

"""Figures 4 to 9: boxplots of the average bounded slowdown over the sequences."""

from collections.abc import Sequence

from schedlab import tables
from schedlab.experiments import read_experiments
from schedlab.figures.boxplots import draw_boxplots as draw
from schedlab.figures.style import save

ITEMS = ("table4", "table4_full")


def draw_boxplots(
    sheet: str,
    simulations: Sequence[str],
    figure: str,
    source: str,
    pdf: str,
    png: str,
    csv: str,
) -> None:
    """Draw one figure with its panels and write what is drawn beside it."""
    rows = tables.sheet_frame(read_experiments(sheet), ITEMS, source)
    rows = rows[rows["figure"].str.fullmatch(f"{figure}[a-z]")]
    boxes = tables.boxes(rows, tables.read_sequences(rows, simulations))
    save(draw(boxes), pdf, png)
    tables.write_csv(boxes, csv)


if __name__ == "__main__":
    draw_boxplots(
        snakemake.input.sheet,  # noqa: F821
        snakemake.input.simulations,  # noqa: F821
        snakemake.params.figure,  # noqa: F821
        snakemake.params.source,  # noqa: F821
        snakemake.output.pdf,  # noqa: F821
        snakemake.output.png,  # noqa: F821
        snakemake.output.csv,  # noqa: F821
    )

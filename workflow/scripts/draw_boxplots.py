"""Figures 4 to 9: boxplots of the average bounded slowdown over the sequences."""

from collections.abc import Sequence

from schedlab import tables
from schedlab.experiments import read_experiments
from schedlab.figures.boxplots import draw_boxplots as draw
from schedlab.figures.style import save
from schedlab.logs import logged

ITEMS = ("table4", "table4_full")


def draw_boxplots(
    sheet: str,
    schema: str,
    simulations: Sequence[str],
    figure: str,
    own: Sequence[str],
    source: str,
    pdf: str,
    png: str,
    csv: str,
) -> None:
    """Draw one figure with its panels and write what is drawn beside it.

    `own` are policies that get boxes beside the paper's.
    """
    rows = tables.sheet_frame(read_experiments(sheet, schema), ITEMS, source)
    rows = rows[rows["figure"].str.fullmatch(f"{figure}[a-z]")]
    boxes = tables.boxes(rows, tables.read_sequences(rows, simulations), own)
    save(draw(boxes), pdf, png)
    tables.write_csv(boxes, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_boxplots(
            *(job.input.sheet, job.input.schema, job.input.simulations),
            *(job.params.figure, job.params.own, job.params.source),
            *(job.output.pdf, job.output.png, job.output.csv),
        )

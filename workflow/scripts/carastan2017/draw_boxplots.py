"""Figures 4 to 9: boxplots of the average bounded slowdown over the sequences."""

from collections.abc import Mapping, Sequence

from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.carastan2017.figures.boxplots import draw_boxplots as draw
from schedlab.studies.carastan2017.sheet import Experiment
from schedlab.studies.carastan2017.tables.boxes import boxes as boxes_of
from schedlab.studies.carastan2017.tables.experiments import read_sequences, sheet_frame


def draw_boxplots(
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    own: Sequence[str],
    source: str,
    pdf: str,
    png: str,
    csv: str,
) -> None:
    """Draw one figure with its panels and write what is drawn beside it.

    `own` are policies that get boxes beside the paper's.
    """
    sheet = sheet_frame([Experiment(**row) for row in rows], source)
    boxes = boxes_of(sheet, read_sequences(sheet, simulations), own)
    save(draw(boxes), pdf, png)
    tables.write_csv(boxes, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_boxplots(
            rows=job.params.rows,
            simulations=job.input.simulations,
            own=job.params.own,
            source=job.params.source,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )

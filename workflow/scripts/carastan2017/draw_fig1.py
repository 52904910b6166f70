"""Figure 1: examples of trial score distributions."""

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.learning.scores import examples
from schedlab.logs import logged
from schedlab.papers.carastan2017.figures.scores import draw_examples
from schedlab.report.tables import write_csv


def draw_fig1(uniform: str, artefact: str, pdf: str, png: str, csv: str) -> None:
    """Draw tuples from flat to steep, by both samplers."""
    shown = examples(read_parquet(uniform), read_parquet(artefact))
    save(draw_examples(shown), pdf, png)
    write_csv(shown, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_fig1(job.input.uniform, job.input.artefact, *job.output)

"""Figure 1: examples of trial score distributions."""

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.learning.distributions import examples
from schedlab.report.figures.style import save
from schedlab.report.tables import write_csv
from schedlab.studies.carastan2017.figures.scores import draw_examples


def draw_fig1(uniform: str, artefact: str, pdf: str, png: str, csv: str) -> None:
    """Draw tuples from flat to steep, by both samplers."""
    shown = examples(read_parquet(uniform), read_parquet(artefact))
    save(draw_examples(shown), pdf, png)
    write_csv(shown, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_fig1(
            uniform=job.input.uniform,
            artefact=job.input.artefact,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )

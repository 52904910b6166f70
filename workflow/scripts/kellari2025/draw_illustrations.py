"""A figure of kellari2025 that shows a small example, simulated: 3.1 and 5.1 to 5.3."""

from schedlab.cosched.timelines import listed
from schedlab.figures.style import save
from schedlab.logs import logged
from schedlab.papers.kellari2025.figures.illustrations import draw_backfill, draw_methods
from schedlab.papers.kellari2025.toys import (
    BACKFILL_CLUSTER,
    METHODS_CLUSTER,
    allocation_methods,
    backfill_example,
)
from schedlab.report import tables

STEPS = {
    "fig5_1": ("ABC", "A, B and C execute; D, E and F wait"),
    "fig5_2": ("ABCD", "D, the oldest, can start when A ends"),
    "fig5_3": ("ABCDF", "F ends before D starts: it is backfilled; E would not"),
}


def draw_illustrations(figure: str, pdf: str, png: str, csv: str) -> None:
    """Draw a figure and write what it draws beside it."""
    if figure in STEPS:
        placed, words = STEPS[figure]
        queue = backfill_example()
        shown = listed(queue).assign(shown=queue["name"].isin(list(placed)))
        drawn = draw_backfill(queue, placed, BACKFILL_CLUSTER.nodes, words)
    else:
        shown = allocation_methods()
        drawn = draw_methods(shown, METHODS_CLUSTER.cores)
    save(drawn, pdf, png)
    tables.write_csv(shown, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_illustrations(
            figure=job.wildcards.figure,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )

"""Figures 3.1 and 5.1 to 5.3 of kellari2025: small examples, simulated."""

from collections.abc import Mapping

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


def draw_illustrations(outputs: Mapping[str, str]) -> None:
    """Draw each figure and write what it draws beside it; `outputs` by `figure_kind`."""
    places, queue = allocation_methods(), backfill_example()
    figures = {"fig3_1": (draw_methods(places, METHODS_CLUSTER.cores), places)}
    for name, (placed, words) in STEPS.items():
        shown = listed(queue).assign(shown=queue["name"].isin(list(placed)))
        figures[name] = (draw_backfill(queue, placed, BACKFILL_CLUSTER.nodes, words), shown)
    for name, (figure, table) in figures.items():
        save(figure, outputs[f"{name}_pdf"], outputs[f"{name}_png"])
        tables.write_csv(table, outputs[f"{name}_csv"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_illustrations(dict(job.output.items()))

"""Make a figure of kellari2025 with a small simulated example: 3.1 and 5.1 to 5.3."""

from schedlab.cosched.timelines import with_node_ranges
from schedlab.report.figures.picture import Picture
from schedlab.studies.kellari2025.figures.illustrations import draw_backfill, draw_methods
from schedlab.studies.kellari2025.toys import (
    BACKFILL_CLUSTER,
    METHODS_CLUSTER,
    allocation_methods,
    backfill_example,
)

STEPS = {
    "fig5_1": ("ABC", "A, B and C execute; D, E and F wait"),
    "fig5_2": ("ABCD", "D, the oldest, can start when A ends"),
    "fig5_3": ("ABCDF", "F ends before D starts: it is backfilled; E would not"),
}


def make(item: str) -> dict[str, Picture]:
    """Return a figure and its data."""
    if item in STEPS:
        placed, note = STEPS[item]
        queue = backfill_example()
        data = with_node_ranges(queue).assign(shown=queue["name"].isin(list(placed)))
        picture = draw_backfill(queue, placed, BACKFILL_CLUSTER.nodes, note)
    else:
        data = allocation_methods()
        picture = draw_methods(data, METHODS_CLUSTER.cores)
    return {item: Picture(picture, data)}

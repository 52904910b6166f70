"""Make figures 4 to 9 of carastan2017: average bounded slowdown over sequences, by policy."""

from collections.abc import Mapping, Sequence

from schedlab.report.comparison import read_published
from schedlab.report.figures.picture import Picture
from schedlab.studies.carastan2017.figures.boxplots import draw_boxplots
from schedlab.studies.carastan2017.published import add_published
from schedlab.studies.carastan2017.tables.boxes import boxes as boxes_of
from schedlab.studies.carastan2017.tables.experiments import read_experiments


def make(
    item: str,
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    own: Sequence[str],
    source: str,
    published: str,
) -> dict[str, Picture]:
    """Return one figure with its panels; `own` are user-defined policies, which get boxes too."""
    sheet, sequences = read_experiments(rows, simulations, source)
    boxes = add_published(
        boxes_of(sheet, sequences, own), sheet, read_published(published, "table4")
    )
    return {item: Picture(draw_boxplots(boxes), boxes)}

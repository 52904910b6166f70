"""Make figure 1 of carastan2017: examples of trial score distributions."""

from schedlab.files.io import read_parquet
from schedlab.learning.distributions import examples
from schedlab.report.figures.picture import Picture
from schedlab.studies.carastan2017.figures.scores import draw_examples


def make(uniform: str, artefact: str) -> dict[str, Picture]:
    """Return the figure of tuples from flat to steep, with both samplers."""
    scores = examples(read_parquet(uniform), read_parquet(artefact))
    return {"fig1": Picture(draw_examples(scores), scores)}

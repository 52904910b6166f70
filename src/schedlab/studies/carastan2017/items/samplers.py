"""Compare published scores with scores of the same tuples from either sampler."""

from schedlab.files.io import read_parquet
from schedlab.learning.distributions import correlations
from schedlab.report.figures.picture import Picture
from schedlab.studies.carastan2017.figures.scores import draw_samplers


def make(joined: str) -> dict[str, Picture]:
    """Return the scatter plot with the correlations."""
    rows = read_parquet(joined)
    table = correlations(rows)
    return {"fig_samplers": Picture(draw_samplers(rows, table), table)}

"""Draw the matrix of site policies."""

import pandas as pd

from schedlab.report.figures.picture import Picture
from schedlab.studies.carastan2017.figures.sites import draw_sites


def make(item: str, sites: str) -> dict[str, Picture]:
    """Return the figure with the ratios of the matrix."""
    matrix = pd.read_csv(sites, dtype={"status": str}).fillna({"status": ""})
    return {item: Picture(draw_sites(matrix), matrix)}

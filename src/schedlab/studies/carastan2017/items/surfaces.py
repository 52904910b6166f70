"""Make figure 3 of carastan2017: the best functions by run time, processors and submit time."""

from schedlab.files.io import read_parquet
from schedlab.learning.regression import read_distribution
from schedlab.report.figures.picture import Picture
from schedlab.studies.carastan2017.figures.surfaces import draw_surfaces
from schedlab.studies.carastan2017.tables.digits import in_digits
from schedlab.studies.carastan2017.tables.surfaces import surfaces
from schedlab.traces.records import unaltered


def make(fits: str, distribution: str) -> dict[str, Picture]:
    """Return the surfaces of the functions fitted as in the paper to the distribution."""
    functions = read_parquet(fits)
    points = surfaces(
        functions[functions["fitter"] == "paper"], read_distribution(unaltered(distribution))
    )
    return {"fig3": Picture(draw_surfaces(points), in_digits(points, {"score": ".9f"}))}

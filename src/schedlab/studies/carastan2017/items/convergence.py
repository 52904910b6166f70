"""Make figure 2 of carastan2017: convergence of the scores with the number of trials."""

from schedlab.files.io import read_parquet
from schedlab.report.comparison import read_published
from schedlab.report.figures.picture import Picture
from schedlab.studies.carastan2017.figures.scores import draw_convergence


def make(deviations: str, published: str) -> dict[str, Picture]:
    """Return the deviations, with the published one."""
    rows = read_parquet(deviations)
    printed = read_published(published, "fig2")["normalised standard deviation"]
    figure = draw_convergence(rows, (int(printed.index[0]), float(printed.iloc[0])))
    return {"fig2": Picture(figure, rows)}

"""Make figure 4: the changes by accepted moves over time."""

from schedlab.files.io import read_parquet
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.studies.klusacek2016.figures.searching import draw_moves


def make(moves: str, title: str, source: str) -> dict[str, Picture]:
    """Return the figure of one run of `title`, and times and changes of its accepted moves."""
    accepted = read_parquet(moves)[["time", "wait", "slowdown", "fairness"]]
    setting = f"{title}, one seed: {len(accepted):,} accepted moves"
    figure = draw_moves(accepted, setting) if len(accepted) else log_not_available(source)
    return {"fig4": Picture(figure, accepted.astype({"time": "int64"}))}

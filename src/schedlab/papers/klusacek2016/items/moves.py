"""Figure 4: what accepted moves changed over time."""

from schedlab.figures.missing import not_at_hand
from schedlab.io import read_parquet
from schedlab.papers.klusacek2016.figures.searching import draw_moves
from schedlab.report.items import Picture


def make(moves: str, source: str, label: str) -> dict[str, Picture]:
    """Return the moves of one run, and their times and changes."""
    kept = read_parquet(moves)[["time", "wait", "slowdown", "fairness"]]
    title = f"{source}, {label}, one seed: {len(kept):,} accepted moves"
    figure = draw_moves(kept, title) if len(kept) else not_at_hand(source)
    return {"fig4": Picture(figure, kept.astype({"time": "int64"}))}

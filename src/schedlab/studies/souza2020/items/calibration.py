"""The one calibration: median wait of Big Jobs against load, and the kept load."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.souza2020.calibration import REALISED, collect_searches
from schedlab.studies.souza2020.evidence import background_of, realized_wait
from schedlab.studies.souza2020.figures.lines import draw_calibration


def make(
    tried: Sequence[str], runs: Sequence[str], rows: Sequence[Mapping]
) -> dict[str, tuple[Table, Picture]]:
    """Return the loads that were tried, as a table and a figure."""
    realised_loads = [
        {"experiment": row["label"], "kept": row["load"]}
        | dict(zip(REALISED, realized_wait(row["item"], read_parquet(path)), strict=True))
        for row, path in zip(rows, runs, strict=True)
    ]
    table = collect_searches(realised_loads, map(read_parquet, tried))
    title = f"Load of the background. {background_of(rows)}"
    empty = log_not_available(rows[0]["source"]) if table.empty else None
    figure = empty or draw_calibration(table, title)
    return {"calibration": (Table(table, 4), Picture(figure))}

"""What the items of zhang2020 are made from: rows, runs, and numbers of windows."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.intervals import interval, resampled_places
from schedlab.core.streams import generator
from schedlab.files.io import read_parquet
from schedlab.files.sheets import cells_of
from schedlab.report.claims import RESAMPLES
from schedlab.report.items import From, Given, Study, each
from schedlab.studies.zhang2020.sheet import STUDY, PolicyTrial

SMALL = {"memory": 500, "minutes": 5}


def results_of(study: Study, _item: str) -> list[str]:
    """Return the paths of the runs of every row."""
    return [f"<results>/simulations/{study.key}/{row.experiment}.parquet" for row in study.rows]


Rows = Annotated[
    list[PolicyTrial],
    Given(
        lambda study, _: [cells_of(row) for row in study.rows],
        lambda rows: [PolicyTrial(**row) for row in rows],
    ),
]
Runs = Annotated[list[pd.DataFrame], From(results_of, each(read_parquet))]


def by_window(runs: pd.DataFrame, column: str = "slowdown") -> pd.DataFrame:
    """Return a column of runs: a row per window, columns variant and policy in order."""
    table = runs.pivot(index="window", columns=["variant", "policy"], values=column)
    order = runs[["variant", "policy"]].drop_duplicates().itertuples(index=False, name=None)
    return table[list(order)]


def resamples(row: PolicyTrial, count: int, size: int | None = None) -> np.ndarray:
    """Return places of resampled windows, int64 of shape (`RESAMPLES`, size or count)."""
    places = resampled_places(count, RESAMPLES, generator(STUDY, row.experiment, "means"))
    return places[:, :size] if size else places


def interval_of(means: np.ndarray, count: int) -> tuple[float, float]:
    """Return the 95 % interval from resampled values; none if a single window was run."""
    return interval(means) if count > 1 else (np.nan, np.nan)

"""Predict unmeasured pairs, with the error of each method and its effect on schedules."""

from collections.abc import Mapping, Sequence

import numpy as np

from schedlab.core.streams import generator
from schedlab.cosched import pairs
from schedlab.cosched.pool import Pool
from schedlab.files.io import read_parquet
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Data, Table
from schedlab.studies.kellari2025 import beyond
from schedlab.studies.kellari2025.figures.beyond import draw_pairs
from schedlab.studies.kellari2025.sheet import PAPER
from schedlab.studies.kellari2025.tables import chapter6

TITLE = "Prediction of unmeasured pairs"
EFFECT = (
    "In the schedules, a prediction determines both the scheduler's decisions and the speed of the "
    "jobs. These changes show the effect of the unmeasured pairs, not which prediction is right."
)


def make(
    labels: Mapping[str, str], frame: str, runs: Sequence[str]
) -> dict[str, Data | tuple[Table, Picture, str]]:
    """Return the errors, the effect of the predictions on schedules, and the figure."""
    pool = Pool.from_frame(read_parquet(frame))
    measured = np.where(pool.measured, pool.speedup, np.nan)
    hidden = pairs.cross_validate(measured, generator(PAPER, "pairs"))
    errors = pairs.errors(hidden)
    effect = beyond.by_setting(chapter6.read_runs(runs), labels)
    on = f"{pool.label}, {pool.measured.sum()} of {len(pool) ** 2} ordered pairs measured"
    first = " ".join(beyond.pair_sentences(errors))
    lines = [first, "", EFFECT, beyond.headline(effect), *beyond.sentences(effect)]
    more = "\n".join(beyond.as_markdown(lines))
    figure = draw_pairs(hidden, errors, first, f"{TITLE} ({on})")
    captioned = (Table(errors, 3, {"on": on}, more), Picture(figure), "\n".join(lines))
    return {"beyond_pairs": captioned, "beyond_pairs_effect": Data(effect)}
